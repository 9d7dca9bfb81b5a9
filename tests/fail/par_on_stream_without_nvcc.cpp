// expect: mgpu::par runs on CUDA, and this file is not compiled by nvcc
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MGPU_TEST_FIXED
#undef THRUST_DEVICE_SYSTEM  // as in a program for CUDA
#endif
#include <mgpu/par.h>

void misuse(void* stream) {
#ifdef MGPU_TEST_FIXED
  (void)stream;
#else
  mgpu::par_nosync.on(stream);
#endif
}
