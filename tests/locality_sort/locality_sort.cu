// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Locality sort against its definition: the published demonstrations, keys near their places and far from them,
// stability, types; and what all sorts tell of their work.
#include "support/check_sort.h"
#include "support/orders.h"
#include "support/sort_demo.h"
#include "support/sort_patterns.h"

namespace {

using namespace test;
using less = cuda::std::less<>;

/// Keys alone, and with their numbers.
void check_local(const std::vector<int>& keys, int number) {
  const sorting<int> s(keys, one_segment(static_cast<offset>(keys.size())), less{});
  const auto values = numbers_below(keys.size());
  for_each_executor([&](auto executor) {
    INFO("number ", number);
    check_keys<local>(executor, s, whole_array, less{}, number % 4);
    check_pairs<local>(executor, s, values, whole_array, less{}, number % 16);
  });
}

/// Sizes of arrays of no, one and several tiles.
std::vector<int> array_sizes() {
  std::vector<int> sizes{0, 1, 2, 31, 32, 33, 1000};
  const int of_keys = sort_tile<int>(), of_pairs = sort_tile<int, int>();
  for (const int tile : {sort_tile_of_one_segment(), sort_tile_alone()}) {
    for (const int more : {-1, 0, 1}) sizes.push_back(tile + more);
  }
  for (const int size : sizes_around_sort_tile(of_keys)) sizes.push_back(size);
  if (of_pairs != of_keys) {
    for (const int size : sizes_around_sort_tile(of_pairs)) sizes.push_back(size);
  }
  return sizes;
}

/// The sorted numbers below `count`, but the one at `from` is at `to`.
std::vector<int> with_one_out_of_place(int count, int from, int to) {
  auto keys = numbers_below(static_cast<std::size_t>(count));
  if (from < to) std::rotate(keys.begin() + from, keys.begin() + from + 1, keys.begin() + to + 1);
  else std::rotate(keys.begin() + to, keys.begin() + from, keys.begin() + from + 1);
  return keys;
}

/// What a sort of an array says of its work, which has been checked.
template <class Function, class Executor, class Segments>
mgpu::sort_statistics statistics_of(Executor executor, const sorting<int>& s, const Segments& segments) {
  mgpu::sort_statistics statistics, of_pairs;
  statistics.tiles = -5;
  statistics.passes.assign(50, {1, 2});
  const sorted_array keys(executor, s.keys), pairs(executor, s.keys);
  const sorted_array values(executor, numbers_below(s.keys.size()));
  Function::sort(executor.policy(), keys.begin(), keys.end(), segments, less{}, statistics);
  Function::sort_by_key(executor.policy(), pairs.begin(), pairs.end(), values.begin(), segments, less{}, of_pairs);
  CHECK(keys.holds(s.in_order(s.keys)));
  CHECK(pairs.holds(s.in_order(s.keys)));
  if (Function::is_stable) CHECK(values.holds(s.order));
  for (const auto& counts : {statistics, of_pairs}) {
    CHECK((counts.tiles > 0) == !s.keys.empty());
    for (const auto& pass : counts.passes) {
      CHECK(pass.merged_tiles >= 0);
      CHECK(pass.copied_tiles >= 0);
      CHECK(pass.merged_tiles + pass.copied_tiles <= counts.tiles);
    }
    if (counts.passes.empty()) continue;
    CHECK(counts.passes.back().merged_tiles + counts.passes.back().copied_tiles > 0);
  }
  return statistics;
}

offset merged_tiles(const mgpu::sort_statistics& statistics) {
  offset sum = 0;
  for (const auto& pass : statistics.passes) sum += pass.merged_tiles;
  return sum;
}

/// Calls f(executor, size) for sizes of one tile and of many.
template <class F>
void for_each_size(const F& f) {
  const int tile = sort_tile<int>();
  for (const int size : {1, 2, tile, tile + 1, 7 * tile + 5}) {
    for_each_executor([&](auto executor) {
      INFO(executor.name, ", ", size, " elements");
      f(executor, size);
    });
  }
}

}  // namespace

TEST_CASE("the published demonstrations of locality sort") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    const sorted_array keys(executor, sort_demo::local_keys), pairs(executor, sort_demo::local_pairs);
    const sorted_array places(executor, numbers_below(100));
    mgpu::locality_sort(executor.policy(), keys.begin(), keys.end());
    mgpu::locality_sort_by_key(executor.policy(), pairs.begin(), pairs.end(), places.begin());
    CHECK(keys.holds(sort_demo::local_keys_sorted));
    CHECK(pairs.holds(sort_demo::local_pairs_sorted));
    CHECK(places.holds(sort_demo::local_pairs_positions));
  });
}

