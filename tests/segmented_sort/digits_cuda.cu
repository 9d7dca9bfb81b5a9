// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Numbers in few long segments, which the GPU sorts by their digits, and bytes, which it sorts by counting them.
#include "support/async.h"
#include "support/check_sort.h"
#include "support/sort_patterns.h"
#include "support/sort_ways.h"
#include "support/throws_ours.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace {

using namespace test;
using less = cuda::std::less<>;
using greater = cuda::std::greater<>;

/// The least arrays that go a way in as many stretches as few_segments has, and a few elements that fill no tile.
template <class Key, class Value = keys_alone>
int least_count(sort_way wanted) {
  const auto way = [](offset count) { return way_of<Key, Value>(count, segments_of_count(9), less{}); };
  const count_range range = counts_of(wanted, way);
  REQUIRE(range.first + 4321 <= range.last);
  return static_cast<int>(range.first) + 4321;
}
template <class Key, bool has_values>
int digit_sorted_count() {
  return least_count<Key, std::conditional_t<has_values, int, keys_alone>>(sort_way::by_digits);
}
int counted_bytes() { return least_count<std::uint8_t>(sort_way::by_counts); }

/// Whether these segments of keys, with values or alone, go a way.
template <class Key, class Value = keys_alone, class Segments>
void require_way(sort_way wanted, const segmentation& cut, const Segments& segments) {
  INFO(cut.elements, " elements in ", cut.begins.size(), " segments");
  REQUIRE(way_of<Key, Value>(cut.elements, segments, less{}) == wanted);
}

/// Lets the keys of a segment differ only in the bits of `mask`, those of every second one in the next byte's instead,
/// and different segments in all bits.
template <class Key>
void let_differ(std::vector<Key>& keys, const segmentation& cut, std::uint64_t mask, std::mt19937& random) {
  for (std::size_t s = 0; s < cut.begins.size(); ++s) {
    const std::uint64_t own_mask = s % 2 == 0 ? mask : mask << 8;
    for (auto i = static_cast<std::size_t>(cut.begins[s]); i < static_cast<std::size_t>(cut.ends[s]); ++i) {
      const Key first = keys[static_cast<std::size_t>(cut.begins[s])];
      std::uint64_t bits = 0;
      std::memcpy(&bits, &first, sizeof(Key));
      bits ^= (std::uint64_t{random()} << 32 | random()) & own_mask;
      Key key;
      std::memcpy(&key, &bits, sizeof(Key));
      keys[i] = key == key ? key : first;
    }
  }
}

/// Few segments of `count` elements in all: one, one between gaps, uneven ones with empty ones, with gaps everywhere.
std::vector<segmentation> few_segments(int count) {
  const int n = count;
  return {cut_of({n}), cut_of({n - 2000}, gaps::at_both_ends, 3), cut_of({n / 2, 0, 1, n / 3, n - n / 2 - n / 3 - 1}),
          cut_of({0, n / 3, n - n / 3 - 1500, 0}, gaps::everywhere, 4)};
}

/// Told of by offsets, so that a type takes one instance of each sort.
template <class Key, class Compare>
void check_numbers(unsigned seed) {
  std::mt19937 random(seed);
  const int pairs = digit_sorted_count<Key, true>();
  // No element moves by a digit that all share: of all digits, of all but one, of half of them, of none.
  const std::uint64_t masks[] = {0, 0xff00, (std::uint64_t{1} << 4 * sizeof(Key)) - 1, ~std::uint64_t{0}};
  unsigned number = seed;
  for (const auto& cut : few_segments(pairs)) {
    if (!can_tell(segments_as::offsets, cut)) continue;
    auto keys = random_numbers<Key>(static_cast<int>(cut.elements), random);
    for (const bool are_alike : {false, true}) {
      if (are_alike) let_differ(keys, cut, masks[number++ % 4], random);
      const sorting<Key> s(keys, cut, Compare{});
      const segments_in<cuda_executor> segments(cut);
      require_way<Key, int>(sort_way::by_digits, cut, segments.offsets());
      check_pairs<stable_segmented>(cuda_executor{}, s, numbers_below(s.keys.size()), segments.offsets(), Compare{}, 3);
      CHECK(segments.unchanged());
    }
  }
  if constexpr (sizeof(Key) < 8) {  // keys of 8 bytes are tried with values
    for (const auto& cut : few_segments(digit_sorted_count<Key, false>())) {
      const sorting<Key> s(random_numbers<Key>(static_cast<int>(cut.elements), random), cut, Compare{});
      const segments_in<cuda_executor> segments(cut);
      if (!can_tell(segments_as::offsets, cut)) continue;
      require_way<Key>(sort_way::by_digits, cut, segments.offsets());
      check_keys<stable_segmented>(cuda_executor{}, s, segments.offsets(), Compare{}, 1);
    }
  }
}

