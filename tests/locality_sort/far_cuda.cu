// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// locality_sort of numbers that are far from sorted: in no order, in reverse, and of sorted parts.
#include "support/check_sort.h"
#include "support/sort_ways.h"

#include <algorithm>
#include <random>
#include <type_traits>
#include <vector>

namespace {

using namespace test;
using less = cuda::std::less<>;
using greater = cuda::std::greater<>;

/// Some large tiles, and elements that fill none.
constexpr int count = 266'465;

template <class Key>
std::vector<Key> ascending() {
  std::vector<Key> keys(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) keys[static_cast<std::size_t>(i)] = static_cast<Key>(i);
  return keys;
}

/// Arrays in no order, in the reverse of Compare's order, nearly in reverse, and of sorted parts.
template <class Key, class Compare>
std::vector<std::vector<Key>> far_arrays() {
  std::mt19937 random(31);
  auto keys = ascending<Key>();
  std::stable_sort(keys.begin(), keys.end(), [](Key x, Key y) { return Compare{}(y, x); });
  const auto reversed = keys;
  std::vector<std::vector<Key>> all{reversed};
  const auto middle = static_cast<std::size_t>(count / 2);
  keys[middle] = keys[middle + 1];
  all.push_back(keys);
  std::swap(keys[0], keys[1]);
  all.push_back(keys);
  if (std::is_floating_point_v<Key>) {
    for (Key& key : keys) key = static_cast<Key>(random() % 3) * (random() % 2 == 0 ? Key(-1) : Key(1));
    all.push_back(keys);
    keys = reversed;
    for (Key& key : keys) key -= static_cast<Key>(count / 2);
    const auto zero = static_cast<std::size_t>(std::find(keys.begin(), keys.end(), Key(0)) - keys.begin());
    keys[zero + 1] = -keys[zero];
    all.push_back(keys);
  }
  keys = reversed;
  std::shuffle(keys.begin(), keys.end(), random);
  all.push_back(keys);
  for (std::size_t i = 0; i + 30'000 < keys.size(); i += 30'000)
    std::sort(keys.begin() + static_cast<std::ptrdiff_t>(i), keys.begin() + static_cast<std::ptrdiff_t>(i + 30'000));
  all.push_back(keys);
  return all;
}

template <class Key, class Compare>
void check_far() {
  REQUIRE(way_of<Key, int>(count, near_array{}, Compare{}) == sort_way::by_merges);
  REQUIRE(way_of<Key>(count, near_array{}, Compare{}) == sort_way::by_merges);
  int number = 0;
  for (const auto& keys : far_arrays<Key, Compare>()) {
    INFO("number ", ++number);
    const sorting<Key> s(keys, one_segment(count), Compare{});
    check_pairs<local>(cuda_executor{}, s, numbers_below(keys.size()), whole_array, Compare{}, 3);
    // Keys of 8 bytes are tried with values.
    if constexpr (sizeof(Key) < 8) check_keys<local>(cuda_executor{}, s, whole_array, Compare{}, 1);
  }
}

}  // namespace

TEST_CASE("integers far from sorted") { check_far<int, less>(); }
TEST_CASE("integers in the other order") { check_far<unsigned, greater>(); }
TEST_CASE("floats, zeros of both signs among them") { check_far<float, greater>(); }
TEST_CASE("keys of 8 bytes with values") { check_far<double, less>(); }
