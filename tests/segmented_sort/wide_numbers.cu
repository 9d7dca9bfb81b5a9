// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Integers of 16 bytes: numbers, but wider than those that are sorted by their digits.
#include "support/check_sort.h"
#include "support/sort_patterns.h"

#include <cstdint>
#include <random>
#include <vector>

namespace {

using namespace test;

/// Keys whose upper halves decide, of both signs and with many ties.
std::vector<wide_integer> wide_keys(int count, std::mt19937& random) {
  std::vector<wide_integer> keys(static_cast<std::size_t>(count));
  for (wide_integer& key : keys) {
    const auto upper = static_cast<std::int64_t>(random() % 1000) - 500;
    key = upper * (wide_integer{1} << 64) + static_cast<std::int64_t>(random() % 2 == 0 ? 7 : random());
  }
  return keys;
}

template <class Compare>
void check_wide(const Compare& compare) {
  std::mt19937 random(35);
  for (const int count : {700, 100'000, 200'000, 400'000}) {
    const int length = count == 100'000 ? 2000 : count / 100;  // so that tiles would sort segments by digits
    const auto cut = cut_of(std::vector<int>(static_cast<std::size_t>(count / length), length));
    if (count == 100'000 || count == 200'000) {
      constexpr mgpu::detail::tuning::sort_case c{sizeof(wide_integer), 0, sizeof(wide_integer)};
      REQUIRE(
          mgpu::detail::tuning::are_few_digit_segments(static_cast<offset>(cut.begins.size()) + 2, count, c.key_bytes));
      REQUIRE(count <= mgpu::detail::tuning::most_segmented_items_of_few_tiles(c));
    }
    const auto keys = wide_keys(count, random);
    const sorting<wide_integer> in_segments(keys, cut, compare), whole(keys, one_segment(count), compare);
    for_each_executor([&](auto executor) {
      INFO(count, " keys");
      const segments_in<decltype(executor)> segments(cut);
      check_keys<segmented>(executor, in_segments, segments.offsets(), compare, 1);
      check_pairs<stable_segmented>(executor, in_segments, numbers_below(keys.size()), segments.offsets(), compare, 3);
      check_keys<local>(executor, whole, whole_array, compare, 1);
    });
  }
}

}  // namespace

TEST_CASE("integers of 16 bytes in segments") {
  check_wide(cuda::std::less<>{});
  if constexpr (has_more_kinds) check_wide(cuda::std::greater<>{});
}
