// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Segmented sort against its definition: the published demonstrations, segments of every length and of every kind,
// sizes around the tile's, stability.
#include "support/check_sort.h"
#include "support/sort_demo.h"
#include "support/sort_patterns.h"

namespace {

using namespace test;
using key = std::uint32_t;
using less = cuda::std::less<>;

std::vector<key> few_different_keys(std::size_t count, unsigned different, std::mt19937& random) {
  std::vector<key> keys(count);
  for (auto& x : keys) x = static_cast<key>(random() % different) - different / 2;
  return keys;
}

/// The sizes of the tiles of keys without values and of pairs, and of some others.
std::vector<int> tile_sizes() {
  const int of_keys = sort_tile<key>(), of_pairs = sort_tile<key, int>();
  std::vector<int> sizes{256, 1000, of_keys, sort_tile_alone()};
  if (of_pairs != of_keys) sizes.push_back(of_pairs);
  return sizes;
}

/// One of the four functions, with another one for every number.
template <class Executor, class Segments>
void check_function(Executor executor, const sorting<key>& s, const Segments& segments, int number) {
  const auto values = numbers_below(s.keys.size());
  switch (number % 4) {
    case 0:
      return check_pairs<stable_segmented>(executor, s, values, segments, less{}, number % 16);
    case 1:
      return check_keys<segmented>(executor, s, segments, less{}, number % 4);
    case 2:
      return check_pairs<segmented>(executor, s, values, segments, less{}, number % 16);
    case 3:
      return check_keys<stable_segmented>(executor, s, segments, less{}, number % 4);
  }
}

/// Keys alone and pairs, stably and not in turns, told of the segments by their offsets.
void check_functions(const std::vector<key>& keys, const segmentation& cut, int number) {
  const sorting s(keys, cut, less{});
  for_each_executor([&](auto executor) {
    INFO("number ", number);
    const segments_in<decltype(executor)> segments(cut, number);
    check_function(executor, s, segments.offsets(), 2 * number);
    check_function(executor, s, segments.offsets(), 2 * number + 1);
    CHECK(segments.unchanged());
  });
}

/// A function for every descriptor that can tell of the segments.
void check_descriptors(const std::vector<key>& keys, const segmentation& cut, int number) {
  const sorting s(keys, cut, less{});
  for_each_executor([&](auto executor) {
    const segments_in<decltype(executor)> segments(cut, number);
    for (const auto as : all_descriptors) {
      if (!can_tell(as, cut)) continue;
      INFO("number ", number, ", descriptor ", static_cast<int>(as));
      segments.give(as, [&](const auto& given) {
        const auto values = numbers_below(s.keys.size());
        if (number % 2 == 0) check_keys<segmented>(executor, s, given, less{}, number % 4);
        else check_pairs<stable_segmented>(executor, s, values, given, less{}, number % 16);
      });
    }
    CHECK(segments.unchanged());
  });
}

}  // namespace

TEST_CASE("the published demonstrations of segmented sort") {
  const auto numbers = numbers_below(100);
  for_each_executor([&](auto executor) {
    INFO(executor.name);
    const input<decltype(executor), int> heads(sort_demo::heads);
    const mgpu::segment_heads segments(heads.begin(), heads.end());
    const auto& policy = executor.policy();
    const sorted_array keys(executor, sort_demo::segmented_keys), stable_keys(executor, sort_demo::segmented_keys);
    mgpu::segmented_sort(policy, keys.begin(), keys.end(), segments);
    mgpu::stable_segmented_sort(policy, stable_keys.begin(), stable_keys.end(), segments);
    CHECK(keys.holds(sort_demo::segmented_keys_sorted));
    CHECK(stable_keys.holds(sort_demo::segmented_keys_sorted));

    const sorted_array pairs(executor, sort_demo::segmented_pairs), stable_pairs(executor, sort_demo::segmented_pairs);
    const sorted_array places(executor, numbers), stable_places(executor, numbers);
    mgpu::segmented_sort_by_key(policy, pairs.begin(), pairs.end(), places.begin(), segments);
    mgpu::stable_segmented_sort_by_key(policy, stable_pairs.begin(), stable_pairs.end(), stable_places.begin(),
                                       segments);
    CHECK(pairs.holds(sort_demo::segmented_pairs_sorted));
    CHECK(stable_pairs.holds(sort_demo::segmented_pairs_sorted));
    CHECK(stable_places.holds(sort_demo::segmented_pairs_positions));
    auto found = places.read();
    for (std::size_t i = 0; i < found.size(); ++i) {
      REQUIRE(found[i] >= 0);
      REQUIRE(found[i] < 100);
      CHECK(sort_demo::segmented_pairs[static_cast<std::size_t>(found[i])] == sort_demo::segmented_pairs_sorted[i]);
    }
    std::sort(found.begin(), found.end());
    CHECK(found == numbers);
    CHECK(places.guards_untouched());
    CHECK(heads.unchanged());
  });
}

