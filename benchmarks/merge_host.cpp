// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// merge and merge_by_key on the CPU: two inputs of 2^24 random u32 keys each, with u32 values, beside std::merge,
// std::execution::par, GNU's parallel mode and Thrust, as far as this build has them.

#include <support/host_row.h>

#include <mgpu/merge.h>

#include <thrust/merge.h>

namespace bench {

/// What every peer is given, and what its results have to be.
struct tables {
  static constexpr std::size_t count = std::size_t{1} << 24;  // of each input
  array a = sorted_keys(count, 1), b = sorted_keys(count, 2);
  array a_values = numbers(count, 0), b_values = numbers(count, count);
  array keys_out = array(2 * count), values_out = array(2 * count);
  array expected_keys = array(2 * count), expected_values = array(2 * count);

  tables() {
    for (std::size_t i = 0, j = 0, out = 0; out < 2 * count; ++out) {
      const bool takes_a = j == count || (i < count && a[i] <= b[j]);
      expected_keys[out] = takes_a ? a[i] : b[j];
      expected_values[out] = takes_a ? a_values[i++] : b_values[j++];
    }
  }
};

tables& data() {
  static tables made;
  return made;
}

/// Adds the row `name`; `run` is given the tables and writes to them.
template <class Run>
void add_checked_row(const std::string& name, bool (*is_right)(const tables&), const Run& run) {
  const auto runs_right = [is_right, run] {
    tables& t = data();
    clear(t.keys_out);
    clear(t.values_out);
    run(t);
    return is_right(t);
  };
  add_row(name, runs_right, [run] { run(data()); });
}

bool keys_are_right(const tables& t) { return t.keys_out == t.expected_keys; }
bool pairs_are_right(const tables& t) { return keys_are_right(t) && t.values_out == t.expected_values; }

template <class Merge>
void add_merge(const std::string& peer, const Merge& merge) {
  add_checked_row("merge/" + peer, keys_are_right,
                  [merge](tables& t) { merge(t.a.begin(), t.a.end(), t.b.begin(), t.b.end(), t.keys_out.begin()); });
}

template <class Merge>
void add_merge_by_key(const std::string& peer, const Merge& merge) {
  add_checked_row("merge_by_key/" + peer, pairs_are_right, [merge](tables& t) {
    merge(t.a.begin(), t.a.end(), t.b.begin(), t.b.end(), t.a_values.begin(), t.b_values.begin(), t.keys_out.begin(),
          t.values_out.begin());
  });
}

/// The rows of a policy of mgpu and of Thrust's policy of the same system.
template <class Policy, class ThrustPolicy>
void add_system(const std::string& name, const Policy& policy, const ThrustPolicy& thrust_policy) {
  add_merge("mgpu_" + name, [policy](auto... arguments) { mgpu::merge(policy, arguments...); });
  add_merge("thrust_" + name, [thrust_policy](auto... arguments) { thrust::merge(thrust_policy, arguments...); });
  add_merge_by_key("mgpu_" + name, [policy](auto... arguments) { mgpu::merge_by_key(policy, arguments...); });
  add_merge_by_key("thrust_" + name,
                   [thrust_policy](auto... arguments) { thrust::merge_by_key(thrust_policy, arguments...); });
}

void add_rows() {
  add_merge("std", [](auto... arguments) { std::merge(arguments...); });
#ifdef MGPU_TEST_HAS_TBB
  add_merge("std_par", [](auto... arguments) { std::merge(std::execution::par, arguments...); });
  add_system("tbb", mgpu::tbb::par, thrust::tbb::par);
#endif
#ifdef MGPU_TEST_HAS_OMP
  add_merge("gnu_parallel", [](auto... arguments) { __gnu_parallel::merge(arguments...); });
  add_system("omp", mgpu::omp::par, thrust::omp::par);
#endif
  add_system("cpp", mgpu::cpp::par, thrust::cpp::par);
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_rows(argc, argv, bench::add_rows); }
