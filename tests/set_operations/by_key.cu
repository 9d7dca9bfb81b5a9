// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The four set operations by key: sizes around the tile's, everything that two inputs can have in common, misaligned
// ranges, and the published demonstrations.
#include "check_set_operations.h"
#include "set_demo.h"

namespace {

using namespace test;
using key = std::uint32_t;
using value = std::uint32_t;

template <class Operation, class... Options>
void check(Operation operation, const two_inputs<key>& in, int number, const Options&... options) {
  const int a_count = static_cast<int>(in.a.size()), b_count = static_cast<int>(in.b.size());
  const auto a_values = numbered_values<value>(0, a_count), b_values = numbered_values<value>(a_count, b_count);
  for_each_executor([&](auto executor) {
    INFO(executor.name, ", ", a_count, " and ", b_count, " elements, number ", number);
    check_by_key(operation, executor, in.a, in.b, a_values, b_values, std::less<>{}, skips::number(number), options...);
  });
}

}  // namespace

TEST_CASE_TEMPLATE("a set operation by key", Operation, op::set_union, op::set_intersection, op::set_difference,
                   op::set_symmetric_difference) {
  const int tile = first_executor::items_per_tile<set_core<Operation, key, value>>();
  constexpr int overlaps = std::size(all_overlaps);
  std::mt19937 random(1);
  int number = 0;
  for (const auto& size : sizes_around_tile(tile)) {
    const int total = size.a + size.b, cases = total < 3 || total > 50000 || takes_few_cases() ? 1 : 2;
    for (int i = 0; i < cases; ++i) {
      const auto o = all_overlaps[(number + i * 3) % overlaps];
      check(Operation{}, overlapping_keys<key>(o, size.a, size.b, random), number + i * 5);
    }
    ++number;
  }
  if (takes_few_cases()) return;
  for (const auto o : all_overlaps) check(Operation{}, overlapping_keys<key>(o, 40001, 30003, random), ++number);
  for (const auto o : all_overlaps) {
    check(Operation{}, overlapping_keys<key>(o, 2 * tile + 1, 2 * tile, random), ++number);
  }
}

TEST_CASE_TEMPLATE("a set operation by key without duplicates", Operation, op::set_union, op::set_intersection,
                   op::set_difference, op::set_symmetric_difference) {
  const int tile = first_executor::items_per_tile<set_core<Operation, key, value>>();
  std::mt19937 random(2);
  int number = 0;
  for (const auto o : unique_overlaps) {
    for (const auto& size : {sizes{0, 0}, sizes{1, 0}, sizes{tile / 2, tile / 2 + 1}, sizes{3 * tile, tile - 1}}) {
      check(Operation{}, unique_keys<key>(o, size.a, size.b, random), ++number, mgpu::unique_keys);
    }
  }
}

TEST_CASE_TEMPLATE("a set operation by key of many tiles", Operation, op::set_union, op::set_intersection,
                   op::set_difference, op::set_symmetric_difference) {
  using core = set_core<Operation, key, value>;
  const int total = std::max(std::min(300 * first_executor::items_per_tile<core>(), 1'500'000),
                             first_executor::items_beyond_single_launch<core>());
  std::mt19937 random(3);
  check(Operation{}, overlapping_keys<key>(overlap::some, total / 3, total - total / 3, random), 1);
  if (takes_few_cases()) return;
  check(Operation{}, overlapping_keys<key>(overlap::all_equal, total / 2, total - total / 2, random), 2);
}

TEST_CASE("the published demonstration of multiset keys") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    const auto& policy = executor.policy();
    const input<executor_type, int> a(set_demo::keys_a), b(set_demo::keys_b);
    const output<executor_type, int> both(100), in_one(200);
    const int* const both_end =
        mgpu::set_intersection(policy, a.begin(), a.end(), b.begin(), b.end(), both.begin(), cuda::std::less<int>());
    CHECK(both_end == both.begin() + 50);
    CHECK(both.first_difference(set_demo::keys_intersection) == -1);
    CHECK(mgpu::set_intersection_size(policy, a.begin(), a.end(), b.begin(), b.end()) == 50);

    const int* const in_one_end = mgpu::set_symmetric_difference(policy, a.begin(), a.end(), b.begin(), b.end(),
                                                                 in_one.begin(), cuda::std::less<int>());
    CHECK(in_one_end == in_one.begin() + 100);
    CHECK(in_one.first_difference(set_demo::keys_symmetric_difference) == -1);
    CHECK(mgpu::set_symmetric_difference_size(policy, a.begin(), a.end(), b.begin(), b.end()) == 100);
  });
}

TEST_CASE("the published demonstration of multiset pairs") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    const auto& policy = executor.policy();
    const input<executor_type, int> a(set_demo::pairs_a), b(set_demo::pairs_b);
    const input<executor_type, int> a_values(numbered_values<int>(0, 100)), b_values(numbered_values<int>(100, 100));
    const output<executor_type, int> both(100), both_values(100), in_one(200), in_one_values(200);
    const auto both_ends =
        mgpu::set_intersection_by_key(policy, a.begin(), a.end(), b.begin(), b.end(), a_values.begin(), both.begin(),
                                      both_values.begin(), cuda::std::less<int>());
    CHECK(both_ends.first == both.begin() + 47);
    CHECK(both_ends.second == both_values.begin() + 47);
    CHECK(both.first_difference(set_demo::pairs_intersection_keys) == -1);
    CHECK(both_values.first_difference(set_demo::pairs_intersection_indices) == -1);

    const auto in_one_ends = mgpu::set_symmetric_difference_by_key(policy, a.begin(), a.end(), b.begin(), b.end(),
                                                                   a_values.begin(), b_values.begin(), in_one.begin(),
                                                                   in_one_values.begin(), cuda::std::less<int>());
    CHECK(in_one_ends.first == in_one.begin() + 106);
    CHECK(in_one_ends.second == in_one_values.begin() + 106);
    CHECK(in_one.first_difference(set_demo::pairs_symmetric_difference_keys) == -1);
    CHECK(in_one_values.first_difference(set_demo::pairs_symmetric_difference_indices) == -1);
  });
}
