// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The policies with which Thrust's algorithms reach this library.

#include "executors.h"
#include "throws_ours.h"

#ifdef MGPU_TEST_CUDA
#include "cuda.h"
#endif

#include <cstddef>

namespace test {
namespace thrust_policies {

/// Allocates for the policies that take an allocator.
struct allocator {
  using value_type = char;
  static inline int allocations = 0;

  char* allocate(std::ptrdiff_t bytes) {
    ++allocations;
    return static_cast<char*>(first_executor::allocate(static_cast<std::size_t>(bytes)));
  }
  void deallocate(char* memory, std::size_t) { first_executor::free(memory); }
};

/// Calls f(policy) for policies of every kind.
template <class F>
void for_each_policy(const F& f) {
  allocator a;
#ifdef MGPU_TEST_CUDA
  const stream s;
  f(mgpu::par);
  f(mgpu::par_nosync);
  f(mgpu::par.on(s));
  f(mgpu::par_nosync.on(s));
  f(mgpu::par(a));
  f(mgpu::par(allocator{}).on(s));
  f(mgpu::par_nosync(a).on(s));
  f(mgpu::wrap(thrust::cuda::par.on(s)));
  f(mgpu::wrap(thrust::cuda::par_nosync(a).on(s)));
#else
  for_each_own_policy([&](auto executor) {
    f(executor.policy());
    f(executor.policy()(a));
    f(executor.policy()(allocator{}));
  });
#endif
}

/// Calls f(policy) for some of them, where what is tested does not depend on the policy.
template <class F>
void for_some_policies(const F& f) {
#ifdef MGPU_TEST_FULL
  for_each_policy(f);
#else
  allocator a;
#ifdef MGPU_TEST_CUDA
  const stream s;
  f(mgpu::par);
  f(mgpu::par_nosync(a).on(s));
#else
  f(mgpu::cpp::par);
  f(mgpu::cpp::par(a));
#endif
#endif
}

inline void finish() {
#ifdef MGPU_TEST_CUDA
  require_cuda(cudaDeviceSynchronize());
#endif
}

}  // namespace thrust_policies
}  // namespace test
