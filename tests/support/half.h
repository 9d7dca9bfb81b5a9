// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CUDA's floating-point numbers of two bytes, where there is a toolkit: CCCL of PyPI comes without their headers.

#if __has_include(<cuda_fp16.h>) && __has_include(<cuda_bf16.h>)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define MGPU_TEST_HAS_HALF 1
#else
#define MGPU_TEST_HAS_HALF 0
#endif