TEST_CASE("segments of every length from 1 to 300") {
  std::mt19937 random(1);
  for (int length = 1; length <= 300; ++length) {
    if (takes_few_cases() && length % 7 != 3) continue;
    std::vector<int> lengths(static_cast<std::size_t>(std::max(3, 1500 / length)), length);
    lengths.push_back(static_cast<int>(random() % static_cast<unsigned>(length)));
    const auto cut = cut_of(lengths);
    const auto count = static_cast<std::size_t>(cut.elements);
    check_functions(few_different_keys(count, length % 2 == 0 ? 20 : 1u << 31, random), cut, length);
  }
}

TEST_CASE("segments of every length from 0 to 300 between each other") {
  std::mt19937 random(2);
  std::vector<int> lengths(301);
  std::iota(lengths.begin(), lengths.end(), 0);
  for (int number = 0; number < 4; ++number) {
    if (number == 2) std::reverse(lengths.begin(), lengths.end());
    if (number > 2) std::shuffle(lengths.begin(), lengths.end(), random);
    const auto cut = cut_of(lengths);
    check_functions(few_different_keys(static_cast<std::size_t>(cut.elements), 1000, random), cut, number);
    check_descriptors(few_different_keys(static_cast<std::size_t>(cut.elements), 50, random), cut, number);
  }
}

TEST_CASE("arrays of 0, 1, 2 and up to 70 elements, cut in every way that matters") {
  std::mt19937 random(3);
  int number = 0;
  for (int count = 0; count <= 70; ++count) {
    if (takes_few_cases() && count % 31 > 2) continue;
    for (const int first : {0, 1, count / 2, count - 1}) {
      if (first < 0 || first > count) continue;
      const auto keys = few_different_keys(static_cast<std::size_t>(count), 9, random);
      check_descriptors(keys, cut_of({first, count - first}), ++number);
      check_descriptors(keys, cut_of({0, first, 0, 0, count - first, 0}), number);
    }
    const auto keys = few_different_keys(static_cast<std::size_t>(count), 9, random);
    check_descriptors(keys, cut_of(std::vector<int>(static_cast<std::size_t>(count), 1)), number);
    check_functions(keys, one_segment(count), number);
  }
}

TEST_CASE("segments of lengths around the tile's") {
  std::mt19937 random(4);
  int number = 0;
  for (const int tile : tile_sizes()) {
    const std::vector<std::vector<int>> all_lengths{{tile},
                                                    {tile - 1},
                                                    {tile + 1},
                                                    {0, tile, 1, tile + 1, 2, tile - 1, 0},
                                                    {tile - 1, tile - 1, 1, 1, tile},
                                                    {1, tile, tile, tile - 1, 0, 3},
                                                    {tile / 2, 2 * tile + 3, tile / 2 - 3, 1},
                                                    {3 * tile - 1, 1, tile / 3}};
    for (const auto& lengths : all_lengths) {
      ++number;
      if (takes_few_cases() && number % 5 != 0) continue;
      const auto cut = cut_of(lengths);
      const auto count = static_cast<int>(cut.elements);
      check_descriptors(disordered_keys<key>(all_disorders[number % 8], count, random), cut, number);
    }
  }
}