/// Many segments of bytes: short ones side by side, long ones, and some that borders of tiles cut.
std::vector<segmentation> byte_segments(int count, std::mt19937& random) {
  std::vector<segmentation> all = few_segments(count);
  std::vector<int> even, crowded{count / 3};
  for (int left = count; left > 0; left -= even.back()) even.push_back(std::min(left, 4097));
  for (int i = 0; i < count / 1100 - 4; ++i)
    crowded.push_back(static_cast<int>(i % 3 == 0 ? random() % 100 : random() % 5));
  all.push_back(cut_of(even));
  all.push_back(cut_of(crowded, gaps::at_both_ends, 5));
  all.back().elements = std::max<offset>(all.back().elements, count);
  return all;
}

template <class Key, class Compare>
void check_bytes(unsigned seed) {
  std::mt19937 random(seed);
  const int least = counted_bytes();
  for (const int count : {least, least * (takes_few_cases() ? 1 : 3) + 77}) {
    for (const auto& cut : byte_segments(count, random)) {
      for (const int kinds : {256, 3}) {
        std::vector<Key> keys(static_cast<std::size_t>(cut.elements));
        for (Key& key : keys) key = static_cast<Key>(random() % static_cast<unsigned>(kinds));
        const sorting<Key> s(keys, cut, Compare{});
        const segments_in<cuda_executor> segments(cut);
        if (!can_tell(segments_as::offsets, cut)) continue;
        require_way<Key>(sort_way::by_counts, cut, segments.offsets());
        check_keys<stable_segmented>(cuda_executor{}, s, segments.offsets(), Compare{}, kinds % 5);
      }
    }
  }
}

/// Bad positions of keys of this type are found if the policy waits. Each element stays what it is.
template <class Key>
void check_bad(sort_way wanted, int elements) {
  const offset n = elements;
  std::mt19937 random(91);
  const auto keys = random_numbers<Key>(elements, random);
  using positions = std::vector<offset>;
  for (const auto& bad : {positions{0, n + 1}, positions{-1, n}, positions{0, n / 2 + 5, n / 2, n}, positions{n, 0},
                          positions{0, n / 3, std::numeric_limits<offset>::max(), n},
                          positions{std::numeric_limits<offset>::min(), 5, n}}) {
    const input<cuda_executor, offset> in(bad);
    const mgpu::segment_offsets segments(in.begin(), static_cast<offset>(bad.size()) - 1);
    require_way<Key>(wanted, one_segment(n), segments);
    const auto throws = [](const auto& f) { CHECK(throws_ours(f)); };
    const auto runs = [](const auto& f) { f(); };
    check_permutes<stable_segmented>(cuda_executor{}, mgpu::par, keys, one_segment(n), segments, less{}, throws);
    check_permutes<stable_segmented>(cuda_executor{}, mgpu::par_nosync, keys, one_segment(n), segments, less{}, runs);
  }
  const input<cuda_executor, offset> head({n});
  const mgpu::segment_heads heads(head.begin(), head.end());
  require_way<Key>(wanted, one_segment(n), heads);
  check_permutes<segmented>(cuda_executor{}, mgpu::par, keys, one_segment(n), heads, less{},
                            [](const auto& f) { CHECK(throws_ours(f)); });
}

/// A call in a graph takes the keys and the segments that it finds.
template <class Key>
void check_graph(sort_way wanted, int elements) {
  require_way<Key>(wanted, one_segment(elements), segments_of_count(2));
  const stream s;
  std::mt19937 random(92);
  const auto keys = random_numbers<Key>(elements, random);
  const sorted_array on_device(cuda_executor{}, keys);
  std::vector<offset> positions{100, elements / 2, elements - 7};
  const output<cuda_executor, offset> bounds(3);
  const graph captured(s, [&] {
    mgpu::segmented_sort(mgpu::par_nosync.on(s), on_device.begin(), on_device.end(),
                         mgpu::segment_offsets(bounds.begin(), 2));
  });
  for (const offset middle : {offset{elements / 2}, offset{elements / 3}, offset{100}}) {
    positions[1] = middle;
    cuda_executor::copy_in(bounds.begin(), positions.data(), 3 * sizeof(offset));
    on_device.put(keys);
    require_cuda(cudaDeviceSynchronize());
    captured.launch(s);
    require_cuda(cudaStreamSynchronize(s));
    const sorting<Key> expected(keys, {elements, {positions[0], positions[1]}, {positions[1], positions[2]}}, less{});
    CHECK(on_device.holds(expected.in_order(keys)));
  }
}

