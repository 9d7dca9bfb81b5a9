// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/exec/policy.h>
#include <mgpu/exec/requirements.h>
#include <mgpu/plan/sorted_search.h>

#include <cuda/std/functional>

MGPU_NAMESPACE_BEGIN

/// Finds the lower bound of each of the sorted values [values, values_end) in the sorted range [first, last). Writes to
/// out[i] the number of elements x of the range for which compare(x, values[i]) is true: the position of the first
/// element that is not less than values[i]. Returns the end of out. The results are those of thrust::lower_bound, which
/// also takes values that are not sorted.
/// Requires: random-access iterators; the range and the values are sorted by compare, which takes an element and a
///   value, in this order; merge.h says what else a comparator must be. out takes integers and overlaps no input. If an
///   input is not sorted, out is unspecified, and nothing outside the ranges is accessed. On the GPU a value and an
///   element have at most 1,024 bytes.
/// Cost: O(n + m) comparisons and O(log(n + m)) per tile for n elements and m values; each is read once and each result
///   is written once. If there are far more elements than values, O(m log n): each value is searched for itself.
/// Memory: none on the CPU and for small inputs (a few million elements on a large GPU). For larger inputs one 8-byte
///   offset per tile of some thousand elements, from the policy's allocator. On the CPU also 32 KiB of each thread's
///   stack. Stream-ordered; returns before completion under par_nosync.
/// Throws: std::invalid_argument if an end lies before its beginning or a pointer to elements is null; std::bad_alloc;
///   mgpu::cuda_error. On the CPU it also throws what compare throws, the first of several exceptions; out is then
///   unspecified.
/// Source: S. Baxter, "Modern GPU", Vectorized Sorted Search (2013); the search for tiles: S. Odeh, O. Green,
///   Z. Mwassi, O. Shmueli, Y. Birk, "Merge Path" (2012).
template <class Policy, class Range, class Values, class Out, class Compare = cuda::std::less<>>
Out lower_bound_sorted_values(const Policy& p, Range first, Range last, Values values, Values values_end, Out out,
                              Compare compare = {}) {
  if constexpr (detail::exec::meets<detail::exec::mgpu_policy<Policy>,
                                    detail::exec::random_access_inputs<Range, Values>,
                                    detail::exec::random_access_outputs<Out>, detail::plan::writable_numbers<Out>,
                                    detail::exec::comparator_of<Compare, Range, Values>,
                                    detail::exec::callable_comparator<Policy, Compare>>) {
    return detail::plan::search_values<detail::base::lower_bound_order>(p, first, last, values, values_end, out,
                                                                        compare);
  } else {
    return out;
  }
}

/// Finds the upper bound of each of the sorted values: writes to out[i] the number of elements x of the range for which
/// compare(values[i], x) is false, which is the position of the first element greater than values[i]. compare takes a
/// value and an element, in this order. Otherwise as lower_bound_sorted_values.
template <class Policy, class Range, class Values, class Out, class Compare = cuda::std::less<>>
Out upper_bound_sorted_values(const Policy& p, Range first, Range last, Values values, Values values_end, Out out,
                              Compare compare = {}) {
  if constexpr (detail::exec::meets<detail::exec::mgpu_policy<Policy>,
                                    detail::exec::random_access_inputs<Range, Values>,
                                    detail::exec::random_access_outputs<Out>, detail::plan::writable_numbers<Out>,
                                    detail::exec::comparator_of<Compare, Values, Range>,
                                    detail::exec::callable_comparator<Policy, Compare>>) {
    return detail::plan::search_values<detail::base::upper_bound_order>(p, first, last, values, values_end, out,
                                                                        compare);
  } else {
    return out;
  }
}

MGPU_NAMESPACE_END
