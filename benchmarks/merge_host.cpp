// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// merge and merge_by_key (with u32 values) on the CPU beside std::merge, std::execution::par, GNU's parallel mode and
// Thrust, as far as this build has them. The rows stand in support/host_grid.h; choose some by --benchmark_filter.

#include <support/host_grid.h>

#include <mgpu/merge.h>

#include <thrust/merge.h>

namespace bench {

constexpr auto expected_merge = [](const auto& in) {
  using key = typename std::decay_t<decltype(in.a)>::value_type;
  pairs<key> made;
  for (std::size_t i = 0, j = 0; i < in.a.size() || j < in.b.size();) {
    const bool takes_a = j == in.b.size() || (i < in.a.size() && !(in.b[j] < in.a[i]));
    if (takes_a) made.push_back(in.a[i], in.a_values[i]);
    else made.push_back(in.b[j], in.b_values[j]);
    ++(takes_a ? i : j);
  }
  return made;
};

/// The rows of a policy of mgpu and of Thrust's policy of the same system.
template <class Key, class Policy, class ThrustPolicy>
void add_system(const input_case& c, const std::string& name, const Policy& policy, const ThrustPolicy& thrust_policy) {
  add_keys<Key>("merge", c, "mgpu_" + name, expected_merge,
                [policy](auto... arguments) { return mgpu::merge(policy, arguments...); });
  add_keys<Key>("merge", c, "thrust_" + name, expected_merge,
                [thrust_policy](auto... arguments) { return thrust::merge(thrust_policy, arguments...); });
  add_pairs<Key>("merge", c, "mgpu_" + name, expected_merge,
                 [policy](auto... arguments) { return mgpu::merge_by_key(policy, arguments...); });
  add_pairs<Key>("merge", c, "thrust_" + name, expected_merge,
                 [thrust_policy](auto... arguments) { return thrust::merge_by_key(thrust_policy, arguments...); });
}

template <class Key>
void add_case(Key, const input_case& c) {
  add_keys<Key>("merge", c, "std", expected_merge, [](auto... arguments) { return std::merge(arguments...); });
#ifdef MGPU_TEST_HAS_TBB
  add_keys<Key>("merge", c, "std_par", expected_merge,
                [](auto... arguments) { return std::merge(std::execution::par, arguments...); });
  add_system<Key>(c, "tbb", mgpu::tbb::par, thrust::tbb::par);
#endif
#ifdef MGPU_TEST_HAS_OMP
  add_keys<Key>("merge", c, "gnu_parallel", expected_merge,
                [](auto... arguments) { return __gnu_parallel::merge(arguments...); });
  add_system<Key>(c, "omp", mgpu::omp::par, thrust::omp::par);
#endif
  add_system<Key>(c, "cpp", mgpu::cpp::par, thrust::cpp::par);
}

void add_rows() {
  for_each_case([](auto key, const input_case& c) { add_case(key, c); });
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_rows(argc, argv, bench::add_rows); }
