// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Intervals of many kinds, and what they mean by definition.

#include <mgpu/base/math.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <random>
#include <vector>

namespace test {

using mgpu::offset;

/// How items are shared by intervals.
enum class sharing {
  ones,       // one item each
  all_empty,  // no items at all
  halves,     // random counts of mean 0.5
  tens,       // mean 10
  hundreds,
  thousands,
  zipf,         // a third is empty, most are short, few have most of the items
  one_long,     // one interval has all items
  long_inside,  // one interval between empty ones
  in_turn,      // 17 empty ones, 17 of one item, one of 700, ...
};

inline constexpr sharing all_sharings[] = {sharing::ones,        sharing::all_empty, sharing::halves, sharing::tens,
                                           sharing::hundreds,    sharing::thousands, sharing::zipf,   sharing::one_long,
                                           sharing::long_inside, sharing::in_turn};

/// The count of interval `number`, of intervals that have `size` items or less.
inline int draw_count(sharing s, int number, int size, std::mt19937& random) {
  const auto around = [&](double mean) { return std::geometric_distribution<int>(1 / (mean + 1))(random); };
  switch (s) {
    case sharing::ones:
      return 1;
    case sharing::all_empty:
      return 0;
    case sharing::halves:
      return around(0.5);
    case sharing::tens:
      return around(10);
    case sharing::hundreds:
      return around(100);
    case sharing::thousands:
      return around(1000);
    case sharing::zipf: {
      const double x = std::uniform_real_distribution<double>(0, 1)(random);
      return x < 1.0 / 3 ? 0 : static_cast<int>(std::min(std::pow((x - 1.0 / 3) * 1.5 + 1e-6, -1.0), 1e6));
    }
    case sharing::one_long:
      return size;
    case sharing::long_inside:
      return number == size / 3 ? size - 2 * (size / 3) : 0;
    case sharing::in_turn:
      return number % 35 < 17 ? 0 : number % 35 < 34 ? 1 : 700;
  }
  return 0;
}

/// Counts of intervals that, with their items, make up `size`.
inline std::vector<int> counts_of_size(sharing s, int size, std::mt19937& random) {
  std::vector<int> counts;
  for (int left = size; left > 0; left -= 1 + counts.back()) {
    counts.push_back(std::min(left - 1, draw_count(s, static_cast<int>(counts.size()), size, random)));
  }
  return counts;
}

inline offset total_of(const std::vector<int>& counts) {
  return std::accumulate(counts.begin(), counts.end(), offset{0});
}

/// The definition of an exclusive scan.
inline std::vector<offset> offsets_of(const std::vector<int>& counts) {
  std::vector<offset> offsets;
  offset begin = 0;
  for (const int count : counts) {
    offsets.push_back(begin);
    begin += count;
  }
  return offsets;
}

/// Calls f(item, interval, rank) for every item: the definition of intervals.
template <class F>
void for_each_item(const std::vector<int>& counts, const F& f) {
  offset item = 0;
  for (std::size_t interval = 0; interval < counts.size(); ++interval) {
    for (int rank = 0; rank < counts[interval]; ++rank) f(item++, interval, rank);
  }
}

/// Where the items of intervals are in an array.
enum class layout {
  in_order,
  permuted,     // the intervals in any order, one directly behind the other
  apart,        // the same with gaps
  overlapping,  // anywhere
};

struct placed {
  std::vector<offset> begins;  // [intervals]
  offset extent;               // the size of the array
};

/// Empty intervals have places too, anywhere.
inline placed place(layout l, const std::vector<int>& counts, std::mt19937& random) {
  if (l == layout::in_order) return {offsets_of(counts), total_of(counts)};
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) order.push_back(i);
  }
  std::shuffle(order.begin(), order.end(), random);
  placed result{std::vector<offset>(counts.size()), 0};
  for (const std::size_t interval : order) {
    if (l == layout::apart && random() % 2 == 0) result.extent += static_cast<offset>(random() % 23);
    result.begins[interval] = result.extent;
    result.extent += counts[interval];
  }
  if (l == layout::apart) result.extent += 9;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) {
      result.begins[i] = static_cast<offset>(i) * 7919 % (result.extent + 1);
    } else if (l == layout::overlapping) {
      result.begins[i] = std::uniform_int_distribution<offset>(0, result.extent - counts[i])(random);
    }
  }
  return result;
}

/// Many empty intervals in a row, and a few items before or behind them, or both, or none.
inline std::vector<std::vector<int>> counts_with_many_empty(int many) {
  const auto empty_between = [=](std::initializer_list<int> before, std::initializer_list<int> behind) {
    std::vector<int> counts(before);
    counts.insert(counts.end(), many, 0);
    counts.insert(counts.end(), behind);
    return counts;
  };
  return {empty_between({}, {}), empty_between({5, 1}, {}), empty_between({}, {700, 0, 3}), empty_between({40}, {1})};
}

}  // namespace test
