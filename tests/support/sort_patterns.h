// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Keys in every kind of disorder.

#include "executors.h"
#include "keys.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

namespace test {

enum class disorder {
  random,    // many different keys
  few_keys,  // five keys, of which neighbours have two
  all_equal,
  sorted,
  reversed,
  sawtooth,    // ascending runs of a length that fits no tile
  two_halves,  // each sorted
  blocks,      // in blocks of a length that fits no tile, each below the one before
};

inline constexpr disorder all_disorders[] = {disorder::random,     disorder::few_keys, disorder::all_equal,
                                             disorder::sorted,     disorder::reversed, disorder::sawtooth,
                                             disorder::two_halves, disorder::blocks};

/// Ranks in [0, rank_count) of `count` elements.
inline std::vector<int> disordered_ranks(disorder d, int count, int rank_count, std::mt19937& random) {
  const auto draw = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high - 1)(random); };
  const auto scaled = [&](int i, int of) {
    return static_cast<int>(std::int64_t{i} * (rank_count - 1) / std::max(1, of));
  };
  std::vector<int> ranks(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const auto rank = [&] {
      switch (d) {
        case disorder::random:
          return draw(0, rank_count);
        case disorder::few_keys:
          return rank_count / 2 + i / 1000 % 4 + draw(0, 2);
        case disorder::all_equal:
          return rank_count / 2;
        case disorder::sorted:
          return scaled(i, count);
        case disorder::reversed:
          return scaled(count - 1 - i, count);
        case disorder::sawtooth:
          return scaled(i % 1201, 1201);
        case disorder::two_halves:
          return scaled(i < count / 2 ? 2 * i : 2 * (i - count / 2) + 1, count);
        case disorder::blocks:
          return scaled((count - 1 - i) / 997 * 997 + i % 997, count + 1994);
      }
      return 0;
    };
    ranks[static_cast<std::size_t>(i)] = rank();
  }
  return ranks;
}

/// i + a random number of [0, distance] for every i, as the published demonstrations of locality sort have it.
inline std::vector<int> ranks_near_place(int count, int distance, std::mt19937& random) {
  std::vector<int> ranks(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    ranks[static_cast<std::size_t>(i)] = i + std::uniform_int_distribution<int>(0, distance)(random);
  }
  return ranks;
}

/// Keys whose origins are their numbers.
template <class Key>
std::vector<Key> keys_of_ranks(const std::vector<int>& ranks) {
  std::vector<Key> keys;
  keys.reserve(ranks.size());
  for (const int rank : ranks) keys.push_back(make_key<Key>(rank, static_cast<int>(keys.size())));
  return keys;
}

template <class Key>
std::vector<Key> disordered_keys(disorder d, int count, std::mt19937& random) {
  return keys_of_ranks<Key>(disordered_ranks(d, count, ranks<Key>, random));
}

/// Random bits, but no NaNs. Every other key is one of four, zeros of both signs among them.
template <class Key>
std::vector<Key> random_numbers(int count, std::mt19937& random) {
  std::vector<Key> keys(static_cast<std::size_t>(count));
  for (Key& key : keys) {
    const std::uint64_t bits = std::uint64_t{random()} << 32 | random();
    std::memcpy(&key, &bits, sizeof(Key));
    if (key != key || random() % 2 == 0) key = Key(random() % 2);
    if (std::is_floating_point_v<Key> && random() % 8 == 0) key = -Key(0);
  }
  return keys;
}

/// Sizes around that of a tile and its multiples.
inline std::vector<int> sizes_around_sort_tile(int tile) {
  return {tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1, 3 * tile + 17, 4 * tile, 5 * tile - 3};
}

}  // namespace test