TEST_CASE("segments of every kind, with sizes around the tile's") {
  std::mt19937 random(5);
  int number = 0;
  for (const int tile : tile_sizes()) {
    for (const int size : sizes_around_sort_tile(tile)) {
      ++number;
      if (size > 600'000 || (takes_few_cases() && number % 7 != 0)) continue;
      const auto cut = cut_of(lengths_of(segment_sharings[number % 8], size, random));
      check_functions(disordered_keys<key>(all_disorders[number / 2 % 8], size, random), cut, number);
    }
  }
}

TEST_CASE("several tiles with segments of every kind, in every kind of disorder, told of by every descriptor") {
  std::mt19937 random(6);
  int number = 0;
  for (const auto s : segment_sharings) {
    for (const auto d : all_disorders) {
      ++number;
      if (takes_few_cases() && number % 11 != 0) continue;
      const auto g = static_cast<gaps>(number % 3);
      const auto cut = cut_of(lengths_of(s, 20'000 + 3571 * (number % 7), random), g, static_cast<unsigned>(number));
      check_descriptors(disordered_keys<key>(d, static_cast<int>(cut.elements), random), cut, number);
    }
  }
}

TEST_CASE("one segment of half a million elements, and lengths by a power law") {
  std::mt19937 random(7);
  const int size = takes_few_cases() ? 50'000 : 560'000;
  int number = 0;
  for (const auto s : {sharing::one_long, sharing::zipf, sharing::thousands}) {
    const auto cut = cut_of(lengths_of(s, size + ++number, random));
    check_functions(disordered_keys<key>(disorder::random, static_cast<int>(cut.elements), random), cut, number);
    check_functions(disordered_keys<key>(disorder::few_keys, static_cast<int>(cut.elements), random), cut, number);
  }
}

TEST_CASE("segments of 1 to 20 tiles, which take every number of passes") {
  std::mt19937 random(11);
  int number = 0;
  for (const auto d : all_disorders) {
    ++number;
    if (takes_few_cases() && number % 4 != 1) continue;
    const int tile = std::min(8000, number % 2 == 0 ? sort_tile<key>() : sort_tile<key, int>());  // that of the GPU
    std::vector<int> lengths;
    for (const int tiles : {5, 1, 16, 2, 9, 3, 20, 4, 8, 13, 7, 17}) {
      lengths.push_back(tiles * tile - tile / 3 - static_cast<int>(random() % 100));
    }
    const auto cut = cut_of(lengths);
    check_functions(disordered_keys<key>(d, static_cast<int>(cut.elements), random), cut, number);
  }
}

TEST_CASE("a border of segments at places around a tile's and a word's") {
  std::mt19937 random(8);
  int number = 0;
  for (const int tile : tile_sizes()) {
    for (const int from_tile : {-33, -32, -31, -2, -1, 0, 1, 2, 31, 32, 33}) {
      ++number;
      if (takes_few_cases() && number % 5 != 0) continue;
      const auto cut = cut_of({tile + from_tile, tile / 3 + 5});
      check_descriptors(few_different_keys(static_cast<std::size_t>(cut.elements), 300, random), cut, number);
    }
  }
}

TEST_CASE("segments of a fraction of a tile that lie over its end") {
  std::mt19937 random(10);
  int number = 0;
  for (const int tile : tile_sizes()) {
    for (const int part : {5, 7, 8, 31, 32}) {
      for (const int more : {-1, 0, 1, 2}) {
        ++number;
        if (takes_few_cases() && number % 7 != 0) continue;
        const int length = tile / part + more;
        const auto cut = cut_of({tile - length / 2, length, tile / 4, tile - length + 1, length, length, 1});
        check_descriptors(disordered_keys<key>(disorder::random, static_cast<int>(cut.elements), random), cut, number);
      }
    }
  }
}

TEST_CASE("ties across many tiles stay in order") {
  std::mt19937 random(9);
  int number = 0;
  for (const unsigned different : {1u, 2u, 3u, 17u}) {
    for (const auto s : {sharing::one_long, sharing::thousands, sharing::zipf}) {
      const auto cut = cut_of(lengths_of(s, takes_few_cases() ? 20'000 : 140'000, random));
      check_functions(few_different_keys(static_cast<std::size_t>(cut.elements), different, random), cut, ++number);
    }
  }
}

TEST_CASE("arrays without elements, and elements in no segment") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    const auto& policy = executor.policy();
    key* const null = nullptr;
    int* const no_numbers = nullptr;
    const std::vector<key> unsorted{5, 3, 9, 1, 1, 0, 7};
    const input<executor_type, int> fives({5, 5, 5, 5}), zeros({0, 0, 0, 0});
    const sorted_array keys(executor, unsorted);
    const sorted_array values(executor, numbers_below(unsorted.size()));
    const auto check = [&](const auto& segments) {
      mgpu::segmented_sort(policy, null, null, segments);
      mgpu::stable_segmented_sort_by_key(policy, null, null, no_numbers, segments);
    };
    const auto check_untouched = [&](const auto& segments) {
      mgpu::segmented_sort(policy, keys.begin(), keys.end(), segments);
      mgpu::stable_segmented_sort_by_key(policy, keys.begin(), keys.end(), values.begin(), segments);
      CHECK(keys.holds(unsorted));
      CHECK(values.holds(numbers_below(unsorted.size())));
    };
    check(mgpu::segment_heads(no_numbers, no_numbers));
    check(mgpu::segment_flags(zeros.begin()));
    check(mgpu::segment_offsets(zeros.begin(), 3));
    check(mgpu::segment_offsets(zeros.begin(), zeros.begin(), 4));
    check(mgpu::segment_offsets(no_numbers, 0));
    check_untouched(mgpu::segment_offsets(no_numbers, 0));
    check_untouched(mgpu::segment_offsets(no_numbers, no_numbers, 0));
    check_untouched(mgpu::segment_offsets(fives.begin(), 3));
    check_untouched(mgpu::segment_offsets(fives.begin(), fives.begin(), 4));
    mgpu::segmented_sort(policy, keys.begin(), keys.end(), mgpu::segment_heads(no_numbers, no_numbers));
    CHECK(keys.holds({0, 1, 1, 3, 5, 7, 9}));
  });
}
