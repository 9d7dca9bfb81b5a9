// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/plan/segmented_sort.h>
#include <mgpu/segments.h>
#include <mgpu/sort_statistics.h>

#include <cuda/std/functional>

MGPU_NAMESPACE_BEGIN

/// Sorts the pairs of keys[i] and values[i] within each segment of an array by `compare` on the keys, in place.
/// Order: pairs with equal keys keep theirs. Elements of no segment keep their values.
/// Requires: random-access iterators to trivially copyable types, on the GPU of up to 1 KiB each and 1.5 KiB together; keys,
///   values and what the segments are given by do not overlap; compare is a strict weak ordering of elements of the array,
///   and is called on no others; one that is none (< on NaN) leaves some of the elements there were, and touches nothing
///   else; merge.h says what else a comparator must be. segments: segment_heads, segment_flags or segment_offsets. Positions
///   that do not ascend or leave the array leave some permutation of its pairs.
/// Cost: O(n log m) comparisons, m being the length of the longest segment. The elements are shared evenly by tiles, of some
///   thousand where they are small, whatever the segments' lengths are; each position of a segment is read by the tile it
///   lies in, and some by searches, O(log) per tile. A tile is sorted in one pass over memory; each doubling of a segment
///   beyond a tile takes another pass over that segment, or less of it where its elements are in order already; on the GPU two
///   doublings are one pass, if they are of small elements.
/// Memory: the size of the arrays, and some hundred bytes per tile, from the policy's allocator; twice the size for iterators
///   that are not contiguous. None on the GPU for one tile behind contiguous iterators of which no statistics are asked for.
///   Stream-ordered; returns before completion under par_nosync and can be captured into a CUDA graph.
/// Throws: std::invalid_argument for an end before its beginning, a null pointer to elements or flags (see segments.h for the
///   others), and, where the policy waits, for segments whose positions do not ascend or leave an array that has elements
///   (which are then in some order); std::bad_alloc, before anything is done; mgpu::cuda_error, after which the array's
///   contents are unspecified. On the CPU also what compare throws, the first of several exceptions; the array then holds a
///   permutation of its elements.
/// Source: S. Baxter, "Modern GPU", segmented sort (2013).
template <class Policy, class Keys, class Values, class Segments, class Compare = cuda::std::less<>>
void stable_segmented_sort_by_key(const Policy& p, Keys keys, Keys keys_end, Values values, const Segments& segments,
                                  Compare compare = {}) {
  plan::segmented_sort<core::ties::keep_order>(p, plan::sort_range{keys, keys_end, values}, segments, compare, nullptr);
}

/// stable_segmented_sort_by_key that waits for its end and tells what it did, and of bad segments, whatever the policy is.
template <class Policy, class Keys, class Values, class Segments, class Compare>
void stable_segmented_sort_by_key(const Policy& p, Keys keys, Keys keys_end, Values values, const Segments& segments,
                                  Compare compare, sort_statistics& statistics) {
  plan::segmented_sort<core::ties::keep_order>(p, plan::sort_range{keys, keys_end, values}, segments, compare,
                                               &statistics);
}

/// stable_segmented_sort_by_key that need not keep the order of pairs with equal keys.
template <class Policy, class Keys, class Values, class Segments, class Compare = cuda::std::less<>>
void segmented_sort_by_key(const Policy& p, Keys keys, Keys keys_end, Values values, const Segments& segments,
                           Compare compare = {}) {
  plan::segmented_sort<core::ties::any_order>(p, plan::sort_range{keys, keys_end, values}, segments, compare, nullptr);
}
/// segmented_sort_by_key that waits for its end and tells what it did.
template <class Policy, class Keys, class Values, class Segments, class Compare>
void segmented_sort_by_key(const Policy& p, Keys keys, Keys keys_end, Values values, const Segments& segments,
                           Compare compare, sort_statistics& statistics) {
  plan::segmented_sort<core::ties::any_order>(p, plan::sort_range{keys, keys_end, values}, segments, compare,
                                              &statistics);
}

/// stable_segmented_sort_by_key without values.
template <class Policy, class Keys, class Segments, class Compare = cuda::std::less<>>
void stable_segmented_sort(const Policy& p, Keys first, Keys last, const Segments& segments, Compare compare = {}) {
  plan::segmented_sort<core::ties::keep_order>(p, plan::sort_range{first, last, base::no_values{}}, segments, compare,
                                               nullptr);
}
/// stable_segmented_sort that waits for its end and tells what it did.
template <class Policy, class Keys, class Segments, class Compare>
void stable_segmented_sort(const Policy& p, Keys first, Keys last, const Segments& segments, Compare compare,
                           sort_statistics& statistics) {
  plan::segmented_sort<core::ties::keep_order>(p, plan::sort_range{first, last, base::no_values{}}, segments, compare,
                                               &statistics);
}

/// segmented_sort_by_key without values.
template <class Policy, class Keys, class Segments, class Compare = cuda::std::less<>>
void segmented_sort(const Policy& p, Keys first, Keys last, const Segments& segments, Compare compare = {}) {
  plan::segmented_sort<core::ties::any_order>(p, plan::sort_range{first, last, base::no_values{}}, segments, compare,
                                              nullptr);
}
/// segmented_sort that waits for its end and tells what it did.
template <class Policy, class Keys, class Segments, class Compare>
void segmented_sort(const Policy& p, Keys first, Keys last, const Segments& segments, Compare compare,
                    sort_statistics& statistics) {
  plan::segmented_sort<core::ties::any_order>(p, plan::sort_range{first, last, base::no_values{}}, segments, compare,
                                              &statistics);
}

MGPU_NAMESPACE_END
