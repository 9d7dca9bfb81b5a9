// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/plan/segmented_sort.h>
#include <mgpu/sort_statistics.h>

#include <cuda/std/functional>

MGPU_NAMESPACE_BEGIN

/// Sorts the pairs of keys[i] and values[i] by `compare` on the keys, in place: the faster, the nearer they are to their
/// places.
/// Stable: pairs with equal keys keep their order.
/// Requires: random-access iterators to trivially copyable types, on the GPU of up to 1 KiB each and 1.5 KiB together; keys
///   and values do not overlap; compare is a strict weak ordering of elements of the array, and is called on no others; one
///   that is none (< on NaN) leaves some of the elements there were, and touches nothing else. merge.h says what else a
///   comparator must be.
/// Cost: O(n log n) comparisons. Tiles, of some thousand elements where these are small, are read, and written unless they
///   are sorted; from then on only tiles to whose place elements of other tiles belong are read and written. A sorted array
///   behind contiguous iterators is read once.
/// Memory: the size of the arrays, and some hundred bytes per tile, from the policy's allocator; twice the size for iterators
///   that are not contiguous. None on the GPU for one tile behind contiguous iterators of which no statistics are asked for.
///   Stream-ordered; returns before completion under par_nosync and can be captured into a CUDA graph.
/// Throws: std::invalid_argument for an end before its beginning and a null pointer to elements; std::bad_alloc, before
///   anything is done; mgpu::cuda_error, after which the array's contents are unspecified. On the CPU also what compare
///   throws, the first of several exceptions; the array then holds a permutation of its elements.
/// Source: S. Baxter, "Modern GPU", locality sort (2013).
template <class Policy, class Keys, class Values, class Compare = cuda::std::less<>>
void locality_sort_by_key(const Policy& p, Keys keys, Keys keys_end, Values values, Compare compare = {}) {
  plan::segmented_sort<core::ties::keep_order>(p, plan::sort_range{keys, keys_end, values}, plan::whole_array{},
                                               compare, nullptr);
}

/// locality_sort_by_key that waits for its end and tells what it did.
template <class Policy, class Keys, class Values, class Compare>
void locality_sort_by_key(const Policy& p, Keys keys, Keys keys_end, Values values, Compare compare,
                          sort_statistics& statistics) {
  plan::segmented_sort<core::ties::keep_order>(p, plan::sort_range{keys, keys_end, values}, plan::whole_array{},
                                               compare, &statistics);
}

/// locality_sort_by_key without values.
template <class Policy, class Keys, class Compare = cuda::std::less<>>
void locality_sort(const Policy& p, Keys first, Keys last, Compare compare = {}) {
  mgpu::locality_sort_by_key(p, first, last, base::no_values{}, compare);
}
/// locality_sort that waits for its end and tells what it did.
template <class Policy, class Keys, class Compare>
void locality_sort(const Policy& p, Keys first, Keys last, Compare compare, sort_statistics& statistics) {
  mgpu::locality_sort_by_key(p, first, last, base::no_values{}, compare, statistics);
}

MGPU_NAMESPACE_END
