// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The plug-in. With this header thrust::merge, the thrust::set_* operations and their _by_key forms run this library
// when they are called with an mgpu policy.

#include <mgpu/thrust_ext/merge.h>
#include <mgpu/thrust_ext/set_operations.h>
