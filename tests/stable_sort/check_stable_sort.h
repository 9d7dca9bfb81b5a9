// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// stable_sort and stable_sort_by_key on raw pointers against std::stable_sort.

#include "support/check_sort.h"
#include "support/sort_patterns.h"

#include <mgpu/sort.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

namespace test {

/// Takes segments, as the other sorts do: whole_array.
struct stable_whole {
  inline static const std::string name = "stable_sort";
  static constexpr bool is_stable = true;

  template <class Policy, class Keys, class Segments, class Compare>
  static void sort(const Policy& policy, Keys first, Keys last, const Segments&, const Compare& compare) {
    mgpu::stable_sort(policy, first, last, compare);
  }
  template <class Policy, class Keys, class Values, class Segments, class Compare>
  static void sort_by_key(const Policy& policy, Keys first, Keys last, Values values, const Segments&,
                          const Compare& compare) {
    mgpu::stable_sort_by_key(policy, first, last, values, compare);
  }
};

/// Sizes of arrays of no, one and several tiles, and more than a radix sort's block takes.
inline std::vector<int> stable_sort_sizes() {
  const int tile = sort_tile_alone();
  return {0, 1, 2, 33, 1000, tile - 1, tile, tile + 1, 40'000, takes_few_cases() ? 70'001 : 300'007};
}

/// Random bits as keys. Every bit counts.
template <class Key>
std::vector<Key> keys_of_bits(int count, std::mt19937& random) {
  std::vector<Key> keys(static_cast<std::size_t>(count));
  for (Key& key : keys) {
    const std::uint64_t bits = std::uint64_t{random()} << 32 | random();
    std::memcpy(static_cast<void*>(&key), &bits, sizeof(Key));
  }
  return keys;
}

/// Keys alone and with values, on every executor.
template <class Key, class Compare>
void check_stable_keys(const std::vector<Key>& keys, const Compare& compare) {
  const sorting<Key> s(keys, one_segment(static_cast<offset>(keys.size())), compare);
  for_each_executor([&](auto executor) { check_keys<stable_whole>(executor, s, whole_array, compare, 1); });
}
template <class Value, class Key, class Compare>
void check_stable_pairs(const std::vector<Key>& keys, const Compare& compare) {
  const sorting<Key> s(keys, one_segment(static_cast<offset>(keys.size())), compare);
  std::vector<Value> values;
  for (std::size_t i = 0; i < keys.size(); ++i) values.push_back(make_value<Value>(static_cast<int>(i)));
  for_each_executor([&](auto executor) { check_pairs<stable_whole>(executor, s, values, whole_array, compare, 5); });
}

}  // namespace test
