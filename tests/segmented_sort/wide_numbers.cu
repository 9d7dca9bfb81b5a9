// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Integers of 16 bytes: numbers, but wider than those that are sorted by their digits.
#include "support/check_sort.h"
#include "support/sort_patterns.h"
#include "support/sort_ways.h"

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
  const int multiprocessors = gpu().multiprocessors;
  for (const int share : {5, 757, 1515, 3030}) {
    const int count = share * multiprocessors;
    const bool suits_digits = share == 757 || share == 1515;  // so that tiles would sort segments by digits
    const int length = suits_digits ? 2000 : count / 100;
    const auto cut = cut_of(std::vector<int>(static_cast<std::size_t>(count / length), length));
    const auto elements = static_cast<int>(cut.elements);
    if (suits_digits) {
      const auto segments = segments_of_count(static_cast<offset>(cut.begins.size()));
      const mgpu::detail::tuning::small_segments of_digits{
          elements,
          mgpu::detail::plan::stretches_of(segments),
          sizeof(wide_integer),
          mgpu::detail::tuning::sort_small_tiles(90, {16, 0, 16}).items_per_tile(),
          mgpu::detail::tuning::sort_ranked_tiles(90, {16, 0, 16}).items_per_tile(),
          mgpu::detail::tuning::sort_digit_tiles(90, {16, 0, 16}).items_per_tile(),
          false,
          multiprocessors};
      REQUIRE(of_digits.tiles() == mgpu::detail::tuning::segment_tiles::by_digits);
      REQUIRE(way_of<wide_integer>(elements, segments, compare) == sort_way::in_small_tiles);
      CHECK(small_tiles_of<wide_integer>(elements, segments, compare).kind != tile_kind::by_digits);
    }
    const auto keys = wide_keys(elements, random);
    const sorting<wide_integer> in_segments(keys, cut, compare), whole(keys, one_segment(elements), compare);
    for_each_executor([&](auto executor) {
      INFO(elements, " keys");
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
