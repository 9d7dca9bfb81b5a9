// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Numbers far from sorted, which the GPU sorts by their digits, and arrays in reverse, which it reverses.
#include "support/async.h"
#include "support/check_sort.h"

#include <algorithm>
#include <random>
#include <type_traits>
#include <vector>

namespace {

using namespace test;
using less = cuda::std::less<>;
using greater = cuda::std::greater<>;

/// A little more than the least arrays that may be sorted by digits: some tiles, and elements that fill none.
template <class Key, bool has_values>
constexpr int far_count() {
  return static_cast<int>(mgpu::detail::tuning::least_far_count(sizeof(Key), has_values ? sizeof(int) : 0) + 4321);
}

template <class Key>
std::vector<Key> ascending(int count) {
  std::vector<Key> keys(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) keys[static_cast<std::size_t>(i)] = static_cast<Key>(i);
  return keys;
}

/// Arrays in no order, in the reverse of Compare's order, nearly in reverse, and of sorted parts.
template <class Key, class Compare>
std::vector<std::vector<Key>> far_arrays(int count) {
  std::mt19937 random(31);
  auto keys = ascending<Key>(count);
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
  int number = 0;
  for (const auto& keys : far_arrays<Key, Compare>(far_count<Key, true>())) {
    INFO("number ", ++number);
    const sorting<Key> s(keys, one_segment(static_cast<offset>(keys.size())), Compare{});
    check_pairs<local>(cuda_executor{}, s, numbers_below(keys.size()), whole_array, Compare{}, 3);
  }
  if constexpr (sizeof(Key) < 8) {  // keys of 8 bytes are tried with values
    for (const auto& keys : far_arrays<Key, Compare>(far_count<Key, false>())) {
      INFO("number ", ++number);
      const sorting<Key> s(keys, one_segment(static_cast<offset>(keys.size())), Compare{});
      check_keys<local>(cuda_executor{}, s, whole_array, Compare{}, 1);
    }
  }
}

}  // namespace

TEST_CASE("integers far from sorted") { check_far<int, less>(); }
TEST_CASE("integers in the other order") { check_far<unsigned, greater>(); }
TEST_CASE("floats, zeros of both signs among them") { check_far<float, greater>(); }
TEST_CASE("keys of 8 bytes with values") { check_far<double, less>(); }
