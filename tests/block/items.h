// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the tests of the blocks' sorts share: items of numbers, alone or with their places, and their order.

#include "blocks.h"

#include <mgpu/base/order.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

namespace test {

/// A number and the place of its element, which shows whether a sort is stable.
template <class Key, class Place>
struct placed {
  Key key;
  Place place;
};
template <class Item>
struct key_of_item {
  using type = Item;
};
template <class Key, class Place>
struct key_of_item<placed<Key, Place>> {
  using type = Key;
};

/// Ascending numbers, as the blocks' sorts ask for them.
template <class Item>
struct item_order {
  using key = typename key_of_item<Item>::type;
  using order = mgpu::detail::base::number_order<key, true>;
  using key_bits = mgpu::detail::base::ordered_bits<order>;

  static MGPU_HOST_DEVICE key of(const key& x) { return x; }
  template <class Place>
  static MGPU_HOST_DEVICE key of(const placed<key, Place>& x) {
    return x.key;
  }
  MGPU_HOST_DEVICE bool operator()(const Item& x, const Item& y) const { return order{}(of(x), of(y)); }
  static __device__ auto bits(const Item& x) { return key_bits::of(of(x)); }
  template <class T>
  static MGPU_HOST_DEVICE constexpr T last() {
    return static_cast<T>(~T{0} & ~(T(-1) < T{0} ? T{1} << (8 * sizeof(T) - 1) : T{0}));
  }
};

/// How the keys of a tile lie to each other.
enum class tile_pattern { random, few, equal, ascending, descending, high_bits, low_bits };
inline constexpr tile_pattern tile_patterns[]{
    tile_pattern::random,     tile_pattern::few,       tile_pattern::equal,   tile_pattern::ascending,
    tile_pattern::descending, tile_pattern::high_bits, tile_pattern::low_bits};

template <class Item>
std::vector<Item> make_items(int count, tile_pattern pattern, unsigned seed) {
  using key = typename key_of_item<Item>::type;
  std::mt19937_64 random(seed);
  std::vector<key> keys;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t bits = random();
    if constexpr (std::is_floating_point_v<key>) {
      const int number = static_cast<int>(bits >> 40) - (1 << 23);
      keys.push_back(static_cast<key>(number) / (pattern == tile_pattern::high_bits ? key(1e-30) : key(1024)));
    } else {
      keys.push_back(static_cast<key>(bits));
      if (pattern == tile_pattern::high_bits) keys.back() = static_cast<key>(bits << (8 * sizeof(key) - 5));
      if (pattern == tile_pattern::low_bits) keys.back() = static_cast<key>(bits % 23);
    }
    if (pattern == tile_pattern::few) keys.back() = static_cast<key>(bits % 3);
    if (pattern == tile_pattern::equal) keys.back() = static_cast<key>(7);
  }
  if (pattern == tile_pattern::ascending) std::sort(keys.begin(), keys.end());
  if (pattern == tile_pattern::descending) std::sort(keys.rbegin(), keys.rend());
  std::vector<Item> items;
  for (int i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<Item, key>) items.push_back(keys[i]);
    else items.push_back({keys[i], static_cast<decltype(Item::place)>(i)});
  }
  return items;
}

template <class Item>
void stable_sort(std::vector<Item>& items, int begin, int end) {
  std::stable_sort(items.begin() + begin, items.begin() + end, item_order<Item>{});
}

}  // namespace test
