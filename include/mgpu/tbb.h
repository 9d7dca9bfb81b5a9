// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// mgpu::tbb::par runs on TBB's threads; link TBB. par(allocator) takes what thrust::tbb::par(allocator) takes.
// Thrust's own sort for TBB calls thrust::merge: thrust::sort(mgpu::tbb::par, ...) needs <mgpu/thrust_ext.h>.

#include <mgpu/base/math.h>
#include <mgpu/exec/host/policy.h>

#include <thrust/detail/allocator_aware_execution_policy.h>
#include <thrust/system/tbb/execution_policy.h>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

template <class Derived>
struct on_tbb : host_policy<Derived, THRUST_NS_QUALIFIER::tbb::execution_policy> {
  static int threads() { return ::tbb::this_task_arena::max_concurrency(); }

  /// In a group of its own: where the caller's group is cancelled, as one of its tasks has thrown, TBB would leave
  /// calls out without a word. And isolated: a thread that waits here would run other tasks of the caller's meanwhile,
  /// in the midst of what the one that called has begun.
  template <class Function>
  void for_each_index(offset count, const Function& f) {
    ::tbb::task_group_context own(::tbb::task_group_context::isolated);
    ::tbb::this_task_arena::isolate([&] {
      ::tbb::parallel_for(
          ::tbb::blocked_range<offset>(0, count),
          [&f](const ::tbb::blocked_range<offset>& part) {
            for (offset i = part.begin(); i < part.end(); ++i) f(i);
          },
          own);
    });
  }
};

struct tbb_parallel : on_tbb<tbb_parallel>,
                      heap_memory<tbb_parallel>,
                      THRUST_NS_QUALIFIER::detail::allocator_aware_execution_policy<on_tbb> {};

}  // namespace detail::exec

namespace tbb {
/// Runs on TBB's threads. The call returns when its work has finished.
inline constexpr detail::exec::tbb_parallel par{};
inline constexpr detail::exec::tbb_parallel par_nosync{};  // a call on the CPU has always finished when it returns
}  // namespace tbb
MGPU_NAMESPACE_END
