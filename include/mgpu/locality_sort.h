// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/plan/sort/sort.h>
#include <mgpu/sort_statistics.h>

#include <cuda/std/functional>

MGPU_NAMESPACE_BEGIN

/// Sorts the pairs of keys[i] and values[i] by `compare` on the keys, in place. The nearer the pairs are to their
/// places, the faster it is. If numbers are known to be in no order, stable_sort of sort.h takes fewer launches.
/// Stable: pairs with equal keys keep their order.
/// Requires: random-access iterators to types that can be moved; on the GPU they are trivially copyable. keys and
///   values do not overlap. compare is a strict weak ordering of the array's elements; it is called for no other
///   elements; merge.h says what else a comparator must be.
///   If compare is not a strict weak ordering (< on NaN), the array holds some of its elements, perhaps more than once.
///   Nothing else is written.
/// Cost: O(n log n) comparisons. Each tile (of some thousand elements if these are small) is read once, and written
///   unless it is sorted. After that a tile is read and written only if elements of other tiles belong into it. A
///   sorted array behind contiguous iterators is read once. On the GPU small arrays, of up to 1,000 elements for each
///   multiprocessor and at most 64 bytes with their values, are read and written once to four times, whatever their
///   order is. Numbers that are far from their places are sorted faster by stable_sort.
/// Memory: the size of the arrays and some hundred bytes per tile, from the policy's allocator, and on the GPU for
///   small arrays by a comparator, not less or greater of numbers, four bytes for each element; twice the size if an
///   iterator is not contiguous. Pairs that are not trivially copyable, and on the GPU those with more than 1 KiB in
///   the key or the value, or 1.5 KiB together, are sorted by their positions and then move once: 8 bytes for each, and
///   beside these first what a sort of 8-byte keys takes, then the size of the keys or of the values, whichever is
///   larger. On the GPU none if the array fits in one tile, the iterators are contiguous and no statistics are asked
///   for. Stream-ordered; returns before completion under par_nosync and can be captured into a CUDA graph.
/// Throws: std::invalid_argument if an end lies before its beginning or a pointer to elements is null. std::bad_alloc;
///   the array is then unchanged. mgpu::cuda_error; the array is then unspecified. On the CPU it also throws what
///   compare throws, the first of several exceptions; the array then holds a permutation of its pairs. If moving an
///   element throws, it holds elements of unspecified values.
/// Source: S. Baxter, "Modern GPU", locality sort (2013).
template <class Policy, class Keys, class Values, class Compare = cuda::std::less<>>
void locality_sort_by_key(const Policy& p, Keys keys, Keys keys_end, Values values, Compare compare = {}) {
  detail::plan::sort_elements<detail::core::ties::keep_order>(p, detail::plan::sort_range{keys, keys_end, values},
                                                              detail::plan::nearly_sorted_array{}, compare, nullptr);
}

/// locality_sort_by_key that fills `statistics`. Always synchronizes.
template <class Policy, class Keys, class Values, class Compare>
void locality_sort_by_key(const Policy& p, Keys keys, Keys keys_end, Values values, Compare compare,
                          sort_statistics& statistics) {
  detail::plan::sort_elements<detail::core::ties::keep_order>(
      p, detail::plan::sort_range{keys, keys_end, values}, detail::plan::nearly_sorted_array{}, compare, &statistics);
}

/// locality_sort_by_key without values.
template <class Policy, class Keys, class Compare = cuda::std::less<>>
void locality_sort(const Policy& p, Keys first, Keys last, Compare compare = {}) {
  mgpu::locality_sort_by_key(p, first, last, detail::base::no_values{}, compare);
}
/// locality_sort that fills `statistics`. Always synchronizes.
template <class Policy, class Keys, class Compare>
void locality_sort(const Policy& p, Keys first, Keys last, Compare compare, sort_statistics& statistics) {
  mgpu::locality_sort_by_key(p, first, last, detail::base::no_values{}, compare, statistics);
}

MGPU_NAMESPACE_END
