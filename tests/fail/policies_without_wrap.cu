// expect: static assert.*mgpu::wrap
// expect: mgpu_policy<Policy> .with Policy=thrust::[A-Za-z0-9_:]*::par_t::stream_attachment_type
// expect: mgpu_policy<Policy> .with Policy=thrust::[A-Za-z0-9_:]*::par_t.
// expect: mgpu_policy<Policy> .with Policy=thrust::[A-Za-z0-9_:]*::par_nosync_t.
// expect: mgpu_policy<Policy> .with Policy=cudaStream_t.
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/interval.h>
#include <mgpu/merge.h>
#include <mgpu/par.h>
#include <mgpu/set_operations.h>

/// Each call has a type of policy of its own: nvcc complains about each type once.
void misuse(cudaStream_t stream, const int* a, const int* b, int count, int* out) {
#ifdef MGPU_TEST_FIXED
  const auto policy_0 = mgpu::wrap(thrust::cuda::par.on(stream));
  const auto policy_1 = mgpu::wrap(thrust::cuda::par);
  const auto policy_2 = mgpu::wrap(thrust::cuda::par_nosync);
  const auto policy_3 = mgpu::wrap(stream);
#else
  const auto& policy_0 = thrust::cuda::par.on(stream);
  const auto& policy_1 = thrust::cuda::par;
  const auto& policy_2 = thrust::cuda::par_nosync;
  const auto& policy_3 = stream;
#endif
  mgpu::interval_expand(policy_0, mgpu::interval_offsets(a, count, count), b, out);
  mgpu::merge(policy_1, a, a + count, b, b + count, out);
  mgpu::set_union(policy_2, a, a + count, b, b + count, out);
  mgpu::merge(policy_3, a, a + count, b, b + count, out);
}
