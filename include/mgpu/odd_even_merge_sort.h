// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/plan/odd_even_merge_sort.h>

#include <cuda/std/functional>

MGPU_NAMESPACE_BEGIN

/// Sorts the pairs of keys[i] and values[i] by `compare` on the keys, in place, by Batcher's network of comparisons: which
/// elements are compared depends on their number alone.
/// Order: pairs with equal keys are left in any order, the same one for every array of that length whose keys compare alike,
///   on every executor. compare(x, y) is asked once for every comparison of the network, x being the later element; with any
///   answers the array keeps its pairs. On the GPU the kernels that run, and the positions that they read and write, depend on
///   the number of elements alone, too.
/// Requires: random-access iterators to trivially copyable types of up to 1 KiB together; keys and values do not overlap; compare
///   is a strict weak ordering of elements of the array, and is called on no others; with one that is none (< on NaN) they are
///   left in some order. merge.h says what else a comparator must be.
/// Cost: at most (log2(n)^2 - log2(n) + 4) * n / 4 - 1 comparisons, n rounded up to a power of two. Tiles, of up to 64 KiB, are
///   read and written once for all layers on them; each doubling of the array beyond a tile takes 2.5 passes over it, of int32
///   from 2^10 tiles on 4.
/// Memory: none; on the CPU a tile of each thread's stack.
/// Throws: std::invalid_argument for an end before its beginning and a null pointer to elements; mgpu::cuda_error, after which
///   the array has its pairs in some order, or, if the device has failed, is unspecified. On the CPU also what compare
///   throws, the first of several exceptions; the array then has its pairs in some order.
/// Source: "Parallel Sorting on GPU: Part 2"; K. E. Batcher, "Sorting networks and their applications" (1968).
template <class Policy, class Keys, class Values, class Compare = cuda::std::less<>>
void odd_even_merge_sort_by_key(const Policy& policy, Keys keys, Keys keys_end, Values values, Compare compare = {}) {
  plan::odd_even_merge_sort(policy, keys, keys_end, values, compare);
}

/// odd_even_merge_sort_by_key without values.
template <class Policy, class Keys, class Compare = cuda::std::less<>>
void odd_even_merge_sort(const Policy& p, Keys first, Keys last, Compare compare = {}) {
  mgpu::odd_even_merge_sort_by_key(p, first, last, base::no_values{}, compare);
}

MGPU_NAMESPACE_END
