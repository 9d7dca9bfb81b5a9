// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/plan/sort/sort.h>
#include <mgpu/segments.h>
#include <mgpu/sort_statistics.h>

#include <cuda/std/functional>

MGPU_NAMESPACE_BEGIN

/// Sorts the pairs of keys[i] and values[i] within each segment of an array by `compare` on the keys, in place.
/// Order: pairs with equal keys keep their order. Elements of no segment keep their values.
/// Requires: random-access iterators to types that can be moved; on the GPU they are trivially copyable. keys, values
///   and the sequences of `segments` do not overlap. compare is a strict weak ordering of the array's elements; it is
///   called for no other elements; merge.h says what else a comparator must be. `segments` is a segment_heads,
///   segment_flags or segment_offsets.
///   If compare is not a strict weak ordering (< on NaN), the array holds some of its elements, perhaps more than once.
///   If positions do not ascend or leave the array, it holds an unspecified permutation of its pairs. Nothing else is
///   written.
/// Cost: O(n log m) comparisons, where m is the length of the longest segment. Tiles (of some thousand elements if
///   these are small) share the elements evenly, whatever the segments' lengths are. A tile reads the positions of the
///   segments that begin or end in it, and O(log) others by searches. A tile is sorted in one pass over memory. Each
///   doubling of a segment beyond a tile takes one more pass over that segment, or over less of it if its elements are
///   already in order. On the GPU two doublings take one pass if the elements are small. Small arrays there, of up to
///   1,000 elements for each multiprocessor (2,000 to 4,000 with heads or offsets) and at most 64 bytes with their
///   values, take up to three passes. Numbers by less or greater behind contiguous iterators, without statistics: on
///   the GPU few long segments are sorted by digits, one pass for each byte in which keys differ, and bytes without
///   values by counting, in two passes (heads and offsets; flags do not tell how many segments there are).
/// Memory: the size of the arrays and some hundred bytes per tile, from the policy's allocator; twice the size if an
///   iterator is not contiguous. A sort by digits takes an eighth of the arrays more, of 2-byte keys up to three
///   tenths, and one of a small array by a comparator four bytes for each element. Large pairs, and those that are not
///   trivially copyable, take as much as locality_sort.h says. On the GPU none if the array fits in one tile, the
///   iterators are contiguous and no statistics are asked for. Stream-ordered; returns before completion under
///   par_nosync and can be captured into a CUDA graph.
/// Throws: std::invalid_argument if an end lies before its beginning or a pointer to elements or flags is null
///   (segments.h says what segments throw). If the policy synchronizes, std::invalid_argument also if positions do not
///   ascend or leave an array that has elements; the array then holds an unspecified permutation of its pairs.
///   std::bad_alloc; the array is then unchanged. mgpu::cuda_error; the array is then unspecified. On the CPU it also
///   throws what compare throws, the first of several exceptions; the array then holds a permutation of its pairs. If
///   moving an element throws, it holds elements of unspecified values.
/// Source: S. Baxter, "Modern GPU", segmented sort (2013). A. Adinets, D. Merrill, "Onesweep: A Faster Least
///   Significant Digit Radix Sort for GPUs" (2022).
template <class Policy, class Keys, class Values, class Segments, class Compare = cuda::std::less<>>
void stable_segmented_sort_by_key(const Policy& p, Keys keys, Keys keys_end, Values values, const Segments& segments,
                                  Compare compare = {}) {
  detail::plan::sort_elements<detail::core::ties::keep_order>(p, detail::plan::sort_range{keys, keys_end, values},
                                                              segments, compare, nullptr);
}

/// stable_segmented_sort_by_key that fills `statistics`. Always synchronizes, so bad segments always throw.
template <class Policy, class Keys, class Values, class Segments, class Compare>
void stable_segmented_sort_by_key(const Policy& p, Keys keys, Keys keys_end, Values values, const Segments& segments,
                                  Compare compare, sort_statistics& statistics) {
  detail::plan::sort_elements<detail::core::ties::keep_order>(p, detail::plan::sort_range{keys, keys_end, values},
                                                              segments, compare, &statistics);
}

/// stable_segmented_sort_by_key that may change the order of pairs with equal keys.
template <class Policy, class Keys, class Values, class Segments, class Compare = cuda::std::less<>>
void segmented_sort_by_key(const Policy& p, Keys keys, Keys keys_end, Values values, const Segments& segments,
                           Compare compare = {}) {
  detail::plan::sort_elements<detail::core::ties::any_order>(p, detail::plan::sort_range{keys, keys_end, values},
                                                             segments, compare, nullptr);
}
/// segmented_sort_by_key that fills `statistics`. Always synchronizes, so bad segments always throw.
template <class Policy, class Keys, class Values, class Segments, class Compare>
void segmented_sort_by_key(const Policy& p, Keys keys, Keys keys_end, Values values, const Segments& segments,
                           Compare compare, sort_statistics& statistics) {
  detail::plan::sort_elements<detail::core::ties::any_order>(p, detail::plan::sort_range{keys, keys_end, values},
                                                             segments, compare, &statistics);
}

/// stable_segmented_sort_by_key without values.
template <class Policy, class Keys, class Segments, class Compare = cuda::std::less<>>
void stable_segmented_sort(const Policy& p, Keys first, Keys last, const Segments& segments, Compare compare = {}) {
  detail::plan::sort_elements<detail::core::ties::keep_order>(
      p, detail::plan::sort_range{first, last, detail::base::no_values{}}, segments, compare, nullptr);
}
/// stable_segmented_sort that fills `statistics`. Always synchronizes, so bad segments always throw.
template <class Policy, class Keys, class Segments, class Compare>
void stable_segmented_sort(const Policy& p, Keys first, Keys last, const Segments& segments, Compare compare,
                           sort_statistics& statistics) {
  detail::plan::sort_elements<detail::core::ties::keep_order>(
      p, detail::plan::sort_range{first, last, detail::base::no_values{}}, segments, compare, &statistics);
}

/// segmented_sort_by_key without values.
template <class Policy, class Keys, class Segments, class Compare = cuda::std::less<>>
void segmented_sort(const Policy& p, Keys first, Keys last, const Segments& segments, Compare compare = {}) {
  detail::plan::sort_elements<detail::core::ties::any_order>(
      p, detail::plan::sort_range{first, last, detail::base::no_values{}}, segments, compare, nullptr);
}
/// segmented_sort that fills `statistics`. Always synchronizes, so bad segments always throw.
template <class Policy, class Keys, class Segments, class Compare>
void segmented_sort(const Policy& p, Keys first, Keys last, const Segments& segments, Compare compare,
                    sort_statistics& statistics) {
  detail::plan::sort_elements<detail::core::ties::any_order>(
      p, detail::plan::sort_range{first, last, detail::base::no_values{}}, segments, compare, &statistics);
}

MGPU_NAMESPACE_END