TEST_CASE("keys of 8 bytes that one tile takes, and one more") {
  std::mt19937_64 random(12);
  for (const int more : {-1, 0, 1}) {
    std::vector<std::uint64_t> keys(static_cast<std::size_t>(sort_tile_alone() + more));
    for (auto& key : keys) key = random();
    auto expected = keys;
    std::sort(expected.begin(), expected.end());
    for_each_executor([&](auto executor) {
      const sorted_array sorted(executor, keys);
      mgpu::locality_sort(executor.policy(), sorted.begin(), sorted.end());
      CHECK(sorted.holds(expected));
    });
  }
}

TEST_CASE("every kind of disorder, with sizes around the tile's and its multiples") {
  std::mt19937 random(61);
  int number = 0;
  for (const int size : array_sizes()) {
    for (const auto d : all_disorders) {
      ++number;
      if (takes_few_cases() && number % 9 != 0) continue;
      check_local(disordered_ranks(d, size, 1 << 20, random), number);
    }
  }
}

TEST_CASE("keys near their places") {
  std::mt19937 random(62);
  int number = 0;
  for (const int distance : {0, 1, 25, 1000, 100'000}) {
    for (const int size : {100, 5'000, 30'011, 4 * sort_tile<int>() + 3, 250'000}) {
      ++number;
      if (takes_few_cases() && number % 6 != 0) continue;
      check_local(ranks_near_place(size, distance, random), number);
    }
  }
}

TEST_CASE("keys near their places, and a few that are far from theirs") {
  std::mt19937 random(63);
  int number = 0;
  for (const int size : {5'000, 40'000, 6 * sort_tile<int>()}) {
    for (const int outliers : {1, 2, 10, 100}) {
      ++number;
      if (takes_few_cases() && number % 4 != 1) continue;
      auto keys = ranks_near_place(size, 25, random);
      for (int i = 0; i < outliers; ++i) {
        const auto at = random() % keys.size();
        keys[at] = i % 3 == 0 ? -1 : i % 3 == 1 ? size + 1000 : static_cast<int>(random() % keys.size());
      }
      check_local(keys, number);
    }
  }
}

TEST_CASE("one element out of its place") {
  const int tile = sort_tile<int>();
  const int size = 5 * tile + 11;
  const std::vector<int> places{0,        1,        tile / 2,     tile - 1,     tile,         tile + 1,
                                2 * tile, 3 * tile, 4 * tile - 1, 4 * tile + 1, 5 * tile + 1, size - 1};
  int number = 0;
  for (const int from : places) {
    for (const int to : places) {
      ++number;
      if (from == to || (number % (takes_few_cases() ? 20 : 3) != 0 && from != 0 && to != 0)) continue;
      INFO("from ", from, " to ", to);
      check_local(with_one_out_of_place(size, from, to), number);
    }
  }
}

TEST_CASE("ties across many tiles keep their order") {
  std::mt19937 random(64);
  const int size = takes_few_cases() ? 20'000 : 200'000;
  int number = 0;
  for (const int different : {1, 2, 5, 300}) {
    std::vector<int> anywhere(static_cast<std::size_t>(size)), nearly_sorted(anywhere);
    for (int i = 0; i < size; ++i) {
      const auto at = static_cast<std::size_t>(i);
      anywhere[at] = static_cast<int>(random() % static_cast<unsigned>(different));
      nearly_sorted[at] = static_cast<int>((i + random() % 900) * static_cast<unsigned>(different) / (2u << 20));
    }
    check_local(anywhere, ++number);
    check_local(nearly_sorted, ++number);
  }
}

TEST_CASE_TEMPLATE("keys of several types", Key, std::uint8_t, key12 MGPU_TEST_MORE(double)) {
  std::mt19937 random(65);
  for (const int size : {1, 3000, 90'001}) {
    for (const bool is_near : {false, true}) {
      auto sorted = disordered_ranks(is_near ? disorder::sorted : disorder::random, size, ranks<Key> - 8, random);
      for (auto& rank : sorted) rank += static_cast<int>(random() % 8);
      const auto keys = keys_of_ranks<Key>(sorted);
      const sorting s(keys, one_segment(size), less{});
      std::vector<value_bytes<12>> values;
      for (int i = 0; i < size; ++i) values.push_back(make_value<value_bytes<12>>(i));
      for_each_executor([&](auto executor) {
        check_keys<local>(executor, s, whole_array, less{}, 1);
        check_pairs<local>(executor, s, values, whole_array, less{}, 13);
      });
    }
  }
}

TEST_CASE("comparators with state, and of the executor's side only") {
  std::mt19937 random(66);
  const auto keys = ranks_near_place(60'000, 3'000, random);
  const auto values = numbers_below(keys.size());
  const segmentation array = one_segment(60'000);
  const less_shifted shifted(77, 0.25);
  const sorting<int> ascending(keys, array, less{}), descending(keys, array, test::greater{}),
      by_remainder(keys, array, shifted);
  for_each_executor([&](auto executor) {
    check_pairs<local>(executor, ascending, values, whole_array, less_of_executor{});
    check_pairs<local>(executor, descending, values, whole_array, test::greater{});
    check_pairs<local>(executor, by_remainder, values, whole_array, shifted);
  });
}

TEST_CASE("sorted arrays take no pass") {
  for_each_size([](auto executor, int size) {
    std::mt19937 random(67);
    for (const auto d : {disorder::sorted, disorder::all_equal}) {
      const sorting<int> s(disordered_ranks(d, size, 1 << 30, random), one_segment(size), less{});
      CHECK(statistics_of<local>(executor, s, whole_array).passes.empty());
      const segments_in<decltype(executor)> segments(cut_of(lengths_of(sharing::thousands, size, random)));
      const sorting<int> in_segments(s.keys, segments.cut(), less{});
      CHECK(statistics_of<segmented>(executor, in_segments, segments.offsets()).passes.empty());
      CHECK(statistics_of<stable_segmented>(executor, in_segments, segments.flags()).passes.empty());
    }
    const sorting<int> near(ranks_near_place(size, 0, random), one_segment(size), less{});
    CHECK(statistics_of<local>(executor, near, whole_array).passes.empty());
  });
}

TEST_CASE("arrays in any order take passes over all tiles, those near their order passes over few") {
  for_each_size([](auto executor, int size) {
    std::mt19937 random(68);
    const sorting<int> s(disordered_ranks(disorder::random, size, 1 << 30, random), one_segment(size), less{});
    const auto anywhere = statistics_of<local>(executor, s, whole_array);
    const segments_in<decltype(executor)> one(s.cut);
    const auto of_segment = statistics_of<segmented>(executor, s, one.offsets());
    CHECK(of_segment.tiles == anywhere.tiles);
    if (anywhere.tiles <= 1) CHECK(anywhere.passes.empty());
    if (anywhere.tiles <= 1) CHECK(of_segment.passes.empty());
    if (anywhere.tiles < 4) return;  // of which some may happen to be in order
    CHECK(merged_tiles(anywhere) >= anywhere.tiles - 1);
    CHECK(merged_tiles(of_segment) >= anywhere.tiles - 1);

    const sorting<int> near(ranks_near_place(size, 3, random), one_segment(size), less{});
    const auto of_near = statistics_of<local>(executor, near, whole_array);
    CHECK(of_near.tiles == anywhere.tiles);
    CHECK(merged_tiles(of_near) <= 2 * (of_near.tiles - 1));  // the two at each border
  });
}

TEST_CASE("short segments take passes over tiles at whose borders they lie only") {
  for_each_size([](auto executor, int size) {
    std::mt19937 random(69);
    const auto keys = disordered_ranks(disorder::random, size, 1 << 30, random);
    const segmentation ones = cut_of(std::vector<int>(static_cast<std::size_t>(size), 1));
    const segments_in<decltype(executor)> alone(ones);
    const auto of_ones = statistics_of<segmented>(executor, sorting<int>(keys, ones, less{}), alone.flags());
    CHECK(of_ones.passes.empty());
    for (const int length : {2, 3, 16, 100}) {
      std::vector<int> lengths;
      for (int left = size; left > 0; left -= length) lengths.push_back(std::min(left, length));
      const segments_in<decltype(executor)> segments(cut_of(lengths));
      const sorting<int> s(keys, segments.cut(), less{});
      const auto statistics = statistics_of<stable_segmented>(executor, s, segments.heads());
      CHECK(merged_tiles(statistics) <= 2 * (statistics.tiles - 1));
    }
  });
}

TEST_CASE("statistics of an array without elements") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    const sorting<int> s({}, one_segment(0), less{});
    const segments_in<decltype(executor)> segments(s.cut);
    CHECK(statistics_of<local>(executor, s, whole_array).passes.empty());
    CHECK(statistics_of<segmented>(executor, s, segments.offsets()).passes.empty());
  });
}

TEST_CASE("values over 1 KiB, of which a tile of the GPU has no room") {
  std::mt19937 random(64);
  for (const int size : {1, 700, 5'000}) {
    const sorting<int> s(disordered_ranks(disorder::random, size, size, random), one_segment(size), less{});
    std::vector<value_bytes<1040>> values;
    for (int i = 0; i < size; ++i) values.push_back(make_value<value_bytes<1040>>(i));
    for_each_executor([&](auto executor) { check_pairs<local>(executor, s, values, whole_array, less{}); });
  }
}
