// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The set operations, of keys and by key (with u32 values), on the CPU beside std::, std::execution::par, GNU's
// parallel mode and Thrust, as far as this build has them. A peer whose results are wrong is an error, not a time. The
// rows stand in support/host_grid.h; choose some by --benchmark_filter.

#include <support/host_grid.h>

#include <mgpu/set_operations.h>

#include <thrust/set_operations.h>

namespace bench {

#ifdef MGPU_TEST_HAS_OMP
namespace gnu = __gnu_parallel;
#else
namespace gnu = std;  // has no rows then
#endif

/// What a result keeps of the elements with one key: of each input some of them, after some that it skips.
struct kept {
  std::size_t a_skipped, a, b_skipped, b;
};

// An operation is its functions under names that are the same for all, and what it keeps of equal keys.

struct set_union {
  static constexpr const char* name = "set_union";
  static constexpr auto mgpu = [](const auto&... arguments) { return ::mgpu::set_union(arguments...); };
  static constexpr auto thrust = [](const auto&... arguments) { return ::thrust::set_union(arguments...); };
  static constexpr auto standard = [](const auto&... arguments) { return std::set_union(arguments...); };
  static constexpr auto gnu_parallel = [](const auto&... arguments) { return gnu::set_union(arguments...); };
  static constexpr auto mgpu_by_key = [](const auto&... arguments) { return ::mgpu::set_union_by_key(arguments...); };
  static constexpr auto thrust_by_key = [](const auto&... arguments) {
    return ::thrust::set_union_by_key(arguments...);
  };
  static kept keep(std::size_t a, std::size_t b) { return {0, a, std::min(a, b), b - std::min(a, b)}; }
};

struct set_intersection {
  static constexpr const char* name = "set_intersection";
  static constexpr auto mgpu = [](const auto&... arguments) { return ::mgpu::set_intersection(arguments...); };
  static constexpr auto thrust = [](const auto&... arguments) { return ::thrust::set_intersection(arguments...); };
  static constexpr auto standard = [](const auto&... arguments) { return std::set_intersection(arguments...); };
  static constexpr auto gnu_parallel = [](const auto&... arguments) { return gnu::set_intersection(arguments...); };
  static constexpr auto mgpu_by_key = [](auto p, auto a, auto a_end, auto b, auto b_end, auto a_values, auto,
                                         auto... outputs) {
    return ::mgpu::set_intersection_by_key(p, a, a_end, b, b_end, a_values, outputs...);
  };
  static constexpr auto thrust_by_key = [](auto p, auto a, auto a_end, auto b, auto b_end, auto a_values, auto,
                                           auto... outputs) {
    return ::thrust::set_intersection_by_key(p, a, a_end, b, b_end, a_values, outputs...);
  };
  static kept keep(std::size_t a, std::size_t b) { return {0, std::min(a, b), b, 0}; }
};

struct set_difference {
  static constexpr const char* name = "set_difference";
  static constexpr auto mgpu = [](const auto&... arguments) { return ::mgpu::set_difference(arguments...); };
  static constexpr auto thrust = [](const auto&... arguments) { return ::thrust::set_difference(arguments...); };
  static constexpr auto standard = [](const auto&... arguments) { return std::set_difference(arguments...); };
  static constexpr auto gnu_parallel = [](const auto&... arguments) { return gnu::set_difference(arguments...); };
  static constexpr auto mgpu_by_key = [](const auto&... arguments) {
    return ::mgpu::set_difference_by_key(arguments...);
  };
  static constexpr auto thrust_by_key = [](const auto&... arguments) {
    return ::thrust::set_difference_by_key(arguments...);
  };
  static kept keep(std::size_t a, std::size_t b) { return {std::min(a, b), a - std::min(a, b), b, 0}; }
};

struct set_symmetric_difference {
  static constexpr const char* name = "set_symmetric_difference";
  static constexpr auto mgpu = [](const auto&... arguments) { return ::mgpu::set_symmetric_difference(arguments...); };
  static constexpr auto thrust = [](const auto&... arguments) {
    return ::thrust::set_symmetric_difference(arguments...);
  };
  static constexpr auto standard = [](const auto&... arguments) { return std::set_symmetric_difference(arguments...); };
  static constexpr auto gnu_parallel = [](const auto&... arguments) {
    return gnu::set_symmetric_difference(arguments...);
  };
  static constexpr auto mgpu_by_key = [](const auto&... arguments) {
    return ::mgpu::set_symmetric_difference_by_key(arguments...);
  };
  static constexpr auto thrust_by_key = [](const auto&... arguments) {
    return ::thrust::set_symmetric_difference_by_key(arguments...);
  };
  static kept keep(std::size_t a, std::size_t b) {
    const std::size_t paired = std::min(a, b);
    return {paired, a - paired, paired, b - paired};
  }
};

/// The result by its definition, run by run of equal keys.
template <class Operation>
constexpr auto expected_pairs = [](const auto& in) {
  using keys = std::decay_t<decltype(in.a)>;
  const auto run_end = [](const keys& of, std::size_t i, const auto& key) {
    while (i < of.size() && !(of[i] < key) && !(key < of[i])) ++i;
    return i;
  };
  pairs<typename keys::value_type> made;
  for (std::size_t i = 0, j = 0; i < in.a.size() || j < in.b.size();) {
    const bool begins_with_a = j == in.b.size() || (i < in.a.size() && in.a[i] < in.b[j]);
    const auto key = begins_with_a ? in.a[i] : in.b[j];
    const std::size_t i_end = run_end(in.a, i, key), j_end = run_end(in.b, j, key);
    const kept k = Operation::keep(i_end - i, j_end - j);
    for (std::size_t n = i + k.a_skipped; n < i + k.a_skipped + k.a; ++n) made.push_back(in.a[n], in.a_values[n]);
    for (std::size_t n = j + k.b_skipped; n < j + k.b_skipped + k.b; ++n) made.push_back(in.b[n], in.b_values[n]);
    i = i_end;
    j = j_end;
  }
  return made;
};

/// `f` with a policy as its first argument.
template <class F, class Policy>
auto with(const F& f, const Policy& policy) {
  return [=](auto... arguments) { return f(policy, arguments...); };
}

/// The rows of a policy of mgpu and of Thrust's policy of the same system.
template <class Operation, class Key, class Policy, class ThrustPolicy>
void add_system(const input_case& c, const std::string& name, const Policy& policy, const ThrustPolicy& thrust_policy) {
  const auto& expected = expected_pairs<Operation>;
  add_keys<Key>(Operation::name, c, "mgpu_" + name, expected, with(Operation::mgpu, policy));
  add_keys<Key>(Operation::name, c, "thrust_" + name, expected, with(Operation::thrust, thrust_policy));
  add_pairs<Key>(Operation::name, c, "mgpu_" + name, expected, with(Operation::mgpu_by_key, policy));
  add_pairs<Key>(Operation::name, c, "thrust_" + name, expected, with(Operation::thrust_by_key, thrust_policy));
}

/// All peers for u32; for other types those that are the best ones, so that this file compiles in a minute.
template <class Operation, class Key>
void add_operation(const input_case& c) {
  const auto& expected = expected_pairs<Operation>;
  constexpr bool has_all_peers = std::is_same_v<Key, std::uint32_t>;
  add_keys<Key>(Operation::name, c, "std", expected, Operation::standard);
#ifdef MGPU_TEST_HAS_TBB
  add_keys<Key>(Operation::name, c, "std_par", expected, with(Operation::standard, std::execution::par));
  if constexpr (has_all_peers) add_system<Operation, Key>(c, "tbb", mgpu::tbb::par, thrust::tbb::par);
#endif
#ifdef MGPU_TEST_HAS_OMP
  add_keys<Key>(Operation::name, c, "gnu_parallel", expected, Operation::gnu_parallel);
  if constexpr (has_all_peers) {
    add_system<Operation, Key>(c, "omp", mgpu::omp::par, thrust::omp::par);
  } else {
    add_keys<Key>(Operation::name, c, "mgpu_omp", expected, with(Operation::mgpu, mgpu::omp::par));
    add_pairs<Key>(Operation::name, c, "mgpu_omp", expected, with(Operation::mgpu_by_key, mgpu::omp::par));
  }
#endif
  if constexpr (has_all_peers) {
    add_system<Operation, Key>(c, "cpp", mgpu::cpp::par, thrust::cpp::par);
  } else {
    add_keys<Key>(Operation::name, c, "mgpu_cpp", expected, with(Operation::mgpu, mgpu::cpp::par));
    add_pairs<Key>(Operation::name, c, "mgpu_cpp", expected, with(Operation::mgpu_by_key, mgpu::cpp::par));
    add_pairs<Key>(Operation::name, c, "thrust_cpp", expected, with(Operation::thrust_by_key, thrust::cpp::par));
  }
}

template <class Key>
void add_case(Key, const input_case& c) {
  add_operation<set_union, Key>(c);
  add_operation<set_intersection, Key>(c);
  add_operation<set_difference, Key>(c);
  add_operation<set_symmetric_difference, Key>(c);
}

void add_rows() {
  for_each_case([](auto key, const input_case& c) { add_case(key, c); });
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_rows(argc, argv, bench::add_rows); }
