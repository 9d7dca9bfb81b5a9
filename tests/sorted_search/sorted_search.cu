// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The sorted searches beside std::lower_bound and std::upper_bound: sizes around a tile, distributions, types of
// elements and of results.
#include "check_search.h"
#include "support/sequences.h"

namespace {

using namespace test;

/// Sizes of the range and of the values, around the tile's.
struct sizes {
  int elements, values;
};
std::vector<sizes> sizes_around(int tile) {
  std::vector<sizes> result{{0, 0}, {0, 5}, {5, 0}, {1, 1}, {33, 40}, {0, tile + 7}, {tile + 7, 1}, {3, 2 * tile}};
  for (const int total : {tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 5}) {
    result.push_back({total / 2, total - total / 2});
    result.push_back({total / 3, total - total / 3});
    result.push_back({total - total / 7, total / 7});
  }
  return result;
}

template <class Key, class Position, class Compare>
void check_type(const Compare& compare) {
  for_each_executor([&](auto executor) {
    std::mt19937 random(3);
    int skipped = 0;
    for (const sizes& size : sizes_around(executor.template items_per_tile<search_core<Key, Position>>())) {
      for (const pattern p : all_patterns) {
        const auto range = sorted_keys<Key>(p, 0, size.elements, size.values, random);
        const auto values = sorted_keys<Key>(p, 1, size.values, size.elements, random);
        check_search<Position>(executor, range, values, compare, skipped++);
      }
    }
  });
}

TEST_CASE("bounds of every pair of short sequences") {
  for_each_executor([](auto executor) {
    for_each_pair_of_sorted_sequences([&](const std::vector<int>& range, const std::vector<int>& values) {
      if ((takes_few_cases() || executor.name == "cuda") && (range.size() + values.size()) % 5 != 0) return;
      check_search<int>(executor, range, values, cuda::std::less<>{});
    });
  });
}

TEST_CASE("bounds in arrays of the size of an element") {
  check_type<std::uint32_t, std::uint32_t>(cuda::std::less<>{});
}

TEST_CASE("bounds in arrays of larger integers") { check_type<std::uint8_t, std::int64_t>(cuda::std::less<>{}); }

TEST_CASE("bounds of wide elements by their own order") { check_type<key32, std::uint32_t>(cuda::std::less<>{}); }

TEST_CASE("bounds of inputs of many waves of tiles") {
  for_each_executor([](auto executor) {
    std::mt19937 random(5);
    const int count = executor.template items_beyond_single_launch<search_core<std::uint32_t, std::uint32_t>>();
    const auto range = sorted_keys<std::uint32_t>(pattern::random, 0, count / 2, count / 2, random);
    const auto values = sorted_keys<std::uint32_t>(pattern::random, 1, count / 2, count / 2, random);
    check_search<std::uint32_t>(executor, range, values, cuda::std::less<>{});
  });
}

TEST_CASE("values far apart, and many in one place of a long range") {
  for_each_executor([](auto executor) {
    std::mt19937 random(13);
    const int count = 620'000;
    const auto range = sorted_keys<std::uint32_t>(pattern::random, 0, count, count, random);
    for (const int gap : {1, 29, 70'000}) {
      std::vector<std::uint32_t> values;
      for (int i = 0; i < count; i += gap) values.push_back(range[static_cast<std::size_t>(i)]);
      values.insert(values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), 40'000, values[values.size() / 2]);
      check_search<std::uint32_t>(executor, range, values, cuda::std::less<>{});
    }
  });
}

TEST_CASE("few values in a long range") {
  for_each_executor([](auto executor) {
    std::mt19937 random(7);
    for (const int values : {1, 2, 31, 999}) {
      for (const int ratio : {31, 32, 33, 500}) {
        const auto range = sorted_keys<double>(pattern::random, 0, values * ratio, values, random);
        const auto searched = sorted_keys<double>(pattern::random, 1, values, values * ratio, random);
        check_search<std::int16_t>(executor, std::vector<double>(range), searched, cuda::std::less<>{});
      }
    }
  });
}

}  // namespace
