// expect: static assert.*mgpu::wrap
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/merge.h>
#include <mgpu/par.h>

int* misuse(cudaStream_t stream, const int* a, const int* b, int count, int* out) {
#ifdef MGPU_TEST_FIXED
  const auto policy = mgpu::wrap(stream);
#else
  const cudaStream_t policy = stream;
#endif
  return mgpu::merge(policy, a, a + count, b, b + count, out);
}
