// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/tile/branch_free.h>
#include <mgpu/tile/host/interleaved_merge.h>
#include <mgpu/tile/range.h>

#include <cuda/std/type_traits>

#include MGPU_STD_COPY_HEADER

#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// A stable merge sort of keys, with or without values, by one CPU thread.
template <class Key, class Value, bool has_values, class Compare>
struct host_sort {
  Key* keys[2];      // the elements, and as much scratch memory
  Value* values[2];  // the same
  const Compare& compare;

  /// Sorts elements [begin, end) in place. Writes the same positions of the scratch memory. If `compare` throws, they
  /// hold a permutation of the elements.
  void run(offset begin, offset end) const {
    const offset count = end - begin;
    if (is_ordered(begin, end)) return;
    // Runs are merged an even number of times, so that the last merge ends in the elements' own memory.
    int levels = 0;
    while (count >> levels > long_run) levels += 2;
    const offset run = base::ceil_div(count, offset{1} << levels);
    const auto border = [&](offset i) { return base::min(begin + i * run, end); };
    const offset runs = base::ceil_div(count, run);
    for (offset i = 0; i < runs; ++i) sort_run(border(i), border(i + 1));
    merge_runs(0, levels, runs, border);
  }

 private:
  using values_iterator = cuda::std::conditional_t<has_values, Value*, base::no_values>;

  /// Whether elements are small, so that steps without branches choose one of two.
  static constexpr bool is_small =
      is_register_choice<Key*, Key*> && is_register_choice<values_iterator, values_iterator>;
  /// The longest runs that are not merged by run(). 2^24 u32, 2 cores (Sapphire Rapids), omp, segments of 100 / of
  /// 10,000 / random, ms: 16 elements 110 / 167 / 224, 32 106 / 147 / 226, 64 100 / 151 / 223; by insertion, 24
  /// elements, 163 / 216 / 301 (2026-11-23).
  static constexpr offset long_run = is_small ? 32 : 24;

  values_iterator values_at(int side, offset i) const {
    if constexpr (has_values) return values[side] + i;
    else return {};
  }

  /// Whether elements are in order. If each is before the one in front of it, they are reversed first.
  bool is_ordered(offset begin, offset end) const {
    offset i = begin + 1;
    while (i < end && !compare(keys[0][i], keys[0][i - 1])) ++i;
    if (i >= end) return true;
    if (i > begin + 1) return false;
    while (i < end && compare(keys[0][i], keys[0][i - 1])) ++i;
    if (i < end) return false;
    reverse(keys[0] + begin, end - begin);
    if constexpr (has_values) reverse(values[0] + begin, end - begin);
    return true;
  }
  /// std::reverse would call a user's swap.
  template <class T>
  static void reverse(T* x, offset count) {
    for (offset i = 0; i < count / 2; ++i) {
      const T first = x[i];
      x[i] = x[count - 1 - i];
      x[count - 1 - i] = first;
    }
  }

  /// Sorts at most `long_run` elements in place.
  void sort_run(offset begin, offset end) const {
    if constexpr (is_small) {
      // Pieces of at most four, as many as a power of two, on the side from which the last merge writes side 0.
      constexpr offset piece = 4;
      int levels = 0;
      while (end - begin > piece << levels) ++levels;
      const int first_side = levels % 2;
      const auto border = [&](offset i) { return begin + ((end - begin) * i >> levels); };
      const offset pieces = offset{1} << levels;
      for (offset i = 0; i < pieces; ++i) sort_piece(first_side, border(i), border(i + 1));
      merge_runs(first_side, levels, pieces, border);
    } else {
      insertion_sort(begin, end);
    }
  }

  /// Merges runs, which lie on one side, to one: in so many levels, from side to side.
  template <class Border>
  void merge_runs(int side, int levels, offset runs, const Border& border) const {
    try {
      for (offset width = 1; levels > 0; --levels, width *= 2, side = 1 - side) {
        for (offset i = 0; i < runs; i += 2 * width) {
          merge(side, border(i), border(base::min(i + width, runs)), border(base::min(i + 2 * width, runs)));
        }
      }
    } catch (...) {
      if (side == 1) copy(1, 0, border(0), border(runs));
      throw;
    }
  }

  /// Sorts at most four elements, and writes them to a side.
  void sort_piece(int to, offset begin, offset end) const {
    if (end - begin == 4) return sort_four(to, begin);
    if (to != 0) copy(0, to, begin, end);
    for (offset i = begin + 1; i < end; ++i) {
      for (offset j = i; j > begin; --j) order_two(to, j);
    }
  }

