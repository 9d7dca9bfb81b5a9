// expect: static assert.*mgpu::wrap
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/interval.h>
#include <mgpu/par.h>

int* misuse(const int* offsets, int count, int total, const int* values, int* out) {
#ifdef MGPU_TEST_FIXED
  const auto policy = mgpu::wrap(thrust::cuda::par);
#else
  const auto& policy = thrust::cuda::par;
#endif
  return mgpu::interval_expand(policy, mgpu::interval_offsets(offsets, count, total), values, out);
}
