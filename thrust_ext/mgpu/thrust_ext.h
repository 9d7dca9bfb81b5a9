// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The plug-in: with this header thrust::merge, the thrust::set_* operations and their _by_key forms called with an mgpu
// policy run this library.

#include <mgpu/thrust_ext/merge.h>
#include <mgpu/thrust_ext/set_operations.h>
