// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sorts of small arrays: the GPU cuts them into small tiles, and merges these in another way than it does large arrays.
#include "support/sort_checks.h"
#include "support/sort_ways.h"
#include "support/unsorted.h"

#include <algorithm>
#include <limits>

namespace {

using namespace test;
using less = cuda::std::less<>;

/// Sizes around those at which another way is taken, and where tiles get other sizes.
template <class Key = std::uint32_t, class Value = keys_alone, class Compare = less>
std::vector<int> small_sizes(const Compare& compare = {}) {
  constexpr mgpu::detail::tuning::sort_case c = mgpu::detail::core::sort_case<Key, Value>();
  const auto [cc, multiprocessors, unused] = gpu();
  const int most_items = mgpu::detail::tuning::sort_small_tiles(cc, c).items_per_tile();
  const int tile = std::min(mgpu::detail::tuning::good_small_tile_items(c, false), most_items);
  const int tile_of_one = std::min(mgpu::detail::tuning::good_small_tile_items(c, true), most_items);
  const auto last = [&](const auto& segments) {
    const auto way = [&](offset count) { return way_of<Key, Value>(count, segments, compare); };
    const count_range range = counts_of(sort_way::in_small_tiles, way);
    REQUIRE(range.first == 1);
    return static_cast<int>(range.last);
  };
  const int most = last(near_array{});
  std::vector<int> sizes{100, 1000, tile, 8 * tile};
  if (tile_of_one != tile) sizes.insert(sizes.end(), {tile_of_one, 8 * tile_of_one});
  const int ranked = mgpu::detail::tuning::good_items_of_ranked_tiles(c);
  sizes.insert(sizes.end(),
               {32, ranked, 8 * ranked, 64 * mgpu::detail::tuning::sort_ranked_tiles(cc, c).items_per_tile()});
  if (64 * most_items + 130 < most) sizes.push_back(64 * most_items);  // more take wider passes, or a third one
  sizes.push_back(most);
  std::vector<int> around;
  for (const int size : sizes) {
    for (const int more : {-1, 0, 1, 130}) around.push_back(size + more);
  }
  // Of segments, where tiles and passes change.
  const int most_segmented = last(segments_of_count(1000));
  for (const int size : {250 * multiprocessors, 500 * multiprocessors, most_segmented})
    around.insert(around.end(), {size - 1, size, size + 1});
  return around;
}

/// Counts calls, and those that went this way.
struct way_count {
  int calls = 0, small = 0;

  void add(sort_way way) {
    ++calls;
    small += way == sort_way::in_small_tiles ? 1 : 0;
  }
  /// Few others are meant: arrays of more elements, and few long segments of numbers, which are sorted by digits.
  void check_most_are_small() const {
    if (!takes_few_cases()) CHECK((small < calls && 10 * small > 7 * calls));
  }
};

/// Keys alone, or stably with their numbers.
void check_small(const std::vector<std::uint32_t>& keys, const segmentation& cut, int number) {
  const sorting s(keys, cut, less{});
  for_each_executor([&](auto executor) {
    INFO("number ", number);
    const segments_in<decltype(executor)> segments(cut, number);
    if (number % 2 == 0) check_keys<segmented>(executor, s, segments.offsets(), less{}, number % 4);
    else
      check_pairs<stable_segmented>(executor, s, numbers_below(keys.size()), segments.offsets(), less{}, number % 16);
    CHECK(segments.unchanged());
  });
}

template <class Key, class Compare>
void check_local(const std::vector<Key>& keys, const Compare& compare, int number) {
  const sorting s(keys, one_segment(static_cast<offset>(keys.size())), compare);
  for_each_executor([&](auto executor) {
    INFO("number ", number);
    check_keys<local>(executor, s, whole_array, compare, number % 4);
    check_pairs<local>(executor, s, numbers_below(keys.size()), whole_array, compare, number % 16);
  });
}

}  // namespace

TEST_CASE("small arrays, in segments of every kind and in every kind of disorder") {
  std::mt19937 random(71);
  way_count segmented_ways, local_ways;
  int number = 0;
  for (const int size : small_sizes()) {
    for (const auto s : segment_sharings) {
      ++number;
      if (takes_few_cases() && number % 13 != 0) continue;
      const auto cut = cut_of(lengths_of(s, size, random), number % 3 == 0 ? gaps::at_both_ends : gaps::none,
                              static_cast<unsigned>(number));
      const auto count = static_cast<int>(cut.elements);
      segmented_ways.add(
          way_of<std::uint32_t, int>(count, segments_of_count(static_cast<offset>(cut.begins.size())), less{}));
      check_small(disordered_keys<std::uint32_t>(all_disorders[number % 8], count, random), cut, number);
    }
    for (const auto d : all_disorders) {
      ++number;
      if (takes_few_cases() && number % 11 != 0) continue;
      local_ways.add(way_of<std::uint32_t, int>(size, near_array{}, less{}));
      check_local(disordered_keys<std::uint32_t>(d, size, random), less{}, number);
    }
  }
  segmented_ways.check_most_are_small();
  local_ways.check_most_are_small();
}

