// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/plan/odd_even_merge_sort.h>

#include <cuda/std/functional>

MGPU_NAMESPACE_BEGIN

/// Sorts the pairs of keys[i] and values[i] by `compare` on the keys, in place, by Batcher's network of comparisons.
/// Which elements are compared depends on their number only.
/// Order: the order of pairs with equal keys is unspecified. It is the same on every executor, and for every array of
///   that length whose keys compare alike. compare(x, y) is called once for every comparison of the network; x is the
///   later element. Whatever it answers, the array keeps its pairs. On the GPU the kernels that run, and the positions
///   that they read and write, depend on the number of elements only, too, unless these are sorted by their positions.
/// Requires: random-access iterators to types that can be moved; on the GPU they are trivially copyable. keys and
///   values do not overlap. compare is a strict weak ordering of the array's elements; it is called for no other
///   elements; merge.h says what else a comparator must be. If compare is not a strict weak ordering (< on NaN), the
///   array holds an unspecified permutation of its pairs.
/// Cost: at most (log2(n)^2 - log2(n) + 4) * n / 4 - 1 comparisons, where n is rounded up to a power of two. A tile of
///   up to 64 KiB is read and written once for all layers of the network within it. Each doubling of the array beyond a
///   tile takes 2.5 passes over it; for int32, from 2^10 tiles on, 4 passes. On the GPU, numbers of 4 bytes by less or
///   greater take 2.1 to 2.5 passes in arrays of 2^22 and more, from 2^10 tiles on 3.1 to 4 passes, up to 2^32 keys.
/// Memory: none; on the CPU one tile of each thread's stack. Pairs that are not trivially copyable or have more than 1
///   KiB are sorted by their positions and then move once. They take 8 bytes for each and the size of the keys or of
///   the values, whichever is larger, from the policy's allocator.
/// Throws: std::invalid_argument if an end lies before its beginning or a pointer to elements is null. std::bad_alloc
///   if it takes memory; the array is then unchanged. mgpu::cuda_error; the array then holds a permutation of its
///   pairs, or is unspecified if the device failed. On the CPU it also throws what compare throws, the first of several
///   exceptions; the array then holds a permutation of its pairs. If moving an element throws, it holds elements of
///   unspecified values.
/// Source: "Parallel Sorting on GPU: Part 2"; K. E. Batcher, "Sorting networks and their applications" (1968).
template <class Policy, class Keys, class Values, class Compare = cuda::std::less<>>
void odd_even_merge_sort_by_key(const Policy& policy, Keys keys, Keys keys_end, Values values, Compare compare = {}) {
  detail::plan::odd_even_merge_sort(policy, detail::plan::sort_range{keys, keys_end, values}, compare);
}

/// odd_even_merge_sort_by_key without values.
template <class Policy, class Keys, class Compare = cuda::std::less<>>
void odd_even_merge_sort(const Policy& p, Keys first, Keys last, Compare compare = {}) {
  mgpu::odd_even_merge_sort_by_key(p, first, last, detail::base::no_values{}, compare);
}

MGPU_NAMESPACE_END
