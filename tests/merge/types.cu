// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Orders, keys and values of two types, and the published demonstrations.
#include "seed_demo.h"
#include "support/check_merge.h"
#include "support/orders.h"
#include "support/patterns.h"

namespace {

using namespace test;

struct case_sizes {
  int a, b;
};
constexpr case_sizes some_sizes[] = {{0, 300}, {5, 0}, {1, 3000}, {20011, 9973}, {70001, 120007}};

std::vector<int> numbers_from(int first, int count) { return numbered_values<int>(first, count); }

/// Merges keys and values of two types each, as merge_by_key and, for the keys alone, as merge.
template <class KeyOut, class Executor, class KeyA, class KeyB, class Compare>
void check_two_types(Executor executor, const std::vector<KeyA>& a, const std::vector<KeyB>& b,
                     const Compare& compare) {
  INFO(executor.name, ", ", a.size(), " and ", b.size(), " elements");
  const auto order = merged_order(a, b, compare);
  const auto count = static_cast<offset>(order.size());
  const auto a_values = numbered_values<std::uint16_t>(3, static_cast<int>(a.size()));
  const auto b_values = numbered_values<std::uint32_t>(70000, static_cast<int>(b.size()));
  const input<Executor, KeyA> a_in(a, 1);
  const input<Executor, KeyB> b_in(b, 2);
  const input<Executor, std::uint16_t> a_values_in(a_values, 3);
  const input<Executor, std::uint32_t> b_values_in(b_values, 1);
  const output<Executor, KeyOut> keys_out(count, 1), keys_alone_out(count);
  const output<Executor, std::int64_t> values_out(count);

  const auto ends =
      mgpu::merge_by_key(Executor::policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), a_values_in.begin(),
                         b_values_in.begin(), keys_out.begin(), values_out.begin(), compare);
  CHECK(ends.first == keys_out.end());
  CHECK(ends.second == values_out.end());
  const auto end = mgpu::merge(Executor::policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(),
                               keys_alone_out.begin(), compare);
  CHECK(end == keys_alone_out.end());

  const auto expected = in_order<KeyOut>(order, a, b);
  CHECK(keys_out.first_difference(expected) == -1);
  CHECK(keys_alone_out.first_difference(expected) == -1);
  CHECK(values_out.first_difference(in_order<std::int64_t>(order, a_values, b_values)) == -1);
  CHECK(a_in.unchanged());
  CHECK(b_in.unchanged());
}

template <class Executor, class Key, class Compare, class HostCompare>
void check_order(Executor executor, std::vector<Key> a, std::vector<Key> b, const Compare& compare,
                 const HostCompare& host_compare) {
  INFO(executor.name, ", ", a.size(), " and ", b.size(), " elements");
  std::stable_sort(a.begin(), a.end(), host_compare);
  std::stable_sort(b.begin(), b.end(), host_compare);
  const auto order = merged_order(a, b, host_compare);
  const auto a_values = numbers_from(0, static_cast<int>(a.size()));
  const auto b_values = numbers_from(static_cast<int>(a.size()), static_cast<int>(b.size()));
  const input<Executor, Key> a_in(a), b_in(b);
  const input<Executor, int> a_values_in(a_values), b_values_in(b_values);
  const output<Executor, Key> keys_out(static_cast<offset>(order.size()));
  const output<Executor, int> values_out(static_cast<offset>(order.size()));
  mgpu::merge_by_key(Executor::policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), a_values_in.begin(),
                     b_values_in.begin(), keys_out.begin(), values_out.begin(), compare);
  CHECK(keys_out.first_difference(in_order<Key>(order, a, b)) == -1);
  CHECK(values_out.first_difference(order) == -1);
}

}  // namespace

TEST_CASE("comparators: descending, with state, without a default constructor, of one side only") {
  for_each_executor([](auto executor) {
    using executor_type = decltype(executor);
    std::mt19937 random(1);
    std::vector<int> place(256);
    for (int i = 0; i < 256; ++i) place[i] = (i * 91 + 17) % 256;
    const input<executor_type, int> table(place);
    for (const auto size : some_sizes) {
      const auto a = random_keys<std::int32_t>(size.a, -5000, 5000, random);
      const auto b = random_keys<std::int32_t>(size.b, -5000, 5000, random);
      check_order(executor, a, b, greater{}, greater{});
      check_order(executor, a, b, less_of_executor{}, std::less<std::int32_t>{});
      check_order(executor, random_keys<std::uint8_t>(size.a, 0, 255, random),
                  random_keys<std::uint8_t>(size.b, 0, 255, random), less_by_table{table.begin()},
                  less_by_table{place.data()});
      const less_shifted shifted(1234, 0.5);
      check_order(executor, random_keys<std::int64_t>(size.a, 0, 4095, random),
                  random_keys<std::int64_t>(size.b, 0, 4095, random), shifted, shifted);
    }
    CHECK(table.unchanged());
  });
}

