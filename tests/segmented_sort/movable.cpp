// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Elements that cannot be copied as bytes.
#include "support/movable.h"

namespace {

using namespace test;

sorting<int> sorted_within(const segmentation& cut) {
  return {numbers_with_ties(static_cast<int>(cut.elements)), cut, cuda::std::less<>{}};
}

}  // namespace

TEST_CASE("strings, and elements that can only be moved, in segments and between them") {
  std::mt19937 random(81);
  unsigned seed = 0;
  for (const int size : {1, 100, 9'001, 40'000}) {
    for (const auto how : {sharing::one_long, sharing::zipf, sharing::hundreds}) {
      const auto cut = cut_of(lengths_of(how, size, random), gaps::everywhere, ++seed);
      const auto s = sorted_within(cut);
      for_each_executor([&](auto executor) {
        const segments_in<decltype(executor)> segments(cut);
        check_movable<segmented, std::string, only_moved>(executor, s, segments.begins_and_ends());
        check_movable<stable_segmented, only_moved, int>(executor, s, segments.begins_and_ends());
      });
    }
  }
}

TEST_CASE("no exception loses an element, nor does a comparator that is no order") {
  std::mt19937 random(82);
  const auto cut = cut_of(lengths_of(sharing::thousands, 30'000, random), gaps::everywhere, 3);
  const auto s = sorted_within(cut);
  for_each_executor([&](auto executor) {
    const segments_in<decltype(executor)> segments(cut);
    check_throwing_comparator<stable_segmented>(executor, s.keys, segments.begins_and_ends());
    check_throwing_moves<stable_segmented>(executor, s.keys, segments.begins_and_ends());
    check_no_order<stable_segmented>(executor, s.keys, segments.begins_and_ends());
    check_refused_memory<stable_segmented>(executor, s, segments.begins_and_ends());
  });
}

TEST_CASE("bad segments are told of, and each element is still there") {
  const auto numbers = numbers_with_ties(30'000);
  for_each_executor([&](auto executor) {
    auto keys = made_of<std::string>(numbers);
    const std::vector<int> bad{0, 20'000, 10'000, 30'000};
    CHECK_THROWS_AS(
        mgpu::segmented_sort(executor.policy(), keys.begin(), keys.end(), mgpu::segment_offsets(bad.begin(), 3)),
        std::invalid_argument);
    CHECK(numbers_of(keys) == numbers);
  });
}
