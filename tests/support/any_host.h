// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A policy of a host system that is named when it runs. What is tested with it is compiled once, not once for each
// system: only the loop over tiles differs, and it calls them through a pointer.

#include <mgpu/exec/host/policy.h>

#include <thrust/detail/allocator_aware_execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/system/cpp/execution_policy.h>

#ifdef MGPU_TEST_HAS_OMP
#include <thrust/system/omp/execution_policy.h>
#endif
#ifdef MGPU_TEST_HAS_TBB
#include <thrust/system/tbb/execution_policy.h>
#endif

#include <string>

namespace test {

enum class host_system { cpp, omp, tbb };

inline constexpr host_system host_systems[] = {
    host_system::cpp,
#ifdef MGPU_TEST_HAS_OMP
    host_system::omp,
#endif
#ifdef MGPU_TEST_HAS_TBB
    host_system::tbb,
#endif
};

inline std::string name_of(host_system system) {
  return system == host_system::cpp ? "cpp" : system == host_system::omp ? "omp" : "tbb";
}

/// Where the policy below runs, when this thread uses it.
inline thread_local host_system current_system = host_system::cpp;
/// How often it has run a loop there.
inline thread_local int loops_run[3] = {};

/// A function of a position, of a type that is forgotten.
struct any_function {
  void (*call)(const void* function, mgpu::offset position);
  const void* function;

  void operator()(mgpu::offset position) const { call(function, position); }
};

inline void run_loop(mgpu::offset first, mgpu::offset count, const any_function& f) {
  ++loops_run[static_cast<int>(current_system)];
  [[maybe_unused]] const thrust::counting_iterator<mgpu::offset> begin(first);
  switch (current_system) {
    case host_system::cpp:
      for (mgpu::offset i = 0; i < count; ++i) f(first + i);
      return;
    case host_system::omp:
#ifdef MGPU_TEST_HAS_OMP
      thrust::for_each_n(thrust::omp::par, begin, count, f);
#endif
      return;
    case host_system::tbb:
#ifdef MGPU_TEST_HAS_TBB
      thrust::for_each_n(thrust::tbb::par, begin, count, f);
#endif
      return;
  }
}

/// What is no loop over positions runs on the calling thread.
template <class Derived>
struct any_system_policy : thrust::cpp::execution_policy<Derived> {};

/// Found by argument-dependent lookup, where Thrust's own algorithm looks for that of a system.
template <class Derived, class Size, class F>
thrust::counting_iterator<mgpu::offset> for_each_n(any_system_policy<Derived>&,
                                                   thrust::counting_iterator<mgpu::offset> first, Size count, F f) {
  const auto call = [](const void* function, mgpu::offset position) { (*static_cast<const F*>(function))(position); };
  run_loop(*first, static_cast<mgpu::offset>(count), {call, &f});
  return first + count;
}

template <class Derived>
struct on_any_host : mgpu::detail::exec::host_policy<Derived, any_system_policy> {
  static constexpr int threads() { return 2; }  // also where one runs both parts of a loop
};

struct any_host_policy : on_any_host<any_host_policy>,
                         mgpu::detail::exec::heap_memory<any_host_policy>,
                         thrust::detail::allocator_aware_execution_policy<on_any_host> {};

inline constexpr any_host_policy any_host{};

}  // namespace test
