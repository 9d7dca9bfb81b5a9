// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// mgpu::cpp::par runs on the calling thread. par(allocator) takes what thrust::cpp::par(allocator) takes.
// Thrust's own merge sort calls thrust::merge: thrust::sort(mgpu::cpp::par, ..., compare) needs <mgpu/thrust_ext.h>.

#include <mgpu/exec/host/policy.h>

#include <thrust/detail/allocator_aware_execution_policy.h>
#include <thrust/system/cpp/detail/execution_policy.h>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

template <class Derived>
struct on_cpp : host_policy<Derived, THRUST_NS_QUALIFIER::cpp::execution_policy> {};

struct cpp_parallel : on_cpp<cpp_parallel>,
                      heap_memory<cpp_parallel>,
                      THRUST_NS_QUALIFIER::detail::allocator_aware_execution_policy<on_cpp> {};

}  // namespace detail::exec

namespace cpp {
/// Runs on the calling thread. The call returns when its work has finished.
inline constexpr detail::exec::cpp_parallel par{};
inline constexpr detail::exec::cpp_parallel par_nosync{};  // a call on the CPU has always finished when it returns
}  // namespace cpp
MGPU_NAMESPACE_END
