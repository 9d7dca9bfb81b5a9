// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The set operations on the CPU: two inputs of 2^24 u32 keys each, with u32 values for two of them by key, beside
// std::, std::execution::par, GNU's parallel mode and Thrust, as far as this build has them. A peer whose results are
// wrong is an error, not a time. Rows are <operation>/<distribution>/<peer>; distributions:
//   rand   uniform in [0, 4N), N keys in both inputs
//   wide   uniform over all u32

#include <support/host_row.h>

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
  static kept keep(std::size_t a, std::size_t b) {
    const std::size_t paired = std::min(a, b);
    return {paired, a - paired, paired, b - paired};
  }
};

enum class distribution { random, wide };
const char* name_of(distribution d) { return d == distribution::random ? "rand" : "wide"; }

struct inputs {
  static constexpr int log2_count = 24;  // of each
  static constexpr std::size_t count = std::size_t{1} << log2_count;
  array a, b, a_values = numbers(count, 0), b_values = numbers(count, count);

  explicit inputs(int bits) : a(sorted_keys(count, 1, bits)), b(sorted_keys(count, 2, bits)) {}
};

inputs& inputs_of(distribution d) {
  if (d == distribution::wide) {
    static inputs wide(32);
    return wide;
  }
  static inputs random(inputs::log2_count + 3);
  return random;
}

/// Keys and values of a result.
struct pairs {
  array keys, values;
};

/// The result by its definition, run by run of equal keys.
template <class Operation>
pairs expected_pairs(const inputs& in) {
  const auto run_end = [](const array& keys, std::size_t i, std::uint32_t key) {
    while (i < keys.size() && keys[i] == key) ++i;
    return i;
  };
  pairs made;
  const auto append = [](array& to, const array& from, std::size_t begin, std::size_t size) {
    to.insert(to.end(), from.begin() + begin, from.begin() + begin + size);
  };
  for (std::size_t i = 0, j = 0; i < in.count || j < in.count;) {
    const bool begins_with_a = j == in.count || (i < in.count && in.a[i] < in.b[j]);
    const std::uint32_t key = begins_with_a ? in.a[i] : in.b[j];
    const std::size_t i_end = run_end(in.a, i, key), j_end = run_end(in.b, j, key);
    const kept k = Operation::keep(i_end - i, j_end - j);
    append(made.keys, in.a, i + k.a_skipped, k.a);
    append(made.keys, in.b, j + k.b_skipped, k.b);
    append(made.values, in.a_values, i + k.a_skipped, k.a);
    append(made.values, in.b_values, j + k.b_skipped, k.b);
    i = i_end;
    j = j_end;
  }
  return made;
}

/// What the peers of one operation and one distribution, which run one after another, write to and have to find.
struct results {
  pairs out{array(2 * inputs::count), array(2 * inputs::count)}, expected;

  void clear() {
    bench::clear(out.keys);
    bench::clear(out.values);
  }
  bool has_keys(std::size_t size) const { return begins_with(out.keys, size, expected.keys); }
  bool has_values(std::size_t size) const { return begins_with(out.values, size, expected.values); }

 private:
  static bool begins_with(const array& out, std::size_t size, const array& expected) {
    return size == expected.size() && std::equal(expected.begin(), expected.end(), out.begin());
  }
};

struct live_results {
  std::string name;
  results data;
};
live_results live;

/// The results of one case, made when its first row runs.
template <class Operation>
results& results_of(const std::string& case_name, distribution d) {
  if (live.name != case_name) {
    live.data = {};
    live.data.expected = expected_pairs<Operation>(inputs_of(d));
    live.name = case_name;
  }
  return live.data;
}

