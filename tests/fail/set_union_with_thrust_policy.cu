// expect: static assert.*mgpu::wrap
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/par.h>
#include <mgpu/set_operations.h>

int* misuse(const int* a, const int* b, int count, int* out) {
#ifdef MGPU_TEST_FIXED
  const auto policy = mgpu::wrap(thrust::cuda::par);
#else
  const auto& policy = thrust::cuda::par;
#endif
  return mgpu::set_union(policy, a, a + count, b, b + count, out);
}