  /// Swaps elements at - 1 and `at` of a side if they are out of order.
  void order_two(int side, offset at) const {
    Key* const two = keys[side] + at - 1;
    const offset swaps = tile::as_mask(static_cast<bool>(compare(two[1], two[0])));
    swap_if(swaps, two);
    if constexpr (has_values) swap_if(swaps, values[side] + at - 1);
  }
  template <class T>
  static void swap_if(offset swaps, T* two) {
    const T first = two[0], second = two[1];
    two[0] = tile::choose_bits(swaps, first, second);
    two[1] = tile::choose_bits(swaps, second, first);
  }

  /// Sorts four elements by five comparisons, and writes them to a side.
  void sort_four(int to, offset begin) const {
    const Key* const four = keys[0] + begin;
    const auto is_before = [&](offset i, offset j) {
      return tile::as_mask(static_cast<bool>(compare(four[i], four[j])));
    };
    const offset swaps_first = is_before(1, 0), swaps_last = is_before(3, 2);
    const offset a = -swaps_first, b = 1 + swaps_first;   // in order
    const offset c = 2 - swaps_last, d = 3 + swaps_last;  // in order
    const offset takes_c = is_before(c, a), takes_b = is_before(d, b);
    // Of the two in the middle, `left` goes first if they are equal.
    const offset left = tile::choose_bits(takes_c, tile::choose_bits(takes_b, b, c), a);
    const offset right = tile::choose_bits(takes_b, tile::choose_bits(takes_c, c, b), d);
    const offset swaps_middle = is_before(right, left);
    const offset from[] = {tile::choose_bits(takes_c, a, c), tile::choose_bits(swaps_middle, left, right),
                           tile::choose_bits(swaps_middle, right, left), tile::choose_bits(takes_b, d, b)};
    write_four(four, from, keys[to] + begin);
    if constexpr (has_values) write_four(values[0] + begin, from, values[to] + begin);
  }
  template <class T>
  static void write_four(const T* in, const offset (&from)[4], T* out) {
    const T sorted[] = {in[from[0]], in[from[1]], in[from[2]], in[from[3]]};
    for (int i = 0; i < 4; ++i) out[i] = sorted[i];
  }

  void insertion_sort(offset begin, offset end) const {
    for (offset i = begin + 1; i < end; ++i) {
      const Key key = keys[0][i];
      if (!compare(key, keys[0][i - 1])) continue;
      if constexpr (has_values) {
        const Value value = values[0][i];
        insert(key, begin, i, [&](offset to) {
          keys[0][to] = key;
          values[0][to] = value;
        });
      } else {
        insert(key, begin, i, [&](offset to) { keys[0][to] = key; });
      }
    }
  }

  /// Moves up the elements before `to` that `key` goes before, and puts `key` there; also if a comparison throws.
  template <class Put>
  void insert(const Key& key, offset begin, offset to, const Put& put) const {
    try {
      for (; to > begin && compare(key, keys[0][to - 1]); --to) {
        keys[0][to] = keys[0][to - 1];
        if constexpr (has_values) values[0][to] = values[0][to - 1];
      }
    } catch (...) {
      put(to);
      throw;
    }
    put(to);
  }

  void copy(int from, int to, offset begin, offset end) const {
    std::copy(keys[from] + begin, keys[from] + end, keys[to] + begin);
    if constexpr (has_values) std::copy(values[from] + begin, values[from] + end, values[to] + begin);
  }

  /// Merges two runs from one side to the other.
  void merge(int from, offset begin, offset middle, offset end) const {
    const host_merge<Key*, Key*, values_iterator, values_iterator, Key*, values_iterator, Compare> serial{
        keys[from] + begin,
        keys[from] + middle,
        values_at(from, begin),
        values_at(from, middle),
        keys[1 - from] + begin,
        values_at(1 - from, begin),
        compare};
    const range all{0, middle - begin, 0, end - middle};
    if constexpr (is_small) {
      const offset more = (end - middle) - (middle - begin);
      // The same in ms: four lanes from 128 elements on 106 / 159 / 228, 256 106 / 147 / 226, 1,024 111 / 150 / 234.
      if (end - begin >= 256) serial.run_interleaved(all, std::make_index_sequence<4>{});
      else if (more >= -1 && more <= 1) serial.run_from_both_ends(all);
      else serial.run_branch_free(all);
    } else {
      serial.run(all);
    }
  }
};

}  // namespace detail::tile
MGPU_NAMESPACE_END