TEST_CASE("small arrays, in segments that end where a tile has room for them, or no more") {
  std::mt19937 random(76);
  int number = 0;
  for (const int share : {76, 227, 454, 757, 1515}) {
    const int size = share * gpu().multiprocessors;
    if (size < 10'000) continue;  // one tile, or a few
    // Of many short segments, as below.
    const auto cells = small_tiles_of<std::uint32_t>(size, segments_of_count(size / 10), less{}).tiling.cells;
    const auto cell = static_cast<int>(cells.cell_items), slack = static_cast<int>(cells.slack);
    for (const int before : {1, cell - 1, cell, cell + 1}) {
      for (const int behind : {slack - 1, slack, slack + 1}) {
        ++number;
        if (takes_few_cases() && number % 7 != 0) continue;
        std::vector<int> lengths;
        int at = 0;
        const auto push = [&](int end) {
          lengths.push_back(end - at);
          at = end;
        };
        // At every third border, with short ones between. The last one ends with the array.
        for (int border = 3 * cell; border + behind <= size; border += 3 * cell) {
          while (at < border - before) push(std::min(border - before, at + 1 + static_cast<int>(random() % 20)));
          push(border + behind);
        }
        const auto cut = cut_of(lengths);
        const auto segment_count = segments_of_count(static_cast<offset>(lengths.size()));
        REQUIRE(way_of<std::uint32_t, int>(at, segment_count, less{}) == sort_way::in_small_tiles);
        const auto tiling = small_tiles_of<std::uint32_t, int>(at, segment_count, less{}).tiling;
        REQUIRE((!tiling.begin_with_segments && tiling.cells.cell_items == cell && tiling.cells.slack == slack));
        const auto keys = disordered_keys<std::uint32_t>(all_disorders[number % 8], at, random);
        const sorting sorted(keys, cut, less{});
        for_each_executor([&](auto executor) {
          INFO(size, " elements, ", before, " before the border and ", behind, " behind it");
          const segments_in<decltype(executor)> segments(cut, number);
          const auto check = [&](const auto& descriptor) {
            check_keys<segmented>(executor, sorted, descriptor, less{}, number % 4);
            check_pairs<stable_segmented>(executor, sorted, numbers_below(keys.size()), descriptor, less{},
                                          number % 16);
          };
          check(segments.offsets());
          check(segments.heads());
          check(segments.flags());
          check(segments.begins_and_ends());
        });
      }
    }
  }
}

/// Lengths of few segments: around those of one tile and of several, of none, and of any.
std::vector<int> lengths_around_tiles(int elements, int tile, int usual, std::mt19937& random) {
  const std::vector<int> around{0, 1, 159, 160, 161, tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 1, 9 * tile + 5};
  std::vector<int> lengths;
  for (int left = elements; left > 0; left -= lengths.back()) {
    const int any = usual + static_cast<int>(random() % 256) * usual / 256;
    lengths.push_back(std::min(left, random() % 16 == 0 ? around[random() % around.size()] : any));
  }
  return lengths;
}

/// Counts the calls whose tiles begin with segments, all and those with tiles that are sorted by ranks.
struct few_segments_count {
  int calls = 0, all = 0, ranked = 0;

  template <class Key, class Value, class Segments, class Compare>
  void add(offset elements, const Segments& segments, const Compare& compare) {
    REQUIRE(way_of<Key, Value>(elements, segments, compare) == sort_way::in_small_tiles);
    const auto tiles = small_tiles_of<Key, Value>(elements, segments, compare);
    ++calls;
    if (!tiles.tiling.begin_with_segments) return;
    ++all;
    if (tiles.kind == tile_kind::ranked) ++ranked;
  }
};

TEST_CASE("small arrays, in few segments, with which tiles begin") {
  std::mt19937 random(77);
  const auto [cc, multiprocessors, unused] = gpu();
  const int tile = mgpu::detail::tuning::sort_small_tiles(cc, {4, 0, 4}).items_per_tile();
  int number = 0;
  few_segments_count few, with_gaps;
  for (const int share : {23, 68, 303, 757, 1136}) {
    const int size = share * multiprocessors;
    for (const gaps g : {gaps::none, gaps::at_both_ends, gaps::everywhere}) {
      for (int repeat = 0; repeat < 2; ++repeat) {
        ++number;
        if (takes_few_cases() && number % 7 != 0) continue;
        // Gaps count as segments do: so these are longer there.
        const int usual = g == gaps::everywhere ? tile / 2 : tile / 5;
        const auto cut = cut_of(lengths_around_tiles(size, tile, usual, random), g, static_cast<unsigned>(number));
        const auto count = static_cast<int>(cut.elements);
        const auto keys = disordered_keys<std::uint32_t>(all_disorders[number % 8], count, random);
        const sorting sorted(keys, cut, less{});
        for_each_executor([&](auto executor) {
          INFO("number ", number, ", ", size, " elements");
          const segments_in<decltype(executor)> segments(cut, number);
          for (const auto as : all_descriptors) {
            if (!can_tell(as, cut)) continue;
            if (as == segments_as::flags && share > 1000) continue;  // small arrays of such segments end before
            segments.give(as, [&](const auto& descriptor) {
              (g == gaps::everywhere ? with_gaps : few).template add<std::uint32_t, int>(count, descriptor, less{});
              check_keys<segmented>(executor, sorted, descriptor, less{}, number % 4);
              check_pairs<stable_segmented>(executor, sorted, numbers_below(keys.size()), descriptor, less{},
                                            number % 16);
            });
          }
        });
      }
    }
  }
  if (takes_few_cases() || multiprocessors < 64) return;  // which has too few segments
  // Else the lengths are to be drawn otherwise. Flags do not tell how many segments there are.
  CHECK((3 * few.all > few.calls && few.ranked > 0 && few.ranked < few.all));
  CHECK((2 * with_gaps.all > with_gaps.calls && with_gaps.ranked > 0 && with_gaps.ranked < with_gaps.all));
}

TEST_CASE_TEMPLATE("small arrays of elements of several sizes, in few segments, with which tiles begin", Pair,
                   pair_of<key12, std::uint32_t> MGPU_TEST_MORE(pair_of<key32, value_bytes<12>>,
                                                                pair_of<opaque, std::int32_t>)) {
  using key = typename Pair::key;
  using value = typename Pair::value;
  const less_of<key> compare;
  const auto [cc, multiprocessors, unused] = gpu();
  const int tile =
      mgpu::detail::tuning::sort_small_tiles(cc, mgpu::detail::core::sort_case<key, value>()).items_per_tile();
  std::mt19937 random(78);
  few_segments_count few, of_numbers;
  int number = 0;
  for (const int share : {23, 227, 455, 682}) {
    const int size = share * multiprocessors;
    ++number;
    if (takes_few_cases() && number % 3 != 0) continue;
    const auto cut = cut_of(lengths_around_tiles(size, tile, tile / 4, random), gaps::at_both_ends);
    const auto count = static_cast<int>(cut.elements);
    const auto segment_count = segments_of_count(static_cast<offset>(cut.begins.size()));
    few.template add<key, value>(count, segment_count, compare);
    of_numbers.template add<std::uint32_t, int>(count, segment_count, answer_at_random{});
    const sorting s(keys_of_ranks<key>(disordered_ranks(disorder::random, count, ranks<key>, random)), cut, compare);
    const auto keys = random_bytes<std::uint32_t>(count, random);
    for_each_executor([&](auto executor) {
      const segments_in<decltype(executor)> segments(cut, number);
      check_pairs<stable_segmented>(executor, s, values_for<value>(s.keys.size()), segments.offsets(), compare, number);
      check_permutes<stable_segmented, remains::some>(executor, executor.policy(), keys, cut, segments.offsets(),
                                                      answer_at_random{}, [](const auto& f) { f(); });
    });
  }
  if (takes_few_cases()) return;
  CHECK((few.ranked > 0 && few.ranked < few.all));
  CHECK(of_numbers.ranked > 0);
}

TEST_CASE_TEMPLATE("small arrays of numbers, in both orders", Key,
                   std::int16_t MGPU_TEST_MORE(double, std::uint8_t, float, std::int32_t)) {
  std::mt19937 random(72);
  int number = 0;
  for (const int size : small_sizes<Key>()) {
    ++number;
    if (takes_few_cases() && number % 9 != 0) continue;
    const auto keys = disordered_keys<Key>(disorder::random, size, random);
    if constexpr (has_more_kinds || std::is_integral_v<Key>) check_local(keys, less{}, number);
    if constexpr (has_more_kinds || !std::is_integral_v<Key>) check_local(keys, cuda::std::greater<>{}, number);
  }
}

TEST_CASE("small arrays with NaNs hold elements of theirs, and zeros of both signs keep their order") {
  std::mt19937 random(73);
  for (const int size : small_sizes()) {
    std::vector<float> keys(static_cast<std::size_t>(size));
    for (auto& x : keys) x = static_cast<float>(random() % 5) * (random() % 2 == 0 ? 1.0f : -1.0f);
    check_local(keys, less{}, size);
    for (auto& x : keys) x = random() % 3 == 0 ? std::numeric_limits<float>::quiet_NaN() : x;
    for_each_executor([&](auto executor) {
      const auto call = [](const auto& f) { f(); };
      check_permutes<local, remains::some>(executor, executor.policy(), keys, one_segment(size), whole_array, less{},
                                           call);
    });
  }
}

TEST_CASE_TEMPLATE("small arrays of elements of several sizes, by a comparator or by less", Pair,
                   pair_of<key12, std::uint32_t> MGPU_TEST_MORE(pair_of<key32, value_bytes<12>>,
                                                                pair_of<opaque, std::int32_t>,
                                                                pair_of<std::uint8_t, value_bytes<16>>,
                                                                pair_of<key16, value_bytes<16>>,
                                                                pair_of<wide_key<40>, float>)) {
  using key = typename Pair::key;
  using value = typename Pair::value;
  const less_of<key> compare;
  std::mt19937 random(74);
  int number = 0;
  for (const int size : small_sizes<key, value>(compare)) {
    ++number;
    if (takes_few_cases() && number % 5 != 0) continue;
    const auto drawn = disordered_ranks(all_disorders[number % 8], size, ranks<key>, random);
    const auto cut = cut_of(lengths_of(number % 2 == 0 ? sharing::zipf : sharing::one_long, size, random));
    const sorting s(keys_of_ranks<key>(drawn), one_segment(size), compare);
    const sorting in_segments(s.keys, cut, compare);
    const auto values = values_for<value>(s.keys.size());
    for_each_executor([&](auto executor) {
      INFO("number ", number);
      const segments_in<decltype(executor)> segments(cut, number);
      check_keys<local>(executor, s, whole_array, compare, number % 4);
      check_pairs<local>(executor, s, values, whole_array, compare, number % 16);
      check_pairs<stable_segmented>(executor, in_segments, values, segments.offsets(), compare, number % 16);
    });
  }
}

TEST_CASE("small arrays by a comparator that is no order hold elements of theirs, and pairs stay together") {
  std::mt19937 random(75);
  int number = 0;
  for (const int size : small_sizes()) {
    ++number;
    if (takes_few_cases() && number % 3 != 0) continue;
    const auto keys = random_bytes<std::uint32_t>(size, random);
    const auto cut = cut_of(lengths_of(sharing::zipf, size, random), gaps::at_both_ends);
    const auto more_keys = random_bytes<std::uint32_t>(static_cast<int>(cut.elements), random);
    for_each_executor([&](auto executor) {
      const auto call = [](const auto& f) { f(); };
      const segments_in<decltype(executor)> segments(cut, number);
      check_permutes<local, remains::some>(executor, executor.policy(), keys, one_segment(size), whole_array,
                                           answer_at_random{}, call);
      check_permutes<stable_segmented, remains::some>(executor, executor.policy(), more_keys, cut,
                                                      segments.begins_and_ends(), answer_at_random{}, call);
    });
  }
}

TEST_CASE("small arrays of wide keys by a comparator that is no order: elements stay whole") {
  std::mt19937 random(79);
  const auto call = [](const auto& f) { f(); };
  for (const int size : {33, 200, 256, 500, 2000, 16'000}) {
    if (takes_few_cases() && size != 200 && size != 2000) continue;
    const auto cut = cut_of(lengths_around_tiles(size, 512, 200, random), gaps::at_both_ends);
    const auto keys = random_bytes<number12>(static_cast<int>(cut.elements), random);
    const auto all = one_segment(cut.elements);
    for_each_executor([&](auto executor) {
      const segments_in<decltype(executor)> segments(cut);
      check_permutes<local, remains::some>(executor, executor.policy(), keys, all, whole_array, answer_at_random{},
                                           call);
      check_permutes<stable_segmented, remains::some>(executor, executor.policy(), keys, cut, segments.offsets(),
                                                      answer_at_random{}, call);
    });
  }
}
