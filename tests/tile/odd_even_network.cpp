// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/tile/odd_even_network.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace {

/// A key and its place, of which only the key is compared.
using item = std::pair<int, int>;

struct less_key {
  bool operator()(const item& x, const item& y) const { return x.first < y.first; }
};

/// x, with each segment sorted stably: the definition.
std::vector<item> sorted_within(std::vector<item> x, unsigned heads) {
  for (std::size_t begin = 0; begin < x.size();) {
    std::size_t end = begin + 1;
    while (end < x.size() && (heads >> end & 1) == 0) ++end;
    std::stable_sort(x.begin() + static_cast<std::ptrdiff_t>(begin), x.begin() + static_cast<std::ptrdiff_t>(end), less_key{});
    begin = end;
  }
  return x;
}

template <int Items>
void check(const std::vector<int>& keys, unsigned heads) {
  std::vector<item> x;
  for (int i = 0; i < Items; ++i) x.emplace_back(keys[static_cast<std::size_t>(i)], i);
  const std::vector<item> expected = sorted_within(x, heads);
  mgpu::base::slot<item> stable[Items], any[Items];
  for (int i = 0; i < Items; ++i) {
    stable[i].put(x[static_cast<std::size_t>(i)]);
    any[i].put(x[static_cast<std::size_t>(i)]);
  }
  mgpu::tile::odd_even_transposition_sort(stable, heads, less_key{});
  mgpu::tile::odd_even_merge_sort(any, heads, less_key{});
  bool is_stable = true, has_keys = true;
  std::vector<item> found;
  for (int i = 0; i < Items; ++i) {
    is_stable = is_stable && stable[i].value == expected[static_cast<std::size_t>(i)];
    has_keys = has_keys && any[i].value.first == expected[static_cast<std::size_t>(i)].first;
    found.push_back(any[i].value);
  }
  CHECK(is_stable);
  CHECK(has_keys);
  std::sort(found.begin(), found.end(), [](const item& a, const item& b) { return a.second < b.second; });
  CHECK(found == x);
}

/// All sequences of zeros and ones, by which a network sorts everything, with all segments.
template <int Items>
void check_all() {
  for (unsigned bits = 0; bits < 1u << Items; ++bits) {
    std::vector<int> keys;
    for (int i = 0; i < Items; ++i) keys.push_back(static_cast<int>(bits >> i & 1));
    for (unsigned heads = 0; heads < 1u << Items; heads += Items > 6 ? 37 : 1) check<Items>(keys, heads);
  }
}

template <int Items>
void check_random() {
  std::mt19937 random(Items);
  for (int repeat = 0; repeat < 500; ++repeat) {
    std::vector<int> keys;
    for (int i = 0; i < Items; ++i) keys.push_back(static_cast<int>(random() % (repeat % 2 ? 5 : 1000)));
    check<Items>(keys, repeat % 3 == 0 ? 0 : static_cast<unsigned>(random() & random() & random()));
  }
}

}  // namespace

TEST_CASE("networks sort every sequence of two keys within all segments") {
  check_all<1>();
  check_all<2>();
  check_all<3>();
  check_all<4>();
  check_all<5>();
  check_all<6>();
  check_all<7>();
  check_all<9>();
}

TEST_CASE("networks of the sizes that tiles take") {
  check_random<11>();
  check_random<15>();
  check_random<16>();
  check_random<21>();
  check_random<31>();
}
