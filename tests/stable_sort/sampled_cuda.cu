// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// stable_sort of arrays of middle size: on the GPU samples of sorted runs tell where merges are split.
#include "check_stable_sort.h"
#include "support/orders.h"
#include "support/sort_checks.h"
#include "support/sort_ways.h"
#include "support/unsorted.h"

using namespace test;

namespace {

/// Sizes at which this way begins and ends, with which a pass has full groups or not, and which take three passes.
template <class Key, class Value = keys_alone, class Compare>
std::vector<int> middle_sizes(const Compare& compare) {
  const auto way = [&](offset count) { return way_of<Key, Value>(count, any_array{}, compare); };
  const count_range range = counts_of(sort_way::by_samples, way);
  constexpr mgpu::detail::tuning::sort_case c = mgpu::detail::core::sort_case<Key, Value>();
  const int tile = mgpu::detail::tuning::sort_sampled_tiles(gpu().cc, c).items_per_tile();
  const int first = static_cast<int>(range.first), last = static_cast<int>(range.last);
  const int group = std::max(first / (16 * tile) + 1, 2) * 16 * tile;
  REQUIRE(first > 1);
  REQUIRE(group + 130 < last);
  if (takes_few_cases()) return {first, group + 130};
  return {first - 1, first, first + 1, group - 1, group, group + 130, last, last + 1};
}

/// Numbers in their natural order, of 8 bytes: narrower ones are sorted by their digits.
template <class Key, class Value, class Compare>
void check_natural_order(const Compare& compare) {
  std::mt19937 random(85);
  for (const int size : middle_sizes<Key>(compare)) check_stable_keys(random_numbers<Key>(size, random), compare);
  for (const int size : middle_sizes<Key, Value>(compare))
    check_stable_pairs<Value>(random_numbers<Key>(size, random), compare);
}

}  // namespace

TEST_CASE_TEMPLATE("arrays of middle size, in every kind of disorder and of elements of several sizes", Pair,
                   pair_of<key12, std::uint32_t>, pair_of<opaque, std::int32_t>,
                   pair_of<key32, value_bytes<12>> MGPU_TEST_MORE(pair_of<key16, value_bytes<16>>,
                                                                  pair_of<wide_key<40>, float>)) {
  using key = typename Pair::key;
  using value = typename Pair::value;
  const less_of<key> compare;
  std::mt19937 random(81);
  int number = 0;
  for (const int size : middle_sizes<key, value>(compare)) {
    ++number;
    const auto drawn = disordered_ranks(all_disorders[number % 8], size, ranks<key>, random);
    check_stable_pairs<value>(keys_of_ranks<key>(drawn), compare);
  }
}

TEST_CASE("arrays of numbers of middle size by a comparator of the caller") {
  std::mt19937 random(82);
  int number = 0;
  const auto for_each_array = [&](const std::vector<int>& sizes, const auto& check) {
    for (const int size : sizes) {
      for (const auto d : all_disorders) {
        ++number;
        if (number % (takes_few_cases() ? 5 : 3) == 0) check(disordered_keys<std::uint32_t>(d, size, random));
      }
    }
  };
  const less_shifted shifted(77, 0.25);
  for_each_array(middle_sizes<std::uint32_t>(shifted), [&](const auto& keys) { check_stable_keys(keys, shifted); });
  for_each_array(middle_sizes<std::uint32_t, int>(test::greater{}),
                 [](const auto& keys) { check_stable_pairs<int>(keys, test::greater{}); });
}

TEST_CASE("arrays of numbers of 8 bytes of middle size: zeros of both signs keep their order") {
  check_natural_order<double, std::uint32_t>(cuda::std::less<>{});
  if constexpr (has_more_kinds) check_natural_order<std::int64_t, value_bytes<12>>(cuda::std::greater<>{});
}

TEST_CASE("arrays of middle size by a comparator that is no order hold elements of theirs, and pairs stay together") {
  std::mt19937 random(83);
  const auto draw_floats = [&](int size) {
    std::vector<float> floats;
    for (int i = 0; i < size; ++i) {
      floats.push_back(random() % 3 == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random() % 99));
    }
    return floats;
  };
  const auto check = [](const auto& keys, const auto& compare) {
    for_each_executor([&](auto executor) {
      check_permutes<stable_whole, remains::some>(executor, executor.policy(), keys,
                                                  one_segment(static_cast<offset>(keys.size())), whole_array, compare,
                                                  [](const auto& f) { f(); });
    });
  };
  // Pairs end this way sooner.
  for (const int size : middle_sizes<std::uint32_t, int>(answer_at_random{})) {
    check(random_bytes<std::uint32_t>(size, random), answer_at_random{});
    check(draw_floats(size), test::greater{});
  }
  for (const int size : middle_sizes<double, int>(cuda::std::less<>{}))
    check(random_bytes<double>(size, random), cuda::std::less<>{});
}
