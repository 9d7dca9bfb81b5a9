// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The plug-in: with this header thrust::merge and thrust::merge_by_key called with an mgpu policy run this library.

#include <mgpu/thrust_ext/merge.h>
