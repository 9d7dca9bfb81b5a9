// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/plan/sort/sort.h>

#include <cuda/std/functional>

MGPU_NAMESPACE_BEGIN

/// Sorts the pairs of keys[i] and values[i] by `compare` on the keys, in place. The sort to take if nothing is known of
/// the order that the pairs are in.
/// Stable: pairs with equal keys keep their order.
/// Requires: random-access iterators to types that can be moved; on the GPU they are trivially copyable. keys and
///   values do not overlap. compare is a strict weak ordering of the array's elements; it is called for no other
///   elements; merge.h says what else a comparator must be. If compare is not a strict weak ordering, the array holds
///   some of its elements, perhaps more than once. Nothing else is written. < on NaN is none, but on the GPU sorts of
///   floating-point numbers by less or greater, behind contiguous iterators, put NaNs before or behind all numbers.
///   -0.0 and 0.0 are equal keys, and keep their order.
/// Cost: on the GPU numbers are sorted by their bits: keys of arithmetic types of at most 8 bytes, __half and
///   __nv_bfloat16, if compare is less or greater of their type or of void (std:: or cuda::std::), values have at most
///   32 bytes and iterators are contiguous. A radix sort reads the keys once, and then takes one pass over memory for
///   each byte of a key. Few numbers, and up to some million of 8 bytes, are sorted by O(n log n) comparisons. All else
///   takes O(n log n) comparisons of `compare`. On the GPU arrays of up to 8 to 34 MB (on one of 132 multiprocessors)
///   are merged by several runs at a time, whatever order they are in. Larger ones, and all on the CPU, are sorted as
///   locality_sort does it.
/// Memory: from the policy's allocator, in one piece. For numbers sorted by their bits the size of the arrays, up to
///   two bytes for each element, and some hundred KiB. Else as locality_sort, which says what large elements and those
///   that are not trivially copyable take. Stream-ordered; returns before completion under par_nosync and can be
///   captured into a CUDA graph.
/// Throws: std::invalid_argument if an end lies before its beginning or a pointer to elements is null. std::bad_alloc;
///   the array is then unchanged. mgpu::cuda_error; the array is then unspecified. On the CPU it also throws what
///   compare throws, the first of several exceptions; the array then holds a permutation of its pairs. If moving an
///   element throws, it holds elements of unspecified values.
/// Source: A. Adinets, D. Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs" (2022).
template <class Policy, class Keys, class Values, class Compare = cuda::std::less<>>
void stable_sort_by_key(const Policy& p, Keys keys, Keys keys_end, Values values, Compare compare = {}) {
  detail::plan::sort_elements<detail::core::ties::keep_order>(p, detail::plan::sort_range{keys, keys_end, values},
                                                              detail::plan::whole_array{}, compare);
}

/// stable_sort_by_key without values.
template <class Policy, class Keys, class Compare = cuda::std::less<>>
void stable_sort(const Policy& p, Keys first, Keys last, Compare compare = {}) {
  mgpu::stable_sort_by_key(p, first, last, detail::base::no_values{}, compare);
}

MGPU_NAMESPACE_END