template <class Operation, class Call>
void add_keys(distribution d, const std::string& peer, const Call& call) {
  const std::string name = std::string(Operation::name) + "/" + name_of(d);
  const auto run = [=] {
    inputs& in = inputs_of(d);
    array& out = results_of<Operation>(name, d).out.keys;
    return call(in.a.begin(), in.a.end(), in.b.begin(), in.b.end(), out.begin()) - out.begin();
  };
  const auto is_right = [=] {
    results& r = results_of<Operation>(name, d);
    r.clear();
    return r.has_keys(run());
  };
  add_row(name + "/" + peer, is_right, run);
}

template <class Operation, class Call>
void add_pairs(distribution d, const std::string& peer, const Call& call) {
  const std::string name = std::string(Operation::name) + "_by_key/" + name_of(d);
  const auto run = [=] {
    inputs& in = inputs_of(d);
    pairs& out = results_of<Operation>(name, d).out;
    const auto ends = call(in.a.begin(), in.a.end(), in.b.begin(), in.b.end(), in.a_values.begin(), in.b_values.begin(),
                           out.keys.begin(), out.values.begin());
    return ends.first - out.keys.begin();
  };
  const auto is_right = [=] {
    results& r = results_of<Operation>(name, d);
    r.clear();
    const std::size_t size = run();
    return r.has_keys(size) && r.has_values(size);
  };
  add_row(name + "/" + peer, is_right, run);
}

/// `f` with a policy as its first argument.
template <class F, class Policy>
auto with(const F& f, const Policy& policy) {
  return [=](auto... arguments) { return f(policy, arguments...); };
}

/// The rows of a policy of mgpu and of Thrust's policy of the same system.
template <class Operation, class Policy, class ThrustPolicy>
void add_system(distribution d, const std::string& name, const Policy& policy, const ThrustPolicy& thrust_policy) {
  add_keys<Operation>(d, "mgpu_" + name, with(Operation::mgpu, policy));
  add_keys<Operation>(d, "thrust_" + name, with(Operation::thrust, thrust_policy));
}
template <class Operation, class Policy, class ThrustPolicy>
void add_system_by_key(distribution d, const std::string& name, const Policy& policy,
                       const ThrustPolicy& thrust_policy) {
  add_pairs<Operation>(d, "mgpu_" + name, with(Operation::mgpu_by_key, policy));
  add_pairs<Operation>(d, "thrust_" + name, with(Operation::thrust_by_key, thrust_policy));
}

template <class Operation>
void add_operation(distribution d) {
  add_keys<Operation>(d, "std", Operation::standard);
#ifdef MGPU_TEST_HAS_TBB
  add_keys<Operation>(d, "std_par", with(Operation::standard, std::execution::par));
  add_system<Operation>(d, "tbb", mgpu::tbb::par, thrust::tbb::par);
#endif
#ifdef MGPU_TEST_HAS_OMP
  add_keys<Operation>(d, "gnu_parallel", Operation::gnu_parallel);
  add_system<Operation>(d, "omp", mgpu::omp::par, thrust::omp::par);
#endif
  add_system<Operation>(d, "cpp", mgpu::cpp::par, thrust::cpp::par);
}

template <class Operation>
void add_operation_by_key(distribution d) {
#ifdef MGPU_TEST_HAS_TBB
  add_system_by_key<Operation>(d, "tbb", mgpu::tbb::par, thrust::tbb::par);
#endif
#ifdef MGPU_TEST_HAS_OMP
  add_system_by_key<Operation>(d, "omp", mgpu::omp::par, thrust::omp::par);
#endif
  add_system_by_key<Operation>(d, "cpp", mgpu::cpp::par, thrust::cpp::par);
}

void add_rows() {
  for (const distribution d : {distribution::random, distribution::wide}) {
    add_operation<set_union>(d);
    add_operation<set_intersection>(d);
    add_operation<set_difference>(d);
    add_operation<set_symmetric_difference>(d);
    add_operation_by_key<set_union>(d);
    add_operation_by_key<set_intersection>(d);
  }
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_rows(argc, argv, bench::add_rows); }