/// What takes no offsets. These are functions and no lambdas, of which nvcc would compile all that stand here.
template <class Key>
void check_told(sort_way wanted, int count) {
  std::mt19937 random(73);
  for (const auto& cut : few_segments(count)) {
    const sorting<Key> s(random_numbers<Key>(static_cast<int>(cut.elements), random), cut, less{});
    const segments_in<cuda_executor> segments(cut);
    for (const auto as : {segments_as::heads, segments_as::begins_and_ends}) {
      if (!can_tell(as, cut)) continue;
      const auto check = [&](const auto& descriptor) {
        require_way<Key>(wanted, cut, descriptor);
        check_keys<stable_segmented>(cuda_executor{}, s, descriptor, less{}, 1);
      };
      if (as == segments_as::heads) check(segments.heads());
      else check(segments.begins_and_ends());
    }
  }
}

template <class Key, class Value>
void check_width() {
  std::mt19937 random(74);
  const int count = least_count<Key, Value>(sort_way::by_digits);
  const auto cut = cut_of({count / 3, count - count / 3});
  const sorting<Key> s(random_numbers<Key>(count, random), cut, less{});
  const segments_in<cuda_executor> segments(cut);
  require_way<Key, Value>(sort_way::by_digits, cut, segments.offsets());
  std::vector<Value> values(s.keys.size());
  for (Value& x : values) x = static_cast<Value>(random());
  check_pairs<stable_segmented>(cuda_executor{}, s, values, segments.offsets(), less{}, 1);
}

/// Lengths of segments that tiles sort by digits: of none, one, a warp's, a tile's and more, and of any.
std::vector<int> lengths_of_digit_tiles(int elements, int tile, std::mt19937& random) {
  const std::vector<int> chosen{0, 1, 33, 511, 512, 1024, 1025, tile - 1, tile, tile + 1, 3 * tile + 5};
  std::vector<int> lengths;
  for (int left = elements; left > 0; left -= lengths.back()) {
    const int any = 1300 + static_cast<int>(random() % 1900);
    lengths.push_back(std::min(left, random() % 8 == 0 ? chosen[random() % chosen.size()] : any));
  }
  return lengths;
}

/// What the keys of segments have in common: nothing; all but the last bits; the first two bytes and no other; the
/// first ones but for few keys; all of them but for one key; or they ascend already.
enum class likeness { none, last_bits, first_bytes, few_differ, one_differs, in_order };
constexpr std::size_t likenesses = 6;

template <class Key>
void make_alike(std::vector<Key>& keys, const segmentation& cut, std::mt19937& random) {
  constexpr int bits = 8 * sizeof(Key);
  const auto mask_of = [](int first, int last) { return (~std::uint64_t{0} >> (64 - (last - first))) << first; };
  for (std::size_t s = 0; s < cut.begins.size(); ++s) {
    const auto begin = keys.begin() + cut.begins[s], end = keys.begin() + cut.ends[s];
    if (begin == end) continue;
    const Key first = *begin;
    const auto differ = [&](auto from, auto to, std::uint64_t mask) {
      for (; from != to; ++from) {
        std::uint64_t x = 0;
        std::memcpy(&x, &first, sizeof(Key));
        x ^= (std::uint64_t{random()} << 32 | random()) & mask;
        std::memcpy(&*from, &x, sizeof(Key));
        if (*from != *from) *from = first;
      }
    };
    switch (static_cast<likeness>(s % likenesses)) {
      case likeness::none:
        break;
      case likeness::last_bits:
        differ(begin, end, mask_of(0, std::max(3, bits / 4 - 1)));
        break;
      case likeness::first_bytes:
        differ(begin, end, bits > 16 ? mask_of(0, bits - 16) : mask_of(0, 3));
        break;
      case likeness::few_differ:
        differ(begin, end, mask_of(0, bits / 2));
        for (auto at = begin; at < end; at += std::min<std::ptrdiff_t>(end - at, 1000))
          differ(at, at + 1, mask_of(0, bits));
        break;
      case likeness::one_differs:
        std::fill(begin, end, first);
        differ(begin + (end - begin) / 2, begin + (end - begin) / 2 + 1, mask_of(0, bits));
        break;
      case likeness::in_order:
        std::sort(begin, end);
        break;
    }
  }
}

/// Whether such segments lie in small tiles that are sorted by digits.
template <class Key, class Value, class Segments, class Compare>
void require_digit_tiles(offset count, const Segments& segments, const Compare& compare) {
  REQUIRE(way_of<Key, Value>(count, segments, compare) == sort_way::in_small_tiles);
  REQUIRE(small_tiles_of<Key, Value>(count, segments, compare).kind == tile_kind::by_digits);
}

