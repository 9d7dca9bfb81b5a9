// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/tile/load_balance.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using mgpu::offset;
using mgpu::detail::tile::interval_range;

namespace {

/// Calls f(counts) for every sequence of at most six counts from 0 to 3.
template <class F>
void for_each_sequence_of_counts(const F& f) {
  for (int length = 0; length <= 6; ++length) {
    for (int number = 0; number < 1 << 2 * length; ++number) {
      std::vector<int> counts;
      for (int i = 0; i < length; ++i) counts.push_back(number >> 2 * i & 3);
      f(counts);
    }
  }
}

/// Intervals among the first `diagonal` intervals and items, each interval before its items: by definition, for every
/// diagonal.
std::vector<offset> splits_by_definition(const std::vector<int>& counts) {
  std::vector<offset> splits{0};
  for (const int count : counts) {
    splits.push_back(splits.back() + 1);
    splits.insert(splits.end(), static_cast<std::size_t>(count), splits.back());
  }
  return splits;
}

template <class Offset>
std::vector<Offset> offsets_of(const std::vector<int>& counts) {
  std::vector<Offset> offsets;
  Offset begin = 0;
  for (const int count : counts) {
    offsets.push_back(begin);
    begin = static_cast<Offset>(begin + static_cast<Offset>(count));
  }
  return offsets;
}

template <class Offset>
bool finds_every_split(const std::vector<int>& counts) {
  const auto offsets = offsets_of<Offset>(counts);
  const auto splits = splits_by_definition(counts);
  const auto count = static_cast<offset>(counts.size()), size = static_cast<offset>(splits.size()) - 1;
  for (offset diagonal = 0; diagonal <= size; ++diagonal) {
    const mgpu::detail::tile::load_balance_path path{offsets.data(), count, size - count, diagonal};
    const offset split = path.split();
    if (split != splits[static_cast<std::size_t>(diagonal)]) return false;
    if (split < path.low() || split > path.high()) return false;
  }
  return true;
}

/// Offsets in no memory that note where they are read.
struct watched_offsets {
  const std::vector<offset>& offsets;
  int& strays;
  offset operator[](offset i) const {
    const bool is_offset = i >= 0 && i < static_cast<offset>(offsets.size());
    strays += !is_offset;
    return is_offset ? offsets[static_cast<std::size_t>(i)] : 0;
  }
};

/// Intervals of `each` items, as many as one likes.
struct regular_offsets {
  offset each;
  offset operator[](offset i) const { return i * each; }
};

}  // namespace

TEST_CASE("load_balance_path splits every diagonal of every short sequence of counts") {
  int sequences = 0;
  for_each_sequence_of_counts([&](const std::vector<int>& counts) {
    CHECK(finds_every_split<offset>(counts));
    CHECK(finds_every_split<int>(counts));
    CHECK(finds_every_split<unsigned>(counts));
    CHECK(finds_every_split<std::uint64_t>(counts));
    ++sequences;
  });
  CHECK(sequences == 1 + 4 + 16 + 64 + 256 + 1024 + 4096);
}

TEST_CASE("interval_range between any two diagonals has what is between them") {
  for_each_sequence_of_counts([](const std::vector<int>& counts) {
    const auto splits = splits_by_definition(counts);
    const auto size = static_cast<offset>(splits.size()) - 1;
    for (offset first = 0; first <= size; ++first) {
      for (offset last = first; last <= size; ++last) {
        const offset first_split = splits[static_cast<std::size_t>(first)],
                     last_split = splits[static_cast<std::size_t>(last)];
        const auto range = interval_range::between(first, last, first_split, last_split);
        bool is_right = range.is_consistent && range.interval_begin == first_split && range.interval_end == last_split;
        is_right = is_right && range.item_begin == first - first_split && range.item_end == last - last_split;
        is_right = is_right && range.interval_count() + range.item_count() == last - first;
        is_right = is_right && range.interval_count() >= 0 && range.item_count() >= 0;
        if (!is_right) FAIL_CHECK("the range from ", first, " to ", last, " of ", counts.size(), " intervals");
      }
    }
  });
}

TEST_CASE("interval_range between contradictory splits is not consistent, and between all others is") {
  // Between 10 and 20 there are at most 10 intervals, and not fewer than none.
  for (offset first_split = 0; first_split <= 10; ++first_split) {
    for (offset last_split = 0; last_split <= 20; ++last_split) {
      const bool ascends = last_split >= first_split, fits = last_split - first_split <= 10;
      CHECK(interval_range::between(10, 20, first_split, last_split).is_consistent == (ascends && fits));
    }
  }
  const offset far = offset{1} << 60;
  CHECK(interval_range::between(far, far + 5, far - 7, far - 2).is_consistent);
  CHECK(interval_range::between(far, far + 5, far - 7, far - 7).is_consistent);
  CHECK_FALSE(interval_range::between(far, far + 5, far - 7, far - 1).is_consistent);
  CHECK_FALSE(interval_range::between(far, far + 5, far - 7, far - 8).is_consistent);
  CHECK(interval_range::between(0, 0, 0, 0).is_consistent);
}

TEST_CASE("load_balance_path reads offsets only and splits within its range, whatever the offsets are") {
  std::mt19937_64 random(3);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const offset count = static_cast<offset>(random() % 20), items = static_cast<offset>(random() % 40);
    std::vector<offset> offsets(static_cast<std::size_t>(count));
    for (auto& x : offsets) {
      x = repeat % 2 == 0 ? static_cast<offset>(random() % 60) - 10 : static_cast<offset>(random());
      if (repeat % 5 == 0 && random() % 4 == 0) x = std::numeric_limits<offset>::min();
      if (repeat % 5 == 1 && random() % 4 == 0) x = std::numeric_limits<offset>::max();
    }
    int strays = 0;
    for (offset diagonal = 0; diagonal <= count + items; ++diagonal) {
      const mgpu::detail::tile::load_balance_path<watched_offsets> path{{offsets, strays}, count, items, diagonal};
      const offset split = path.split();
      CHECK(split >= std::max<offset>(0, diagonal - items));
      CHECK(split <= std::min(diagonal, count));
    }
    CHECK(strays == 0);
  }
}

TEST_CASE("load_balance_path of more than 2^40 intervals and items") {
  std::mt19937_64 random(4);
  for (const offset each : {offset{0}, offset{1}, offset{3}, offset{1} << 20, (offset{1} << 41) + 7}) {
    const offset count = each > 1000 ? 50'000 : (offset{1} << 41) + 12345, size = count + count * each;
    for (int repeat = 0; repeat < 2000; ++repeat) {
      const offset near = static_cast<offset>(random() % 50);
      const offset diagonal = repeat % 3 == 0   ? near
                              : repeat % 3 == 1 ? size - near
                                                : static_cast<offset>(random() % (size + 1));
      const mgpu::detail::tile::load_balance_path path{regular_offsets{each}, count, count * each, diagonal};
      CHECK(path.split() == (diagonal + each) / (each + 1));
    }
  }
}
