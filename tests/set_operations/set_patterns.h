// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/patterns.h"

#include <algorithm>
#include <random>
#include <vector>

namespace test {

/// What two sorted inputs of a set operation have in common.
enum class overlap {
  some,      // about as many keys as elements: some in one input, some in both, some repeated
  few_keys,  // long runs in both inputs, across tile borders
  all_equal,
  a_first,   // every key of a before every key of b
  b_first,   // every key of b before every key of a
  disjoint,  // a, b, a, b, ...
  same,
  same_after_one,  // the same after a first one of a: diagonals that were even are odd, and starred
  runs,            // equal keys in runs of a length that fits no tile
  lone_runs,       // keys that one input has 701 times and the other once
};

inline constexpr overlap all_overlaps[] = {
    overlap::some,     overlap::few_keys, overlap::all_equal,      overlap::a_first, overlap::b_first,
    overlap::disjoint, overlap::same,     overlap::same_after_one, overlap::runs,    overlap::lone_runs};

/// Those without equal keys in one input.
inline constexpr overlap unique_overlaps[] = {overlap::some,     overlap::a_first, overlap::b_first,
                                              overlap::disjoint, overlap::same,    overlap::same_after_one};

/// Ascending ranks in [0, rank_count) of input 0 or 1.
inline std::vector<int> overlapping_ranks(overlap o, int side, int count, int other_count, int rank_count,
                                          std::mt19937& random) {
  const int total = count + other_count;
  const auto sorted = [&](pattern p) { return sorted_ranks(p, side, count, total, rank_count, random); };
  const auto by_place = [&](auto rank_at) {
    std::vector<int> ranks(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) ranks[i] = std::min(rank_at(i), rank_count - 1);
    return ranks;
  };
  switch (o) {
    case overlap::some:
      return sorted_ranks(pattern::random, side, count, total, std::min(rank_count, total + 1), random);
    case overlap::few_keys:
      return sorted(pattern::few_keys);
    case overlap::all_equal:
      return sorted(pattern::all_equal);
    case overlap::a_first:
      return sorted(pattern::a_first);
    case overlap::b_first:
      return sorted(pattern::b_first);
    case overlap::disjoint:
      return by_place([side](int i) { return 2 * i + side; });
    case overlap::same:
      return by_place([](int i) { return i; });
    case overlap::same_after_one:
      return by_place([side](int i) { return i + side; });
    case overlap::runs:
      return sorted(pattern::runs);
    case overlap::lone_runs:
      return by_place([side](int i) { return i / 702 * 2 + (side == 0 ? i % 702 == 701 : i % 702 != 0); });
  }
  return {};
}

/// overlapping_ranks without equal ones. Requires rank_count >= 2 * (count + other_count).
inline std::vector<int> unique_ranks(overlap o, int side, int count, int other_count, std::mt19937& random) {
  std::vector<int> ranks(static_cast<std::size_t>(count));
  const bool is_last = o == overlap::a_first ? side == 1 : o == overlap::b_first && side == 0;
  int rank = is_last ? other_count : 0;
  for (int i = 0; i < count; ++i) {
    if (o == overlap::some) ranks[i] = rank += 1 + static_cast<int>(random() % 2);
    else if (o == overlap::disjoint) ranks[i] = 2 * i + side;
    else if (o == overlap::same_after_one) ranks[i] = i + side;
    else ranks[i] = rank + i;
  }
  return ranks;
}

/// The keys of these ranks. Their origins count the elements of a, then those of b.
template <class Key>
std::vector<Key> keys_of_ranks(const std::vector<int>& ranks, int first_origin) {
  std::vector<Key> keys;
  keys.reserve(ranks.size());
  for (const int rank : ranks) keys.push_back(make_key<Key>(rank, first_origin + static_cast<int>(keys.size())));
  return keys;
}

template <class Key>
struct two_inputs {
  std::vector<Key> a, b;
};

template <class Key>
two_inputs<Key> overlapping_keys(overlap o, int a_count, int b_count, std::mt19937& random) {
  return {keys_of_ranks<Key>(overlapping_ranks(o, 0, a_count, b_count, ranks<Key>, random), 0),
          keys_of_ranks<Key>(overlapping_ranks(o, 1, b_count, a_count, ranks<Key>, random), a_count)};
}

template <class Key>
two_inputs<Key> unique_keys(overlap o, int a_count, int b_count, std::mt19937& random) {
  return {keys_of_ranks<Key>(unique_ranks(o, 0, a_count, b_count, random), 0),
          keys_of_ranks<Key>(unique_ranks(o, 1, b_count, a_count, random), a_count)};
}

}  // namespace test
