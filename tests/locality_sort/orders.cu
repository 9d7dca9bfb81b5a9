// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Arrays that are almost in order, of which a sort leaves out tiles: elements far from their places, tiles in another
// order, and random changes of sorted arrays.
#include "support/check_sort.h"
#include "support/sort_patterns.h"

#include <numeric>

namespace {

using namespace test;
using less = cuda::std::less<>;

/// Keys alone or with their numbers by locality sort, and as segments from `begin` on by segmented sort.
void check_orders(const std::vector<int>& keys, int begin, int number) {
  const auto count = static_cast<int>(keys.size());
  const auto cut = cut_of({begin, count - begin});
  const sorting<int> of_array(keys, one_segment(count), less{}), of_segments(keys, cut, less{});
  const auto values = numbers_below(keys.size());
  for_each_executor([&](auto executor) {
    INFO("number ", number);
    const segments_in<decltype(executor)> segments(cut);
    if (number % 2 == 0) {
      check_keys<local>(executor, of_array, whole_array, less{});
      check_pairs<stable_segmented>(executor, of_segments, values, segments.offsets(), less{});
    } else {
      check_pairs<local>(executor, of_array, values, whole_array, less{});
      check_keys<segmented>(executor, of_segments, segments.offsets(), less{});
    }
  });
}

int some_tile() { return sort_tile<int>(); }

}  // namespace

TEST_CASE("two elements in each other's place, of any two tiles") {
  const int tile = some_tile();
  std::mt19937 random(71);
  int number = 0;
  for (const int tiles : {2, 3, 5, 6, 9}) {
    for (int first = 0; first < tiles; ++first) {
      for (int second = first + 1; second < tiles; ++second) {
        ++number;
        if (number % (takes_few_cases() ? 17 : tiles > 3 ? 3 : 1) != 0) continue;
        INFO("tiles ", first, " and ", second, " of ", tiles);
        auto keys = numbers_below(static_cast<std::size_t>(tiles * tile));
        const auto place_in = [&](int t) {
          return keys.begin() + t * tile + static_cast<int>(random() % 3) * (tile - 1) / 2;
        };
        std::iter_swap(place_in(first), place_in(second));
        check_orders(keys, number % 3 * (tile / 2), number);
      }
    }
  }
}

TEST_CASE("an element of the last tile that belongs to the first one, and the reverse") {
  const int tile = some_tile();
  int number = 0;
  for (const int tiles : {2, 3, 4, 5, 6, 7, 8, 9}) {
    for (const int last : {1, 2, tile / 2, tile}) {
      ++number;
      if (takes_few_cases() && number % 9 != 0) continue;
      INFO(tiles, " tiles, the last one of ", last, " elements");
      auto keys = numbers_below(static_cast<std::size_t>((tiles - 1) * tile + last));
      if (number % 2 == 0) std::rotate(keys.begin(), keys.begin() + 1, keys.end());
      else std::rotate(keys.begin(), keys.end() - 1, keys.end());
      check_orders(keys, 0, number / 2);
    }
  }
}

TEST_CASE("sorted tiles in any order") {
  const int tile = some_tile();
  int number = 0;
  for (const int tiles : {2, 3, 4}) {
    auto order = numbers_below(static_cast<std::size_t>(tiles));
    do {
      ++number;
      if (takes_few_cases() && number % 8 != 0) continue;
      INFO("permutation ", number, " of ", tiles, " tiles");
      std::vector<int> keys;
      for (const int from : order) {
        for (int i = 0; i < tile; ++i) keys.push_back(from * tile + i);
      }
      check_orders(keys, number % 3 * 1000 % tile, number);
      keys.resize(keys.size() - static_cast<std::size_t>(tile / 3));
      check_orders(keys, 0, number + 1);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST_CASE("two sorted sequences that are interleaved by blocks of many lengths") {
  const int tile = some_tile();
  int number = 0;
  for (const int block : {1, 2, 33, tile / 2, tile - 1, tile, tile + 1, 2 * tile, 2 * tile + 1}) {
    ++number;
    if (takes_few_cases() && number % 4 != 0) continue;
    INFO("blocks of ", block);
    const int count = 5 * tile + 3;
    std::vector<int> keys;
    int next[2] = {0, 1};
    for (int i = 0; i < count; ++i) {
      int& of_sequence = next[i / block % 2];
      keys.push_back(of_sequence);
      of_sequence += 2;
    }
    check_orders(keys, 0, number);
    check_orders(keys, tile + 1, number + 1);
  }
}

TEST_CASE("random changes of sorted arrays") {
  const int tile = some_tile();
  for (int seed = 0; seed < 60; ++seed) {
    if (takes_few_cases() && seed % 12 != 0) continue;
    INFO("seed ", seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
    const int count = 2 + below(seed % 4 == 0 ? 9 * tile : 4 * tile);
    auto keys = numbers_below(static_cast<std::size_t>(count));
    const int ties = 1 + below(3);
    for (auto& key : keys) key /= ties;
    for (int changes = 1 + below(4); changes > 0; --changes) {
      int begin = below(count), end = below(count);
      if (begin > end) std::swap(begin, end);
      switch (below(5)) {
        case 0:
          std::swap(keys[static_cast<std::size_t>(begin)], keys[static_cast<std::size_t>(end)]);
          break;
        case 1:
          std::rotate(keys.begin() + begin, keys.begin() + begin + below(end - begin + 1), keys.begin() + end);
          break;
        case 2:
          std::reverse(keys.begin() + begin, keys.begin() + std::min(end, begin + 1 + below(2000)));
          break;
        case 3:
          std::shuffle(keys.begin() + begin, keys.begin() + std::min(end, begin + below(tile)), random);
          break;
        case 4:
          std::rotate(keys.begin() + begin, keys.begin() + end, keys.begin() + std::min(count, end + 1 + below(20)));
          break;
      }
    }
    check_orders(keys, seed % 3 == 0 ? 0 : below(count), seed);
  }
}
