// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "keys.h"

#include <algorithm>
#include <random>
#include <vector>

namespace test {

/// How the keys of two sorted inputs lie to each other.
enum class pattern {
  random,    // many different keys
  few_keys,  // long runs in both inputs, across tile borders
  all_equal,
  a_first,  // every key of a before every key of b
  b_first,
  interleaved,  // a, b, a, b, ...
  runs,         // equal keys in runs of a length that fits no tile
};

inline constexpr pattern all_patterns[] = {pattern::random,  pattern::few_keys,    pattern::all_equal, pattern::a_first,
                                           pattern::b_first, pattern::interleaved, pattern::runs};

/// Ascending ranks in [0, rank_count) of input 0 or 1 with `count` of the `total` elements.
inline std::vector<int> sorted_ranks(pattern p, int side, int count, int total, int rank_count, std::mt19937& random) {
  std::vector<int> ranks(count);
  const auto draw = [&](int low, int high) {
    for (auto& r : ranks) r = std::uniform_int_distribution<int>(low, high - 1)(random);
  };
  const int half = rank_count / 2;
  switch (p) {
    case pattern::random: {  // by the gaps between the keys: much faster than a sort
      std::vector<double> places(static_cast<std::size_t>(count) + 1);
      double place = 0;
      for (auto& x : places) x = place += std::uniform_real_distribution<double>(0, 1)(random);
      for (int i = 0; i < count; ++i) ranks[i] = static_cast<int>(places[i] / place * (rank_count - 1));
      break;
    }
    case pattern::few_keys:
      draw(half, half + 5);
      break;
    case pattern::all_equal:
      std::fill(ranks.begin(), ranks.end(), half);
      break;
    case pattern::a_first:
      draw(side == 0 ? 0 : half, side == 0 ? half : rank_count);
      break;
    case pattern::b_first:
      draw(side == 1 ? 0 : half, side == 1 ? half : rank_count);
      break;
    case pattern::interleaved:
      for (int i = 0; i < count; ++i) {
        ranks[i] = static_cast<int>((2 * std::int64_t{i} + side) * (rank_count - 1) / (2 * std::int64_t{total}));
      }
      break;
    case pattern::runs:
      for (int i = 0; i < count; ++i) ranks[i] = std::min(i / (side == 0 ? 997 : 1201), rank_count - 1);
      break;
  }
  if (p != pattern::random) std::sort(ranks.begin(), ranks.end());
  return ranks;
}

/// The sorted keys of input 0 or 1. Their origins count the elements of a, then those of b.
template <class Key>
std::vector<Key> sorted_keys(pattern p, int side, int count, int other_count, std::mt19937& random) {
  const auto sorted = sorted_ranks(p, side, count, count + other_count, ranks<Key>, random);
  std::vector<Key> keys;
  keys.reserve(sorted.size());
  const int first_origin = side == 0 ? 0 : other_count;
  for (int i = 0; i < count; ++i) keys.push_back(make_key<Key>(sorted[i], first_origin + i));
  return keys;
}

template <class Value>
std::vector<Value> numbered_values(int first, int count) {
  std::vector<Value> values(count);
  for (int i = 0; i < count; ++i) values[i] = make_value<Value>(first + i);
  return values;
}

}  // namespace test
