// expect: mgpu::par runs on CUDA, and this file is not compiled by nvcc
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MGPU_TEST_FIXED
#undef THRUST_DEVICE_SYSTEM  // as in a program for CUDA
#endif
#include <mgpu/par.h>

#undef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP  // Thrust's own headers take the CUDA toolkit otherwise
#include <mgpu/merge.h>

int* misuse(const int* a, const int* b, int count, int* out) {
  return mgpu::merge(mgpu::par, a, a + count, b, b + count, out);
}