template <class Key, class Value, class Compare>
void check_digit_tiles(unsigned seed) {
  constexpr mgpu::detail::tuning::sort_case c = mgpu::detail::core::sort_case<Key, Value>();
  const auto [cc, multiprocessors, unused] = gpu();
  const int tile = mgpu::detail::tuning::sort_digit_tiles(cc, c).items_per_tile();
  std::mt19937 random(seed);
  for (const int share : {1060, takes_few_cases() ? 1136 : 1515}) {
    const int size = share * multiprocessors;
    const auto cut = cut_of(lengths_of_digit_tiles(size, tile, random), gaps::at_both_ends, seed);
    const segments_in<cuda_executor> segments(cut);
    require_digit_tiles<Key, Value>(cut.elements, segments.offsets(), Compare{});
    auto keys = random_numbers<Key>(static_cast<int>(cut.elements), random);
    make_alike(keys, cut, random);
    const sorting<Key> s(keys, cut, Compare{});
    std::vector<Value> values(keys.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Value>(i);
    check_pairs<stable_segmented>(cuda_executor{}, s, values, segments.offsets(), Compare{},
                                  static_cast<int>(seed % 16));
    if constexpr (sizeof(Key) > 1) {  // bytes alone are counted
      require_digit_tiles<Key, keys_alone>(cut.elements, segments.offsets(), Compare{});
      check_keys<stable_segmented>(cuda_executor{}, s, segments.offsets(), Compare{}, static_cast<int>(seed % 4));
    }
    CHECK(segments.unchanged());
    if constexpr (std::is_floating_point_v<Key>) {
      for (Key& key : keys) key = random() % 3 == 0 ? std::numeric_limits<Key>::quiet_NaN() : key;
      check_permutes<stable_segmented, remains::some>(cuda_executor{}, mgpu::par, keys, cut, segments.offsets(),
                                                      Compare{}, [](const auto& f) { f(); });
    }
  }
}

}  // namespace

TEST_CASE("integers in few segments") {
  check_numbers<std::uint16_t, less>(81);
  check_numbers<std::int64_t, greater>(83);
  if constexpr (has_more_kinds) {
    check_numbers<std::uint16_t, greater>(86);
    check_numbers<std::int32_t, less>(82);
  }
}
TEST_CASE("floating-point numbers in few segments: zeros of both signs keep their order") {
  check_numbers<float, less>(84);
  if constexpr (has_more_kinds) {
    check_numbers<float, greater>(87);
    check_numbers<double, less>(85);
  }
}

TEST_CASE("bytes in segments of many lengths") {
  check_bytes<std::uint8_t, less>(71);
  if constexpr (has_more_kinds) check_bytes<std::int8_t, greater>(72);
}

TEST_CASE("few segments and bytes, told of in every way") {
  check_told<std::uint16_t>(sort_way::by_digits, digit_sorted_count<std::uint16_t, false>());
  if constexpr (has_more_kinds) check_told<std::uint8_t>(sort_way::by_counts, counted_bytes());
}

TEST_CASE("values narrower and wider than keys, and as wide") {
  check_width<std::uint16_t, std::uint8_t>();
  check_width<std::uint64_t, double>();
  if constexpr (has_more_kinds) {
    check_width<std::uint16_t, std::int16_t>();
    check_width<std::uint16_t, double>();
  }
}

TEST_CASE("bad positions of numbers in few segments, and of bytes") {
  check_bad<std::uint16_t>(sort_way::by_digits, digit_sorted_count<std::uint16_t, false>());
  check_bad<std::uint8_t>(sort_way::by_counts, counted_bytes());
}

TEST_CASE("calls with few segments, and of bytes, in a graph") {
  check_graph<std::uint16_t>(sort_way::by_digits, digit_sorted_count<std::uint16_t, false>());
  check_graph<std::uint8_t>(sort_way::by_counts, counted_bytes());
}

TEST_CASE("numbers in segments that tiles sort by their digits") {
  check_digit_tiles<std::uint32_t, std::uint32_t, less>(61);
  check_digit_tiles<float, double, less>(63);
  if constexpr (has_more_kinds) {
    check_digit_tiles<std::int32_t, std::uint16_t, greater>(62);
    check_digit_tiles<double, std::uint32_t, greater>(64);
    check_digit_tiles<std::int64_t, std::uint64_t, less>(65);
    check_digit_tiles<std::int16_t, std::uint32_t, less>(66);
    check_digit_tiles<std::int8_t, std::uint64_t, greater>(67);
  }
}
