// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mgpu/par.h>
#include <mgpu/thrust_ext.h>

#include <thrust/device_malloc_allocator.h>
#include <thrust/merge.h>
#include <thrust/reduce.h>
#include <thrust/set_operations.h>

#if MGPU_CUDA_COMPILER
#include <thrust/system/cuda/execution_policy.h>
#endif

/// The plug-in, and an algorithm of Thrust's own that takes its scratch memory from the policy.
template <class Policy>
int calls(const Policy& p, const int* a, const int* b, int count, int* keys, int* values) {
  thrust::merge(p, a, a + count, b, b + count, keys);
  thrust::merge_by_key(p, a, a + count, b, b + count, a, b, keys, values);
  thrust::set_union(p, a, a + count, b, b + count, keys);
  thrust::set_intersection_by_key(p, a, a + count, b, b + count, a, keys, values);
  return thrust::reduce(p, keys, keys + count);
}

int calls(const int* a, const int* b, int count, int* keys, int* values) {
  int result = calls(mgpu::par, a, b, count, keys, values) + calls(mgpu::par_nosync, a, b, count, keys, values);
#if MGPU_CUDA_COMPILER
  thrust::device_malloc_allocator<char> allocator;
  const cudaStream_t stream = nullptr;
  result += calls(mgpu::par.on(stream), a, b, count, keys, values);
  result += calls(mgpu::par_nosync(allocator).on(stream), a, b, count, keys, values);
  result += calls(mgpu::wrap(thrust::cuda::par_nosync(allocator).on(stream)), a, b, count, keys, values);
#endif
  return result;
}
