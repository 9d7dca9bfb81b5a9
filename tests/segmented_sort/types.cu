// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys and values of many types, comparators of every kind.
#include "support/sort_checks.h"

namespace {

using namespace test;

/// Calls f(ranks, cut, number) for ranks in [0, rank_count) and segments of many kinds.
template <class F>
void for_each_array(int rank_count, const F& f) {
  std::mt19937 random(static_cast<unsigned>(rank_count));
  int number = 0;
  for (const int size : {1, 33, 1999, 9'001, 70'001}) {
    for (const auto s : {sharing::one_long, sharing::zipf, sharing::hundreds}) {
      ++number;
      if (takes_few_cases() && number % 4 != 3) continue;
      const auto cut = cut_of(lengths_of(s, size, random), static_cast<gaps>(number / 3 % 2));
      const auto d = number % 3 == 0 ? disorder::few_keys : number % 5 == 0 ? disorder::reversed : disorder::random;
      f(disordered_ranks(d, static_cast<int>(cut.elements), rank_count, random), cut, number);
    }
  }
}

/// Sorts ints by a comparator, stably and with their numbers.
template <class Compare, class HostCompare>
void check_order(const Compare& compare, const HostCompare& host_compare) {
  for_each_array(10'000, [&](const std::vector<int>& ranks, const segmentation& cut, int number) {
    std::vector<std::int32_t> keys;
    for (const int rank : ranks) keys.push_back(rank - 5'000);
    const sorting s(keys, cut, host_compare);
    for_each_executor([&](auto executor) {
      const segments_in<decltype(executor)> segments(cut, number);
      check_pairs<stable_segmented>(executor, s, numbers_below(keys.size()), segments.offsets(), compare);
    });
  });
}

/// Keys alone by one of the functions, with values by another.
template <class OfKeys, class OfPairs, class Pair>
void check_sizes() {
  using key = typename Pair::key;
  const less_of<key> less;
  for_each_array(ranks<key>, [&](const std::vector<int>& ranks, const segmentation& cut, int number) {
    const auto keys = keys_of_ranks<key>(ranks);
    const auto values = values_for<typename Pair::value>(keys.size());
    const sorting s(keys, cut, less);
    for_each_executor([&](auto executor) {
      const segments_in<decltype(executor)> segments(cut, number);
      check_keys<OfKeys>(executor, s, segments.offsets(), less, number % 4);
      check_pairs<OfPairs>(executor, s, values, segments.offsets(), less, number % 16);
    });
  });
}

struct order_check {
  template <class Compare, class HostCompare>
  void operator()(const Compare& compare, const HostCompare& host_compare) const {
    check_order(compare, host_compare);
  }
};

}  // namespace

TEST_CASE_TEMPLATE("keys and values of every size", Pair, pair_of<std::uint8_t, std::uint8_t>,
                   pair_of<double, value_bytes<16>>, pair_of<opaque, float>,
                   pair_of<wide_key<40>, std::uint16_t> MGPU_TEST_MORE(
                       pair_of<std::uint32_t, std::int32_t>, pair_of<float, value_bytes<12>>,
                       pair_of<key12, std::uint32_t>, pair_of<std::int16_t, std::int16_t>,
                       pair_of<std::int64_t, std::int64_t>, pair_of<key16, value_bytes<64>>)) {
  check_sizes<segmented, stable_segmented, Pair>();
}

TEST_CASE_TEMPLATE("keys alone, stably, and pairs, in any order of ties", Pair,
                   pair_of<key12, std::uint8_t> MGPU_TEST_MORE(pair_of<opaque, std::int64_t>,
                                                               pair_of<std::uint8_t, value_bytes<64>>,
                                                               pair_of<wide_key<40>, value_bytes<12>>)) {
  check_sizes<stable_segmented, segmented, Pair>();
}

TEST_CASE("greater of the library, and of a test") { check_descending_orders(order_check{}); }

TEST_CASE("comparators with state, without a default constructor, of the executor's side only") {
  check_unusual_comparators(order_check{});
}

TEST_CASE("lambdas with and without captures") { check_lambdas(order_check{}); }

TEST_CASE("an order that a table in the executor's memory says") {
  const auto place = permuted_bytes();
  for_each_array(256, [&](const std::vector<int>& ranks, const segmentation& cut, int number) {
    const std::vector<std::uint8_t> keys(ranks.begin(), ranks.end());
    const sorting s(keys, cut, less_by_table{place.data()});
    for_each_executor([&](auto executor) {
      const input<decltype(executor), int> table(place);
      const segments_in<decltype(executor)> segments(cut, number);
      check_pairs<stable_segmented>(executor, s, numbers_below(keys.size()), segments.offsets(),
                                    less_by_table{table.begin()});
      CHECK(table.unchanged());
    });
  });
}

TEST_CASE("elements over 1 KiB, of which a tile of the GPU has no room") {
  const cuda::std::less<> less;
  std::mt19937 random(83);
  unsigned number = 0;
  for (const int size : {1, 33, 700, 5'000}) {
    const auto cut = cut_of(lengths_of(sharing::zipf, size, random), gaps::everywhere, ++number);
    const auto drawn = disordered_ranks(disorder::random, static_cast<int>(cut.elements), size, random);
    const sorting keys(keys_of_ranks<wide_key<1040>>(drawn), cut, less);
    const sorting halves(keys_of_ranks<wide_key<800>>(drawn), cut, less);
    const auto values = values_for<value_bytes<800>>(drawn.size());
    for_each_executor([&](auto executor) {
      const segments_in<decltype(executor)> segments(cut);
      check_keys<segmented>(executor, keys, segments.begins_and_ends(), less);
      check_pairs<stable_segmented>(executor, halves, values, segments.begins_and_ends(), less);
    });
  }
}
