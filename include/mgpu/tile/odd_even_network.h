// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/slot.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// One layer of Batcher's odd-even merge sort in its iterative form. Groups of 2^group_log elements, whose halves are
/// sorted, are merged by layers of the strides 2^(group_log - 1) to 1. A layer compares elements i and i + stride() for
/// every left index i. It exchanges them if the right one goes before the left one. In an array of n elements only
/// pairs with i + stride() < n are compared. No element takes part in two comparisons of a layer.
/// Source: "Parallel Sorting on GPU: Part 2", after K. E. Batcher (1968).
struct odd_even_layer {
  int group_log, stride_log;

  MGPU_HOST_DEVICE constexpr offset stride() const { return offset{1} << stride_log; }
  /// The first layer compares the two halves of a group. With shorter strides every second stretch is compared with the
  /// next.
  MGPU_HOST_DEVICE constexpr bool is_first() const { return stride_log == group_log - 1; }
  MGPU_HOST_DEVICE constexpr bool is_left(offset i) const {
    const offset stretch = i >> stride_log, last = (offset{1} << (group_log - stride_log)) - 1;
    return is_first() ? stretch % 2 == 0 : stretch % 2 != 0 && (stretch & last) != last;
  }
  MGPU_HOST_DEVICE constexpr odd_even_layer next() const {
    return stride_log > 0 ? odd_even_layer{group_log, stride_log - 1} : odd_even_layer{group_log + 1, group_log};
  }
};
inline constexpr odd_even_layer first_odd_even_layer{1, 0};

/// Bits i + 1 to j.
MGPU_HOST_DEVICE constexpr unsigned bits_after(int i, int j) { return ((2u << (j - i - 1)) - 1) << (i + 1); }

/// Exchanges x and y if `together` holds and y goes before x.
MGPU_EXEC_CHECK_DISABLE
template <class T, class Compare>
MGPU_HOST_DEVICE MGPU_FORCE_INLINE void put_in_order(base::slot<T>& x, base::slot<T>& y, bool together,
                                                     const Compare& compare) {
  const bool exchanges = together && compare(y.value, x.value);
  const T low = exchanges ? y.value : x.value;
  const T high = exchanges ? x.value : y.value;
  x.put(low);
  y.put(high);
}

/// Rounds [begin, end) of odd_even_transposition_sort.
template <int begin, int end, int Items, class T, class Compare>
MGPU_HOST_DEVICE MGPU_FORCE_INLINE void odd_even_transpositions(base::slot<T> (&x)[Items], unsigned heads,
                                                                const Compare& compare) {
  MGPU_UNROLL
  for (int round = begin; round < end; ++round) {
    MGPU_UNROLL
    for (int i = round & 1; i + 1 < Items; i += 2) {
      tile::put_in_order(x[i], x[i + 1], (heads & bits_after(i, i + 1)) == 0, compare);
    }
  }
}

/// Sorts each segment of x. Bit i of `heads` is set if x[i] is the first element of a segment. Stable: it exchanges
/// neighbours only. At most Items^2 / 2 comparisons. Segments of n elements are sorted after n rounds. In registers, on
/// the GPU.
template <int Items, class T, class Compare>
MGPU_HOST_DEVICE MGPU_FORCE_INLINE void odd_even_transposition_sort(base::slot<T> (&x)[Items], unsigned heads,
                                                                    const Compare& compare) {
  tile::odd_even_transpositions<0, Items>(x, heads, compare);
}

/// Whether `count` of the lowest `bits` bits, one next to the other, are 0. Requires: count is a power of two.
MGPU_HOST_DEVICE constexpr bool has_zeros(unsigned word, int bits, int count) {
  unsigned zeros = ~word & ((2u << (bits - 1)) - 1);  // where stretches of 1, 2, 4, ... begin
  for (int length = 1; length < count; length *= 2) zeros &= zeros >> length;
  return zeros != 0;
}

/// One step of odd_even_merge_sort, and the steps after it.
template <int p, int q, int r, int d, int Items, class T, class Compare>
MGPU_HOST_DEVICE MGPU_FORCE_INLINE void odd_even_merge_steps(base::slot<T> (&x)[Items], unsigned heads,
                                                             const Compare& compare) {
  MGPU_UNROLL
  for (int i = 0; i + d < Items; ++i) {
    if ((i & p) == r) tile::put_in_order(x[i], x[i + d], (heads & bits_after(i, i + d)) == 0, compare);
  }
  if constexpr (q != p) tile::odd_even_merge_steps<p, q / 2, p, q - p>(x, heads, compare);
}

template <int p, int top, int Items, class T, class Compare>
MGPU_HOST_DEVICE MGPU_FORCE_INLINE void odd_even_merge_phases(base::slot<T> (&x)[Items], unsigned heads,
                                                              const Compare& compare) {
  tile::odd_even_merge_steps<p, top, 0, p>(x, heads, compare);
  if constexpr (p > 1) tile::odd_even_merge_phases<p / 2, top>(x, heads, compare);
}

MGPU_HOST_DEVICE constexpr int power_of_two_below(int n) {
  int p = 1;
  while (2 * p < n) p *= 2;
  return p;
}

/// Sorts each segment of x by a network with fewer comparators than odd_even_transposition_sort's. Not stable. Elements
/// of different segments are in order by their places, so leaving out their comparators changes nothing. In registers,
/// on the GPU.
/// Source: D. E. Knuth, "The Art of Computer Programming", volume 3, 5.2.2, algorithm M, after K. E. Batcher (1968).
template <int Items, class T, class Compare>
MGPU_HOST_DEVICE MGPU_FORCE_INLINE void odd_even_merge_sort(base::slot<T> (&x)[Items], unsigned heads,
                                                            const Compare& compare) {
  if constexpr (Items > 1) {
    constexpr int top = power_of_two_below(Items);
    tile::odd_even_merge_phases<top, top>(x, heads, compare);
  }
}

}  // namespace detail::tile
MGPU_NAMESPACE_END
