// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/host/executor.h>
#include <mgpu/exec/policy.h>

#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/pair.h>

#include <cstddef>
#include <cstdlib>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// The base of the omp, tbb and cpp policies.
template <class Derived, template <class> class ThrustBase>
struct host_policy : policy<Derived, ThrustBase> {
  using executor_type = host_executor<Derived>;
  /// How many threads a call may have. More only means smaller tiles.
  static int threads() { return 1; }

  /// Calls f(i) for i in [0, count) on the policy's threads.
  template <class Function>
  void for_each_index(offset count, const Function& f) {
    THRUST_NS_QUALIFIER::for_each_n(static_cast<Derived&>(*this), THRUST_NS_QUALIFIER::counting_iterator<offset>(0),
                                    count, f);
  }
};

/// Gives a policy without an allocator scratch memory from the heap, for Thrust's algorithms too. Thrust would do the
/// same, but its header for that includes those of every system.
template <class Derived>
struct heap_memory {
  template <class T>
  friend THRUST_NS_QUALIFIER::pair<T*, std::ptrdiff_t> get_temporary_buffer(Derived&, std::ptrdiff_t count) {
    T* const memory = static_cast<T*>(std::malloc(static_cast<std::size_t>(count) * sizeof(T)));
    return {memory, memory == nullptr ? 0 : count};
  }
  template <class Pointer>
  friend void return_temporary_buffer(Derived&, Pointer memory, std::ptrdiff_t) {
    std::free(THRUST_NS_QUALIFIER::raw_pointer_cast(memory));
  }
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
