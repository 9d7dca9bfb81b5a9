// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the tests of merges of runs share: runs of many kinds, and where their stable merge is split.

#include "blocks.h"
#include "support/keys.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace test {

/// How keys of runs lie to each other.
enum class key_pattern { random, few, equal, in_order, reversed, one_stray };
inline constexpr key_pattern key_patterns[]{key_pattern::random,   key_pattern::few,      key_pattern::equal,
                                            key_pattern::in_order, key_pattern::reversed, key_pattern::one_stray};

/// Lengths of `ways` runs with `total` elements in all: alike, skewed, with empty runs, one run alone.
inline std::vector<std::vector<int>> kinds_of_lengths(int ways, int total) {
  std::vector<std::vector<int>> kinds(5, std::vector<int>(ways, 0));
  for (int w = 0; w < ways; ++w) {
    kinds[0][w] = total / ways + (w < total % ways ? 1 : 0);
    if (w > 0) kinds[1][w] = std::min(w % 4, total / (4 * ways));
    if (w % 3 == 1) kinds[2][w] = total / ways * (1 + w % 2) / 2;
  }
  kinds[1][0] = total - std::accumulate(kinds[1].begin(), kinds[1].end(), 0);
  kinds[2][ways - 1] += total - std::accumulate(kinds[2].begin(), kinds[2].end(), 0);
  kinds[3][ways / 2] = total;
  int left = total;
  for (int w = ways - 1; w > 0; left -= kinds[4][w--]) kinds[4][w] = left / 2;
  kinds[4][0] = left;
  return kinds;
}

/// Sorted runs, one behind the other, as ranks of keys.
struct sorted_runs {
  std::vector<int> bounds{0};  // of run r: [bounds[r], bounds[r + 1])
  std::vector<int> ranks;

  sorted_runs(const std::vector<int>& lengths, key_pattern pattern, int end_rank, unsigned seed) {
    for (const int length : lengths) bounds.push_back(bounds.back() + length);
    const int few = std::min(3, end_rank), most = pattern == key_pattern::few ? few : end_rank;
    ranks = random_numbers<int>(static_cast<std::size_t>(bounds.back()), 0, most - 1, seed);
    if (pattern == key_pattern::equal) std::fill(ranks.begin(), ranks.end(), end_rank / 2);
    if (pattern == key_pattern::in_order || pattern == key_pattern::one_stray) std::sort(ranks.begin(), ranks.end());
    if (pattern == key_pattern::one_stray && !ranks.empty()) ranks.back() = 0;
    if (pattern == key_pattern::reversed) std::sort(ranks.rbegin(), ranks.rend());
    for (std::size_t r = 0; r + 1 < bounds.size(); ++r) {
      std::sort(ranks.begin() + bounds[r], ranks.begin() + bounds[r + 1]);
    }
  }

  int count() const { return static_cast<int>(bounds.size()) - 1; }
  int size() const { return bounds.back(); }

  template <class Key>
  std::vector<Key> keys() const {
    std::vector<Key> result;
    for (int i = 0; i < size(); ++i) result.push_back(make_key<Key>(ranks[i], i));
    return result;
  }
  /// The places of the elements in the order of their stable merge.
  std::vector<int> merged_places() const {
    std::vector<int> places(ranks.size());
    std::iota(places.begin(), places.end(), 0);
    std::stable_sort(places.begin(), places.end(), [&](int x, int y) { return ranks[x] < ranks[y]; });
    return places;
  }
  /// For each diagonal of the merge how many elements of each run go before it.
  std::vector<std::vector<int>> all_splits() const {
    std::vector<std::vector<int>> result(1, std::vector<int>(static_cast<std::size_t>(count()), 0));
    for (const int place : merged_places()) {
      result.push_back(result.back());
      ++result.back()[run_of(place)];
    }
    return result;
  }
  int run_of(int place) const {
    return static_cast<int>(std::upper_bound(bounds.begin(), bounds.end(), place) - bounds.begin()) - 1;
  }
};

/// Some runs of an array, as searches see them.
template <class Key>
struct runs_of_array {
  const Key* array;
  const int* bounds;  // [count + 1]
  int count;

  __device__ offset number() const { return 0; }
  __device__ int runs() const { return count; }
  __device__ offset size() const { return bounds[count] - bounds[0]; }
  __device__ offset place(int run) const { return bounds[run < count ? run : count]; }
  __device__ offset length(int run) const { return place(run + 1) - place(run); }
  __device__ const Key* keys(int run) const { return array + place(run); }
  __device__ const Key* keys_at(int, offset place) const { return array + place; }
};

/// Some of the diagonals [0, size], at most about `most`.
inline std::vector<offset> some_diagonals(int size, int most) {
  std::vector<offset> result;
  for (int d = 0; d < size; d += 1 + size / most) result.push_back(d);
  for (int d = std::max(0, size - 3); d <= size; ++d) result.push_back(d);
  return result;
}

}  // namespace test
