// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// mgpu::omp::par runs on OpenMP threads; compile with -fopenmp. par(allocator) takes what thrust::omp::par(allocator)
// takes.

#include <mgpu/exec/host/policy.h>

#include <thrust/detail/allocator_aware_execution_policy.h>
#include <thrust/system/omp/execution_policy.h>

#include MGPU_OPENMP_HEADER

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

template <class Derived>
struct on_omp : host_policy<Derived, THRUST_NS_QUALIFIER::omp::execution_policy> {
  static int threads() { return MGPU_OPENMP_THREADS(); }
};

struct omp_parallel : on_omp<omp_parallel>,
                      heap_memory<omp_parallel>,
                      THRUST_NS_QUALIFIER::detail::allocator_aware_execution_policy<on_omp> {};

}  // namespace detail::exec

namespace omp {
/// Runs on OpenMP threads. The call returns when its work has finished.
inline constexpr detail::exec::omp_parallel par{};
inline constexpr detail::exec::omp_parallel par_nosync{};  // a call on the CPU has always finished when it returns
}  // namespace omp
MGPU_NAMESPACE_END