TEST_CASE("std::less and std::greater of numbers") {
  for_each_executor([](auto executor) {
    std::mt19937 random(2);
    for (const auto size : some_sizes) {
      const auto a = random_keys<std::int32_t>(size.a, -5000, 5000, random);
      const auto b = random_keys<std::int32_t>(size.b, -5000, 5000, random);
      check_order(executor, a, b, std::less<>{}, std::less<>{});
      check_order(executor, a, b, std::greater<std::int32_t>{}, std::greater<>{});
    }
  });
}

TEST_CASE("a comparator whose yes is not 1") {
  for_each_executor([](auto executor) {
    std::mt19937 random(3);
    for (const auto size : some_sizes) {
      check_order(executor, random_keys<std::int32_t>(size.a, -5000, 5000, random),
                  random_keys<std::int32_t>(size.b, -5000, 5000, random), less_answering<long long>{1ll << 40},
                  std::less<std::int32_t>{});
    }
  });
}

TEST_CASE("keys and values of two types") {
  for_each_executor([](auto executor) {
    std::mt19937 random(2);
    for (const auto size : some_sizes) {
      auto ints = random_keys<std::int32_t>(size.a, -30000, 30000, random);
      auto longs = random_keys<std::int64_t>(size.b, -30000, 30000, random);
      std::sort(ints.begin(), ints.end());
      std::sort(longs.begin(), longs.end());
      check_two_types<std::int64_t>(executor, ints, longs, cuda::std::less<>{});

      auto unsigneds = random_keys<std::uint32_t>(size.a, 0, 900, random);
      auto floats = random_keys<float>(size.b, -100, 1000, random);
      for (auto& x : floats) x += x < 500 ? 0.5f : 0.0f;
      std::sort(unsigneds.begin(), unsigneds.end());
      std::sort(floats.begin(), floats.end());
      check_two_types<double>(executor, unsigneds, floats, less_of_two_types{});
      check_two_types<float>(executor, floats, unsigneds, less_of_two_types{});

      std::vector<record> records;
      for (const int id : ints) records.push_back({id / 3, {1, 2, 3, 4, 5, 6, 7, 8}});
      auto shorts = random_keys<std::int16_t>(size.b, -10000, 10000, random);
      std::sort(shorts.begin(), shorts.end());
      check_two_types<std::int32_t>(executor, records, shorts, less_by_id{});
      check_two_types<std::int32_t>(executor, shorts, records, less_by_id{});
    }
  });
}

TEST_CASE("the published demonstrations of merging keys and pairs") {
  for_each_executor([](auto executor) {
    using executor_type = decltype(executor);
    const input<executor_type, int> a(seed_demo::keys_a), b(seed_demo::keys_b);
    const output<executor_type, int> merged(200);
    const int* const end = mgpu::merge(executor_type::policy(), a.begin(), a.end(), b.begin(), b.end(), merged.begin(),
                                       cuda::std::less<int>());
    CHECK(end == merged.end());
    CHECK(merged.first_difference(seed_demo::keys_merged) == -1);

    const input<executor_type, int> pairs_a(seed_demo::pairs_a), pairs_b(seed_demo::pairs_b);
    const input<executor_type, int> a_values(numbers_from(0, 100)), b_values(numbers_from(100, 100));
    const output<executor_type, int> pairs_keys(200), pairs_values(200);
    const auto ends = mgpu::merge_by_key(executor_type::policy(), pairs_a.begin(), pairs_a.end(), pairs_b.begin(),
                                         pairs_b.end(), a_values.begin(), b_values.begin(), pairs_keys.begin(),
                                         pairs_values.begin(), cuda::std::less<int>());
    CHECK(ends.first == pairs_keys.end());
    CHECK(ends.second == pairs_values.end());
    CHECK(pairs_keys.first_difference(seed_demo::pairs_keys_merged) == -1);
    CHECK(pairs_values.first_difference(seed_demo::pairs_values_merged) == -1);
  });
}
