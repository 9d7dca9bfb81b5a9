// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/core/sort/item.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/requirements.h>
#include <mgpu/plan/sort/arrays.h>
#include <mgpu/plan/sort/by_positions.h>
#include <mgpu/plan/sort/few_tiles_sort.h>
#include <mgpu/plan/sort/radix_sort.h>
#include <mgpu/plan/sort/sampled_sort.h>
#include <mgpu/plan/sort/segmented_sort.h>
#include <mgpu/plan/sort/segments.h>
#include <mgpu/tuning/few_tiles.h>
#include <mgpu/tuning/sort.h>

#include MGPU_CUDA_VERB_HEADER(radix_sort)

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Whether an array is sorted by the bits of its keys: they are numbers in an order that a radix sort has, and the
/// machine has such a sort.
template <class Policy, class Keys, class Values, class Compare>
constexpr bool is_radix_sorted() {
  if constexpr (!plan::has_radix_order<Policy, Keys, Values, Compare>()) return false;
  else if constexpr (base::has_values<Values>)
    return sizeof(base::value_type<Values>) <= tuning::most_radix_value_bytes;
  else return true;
}

/// Whether any array of numbers is sorted by comparisons: one that neither the sort of small arrays nor our own sort by
/// digits takes. If there is none, their kernels are not compiled.
template <class Policy, class Keys, class Values, class Compare>
constexpr bool has_compared_numbers() {
  constexpr tuning::sort_case c = core::sort_case<base::value_type<Keys>, base::value_type<Values>>();
  constexpr tuning::compared_counts all = tuning::counts_of_compared_numbers(c.key_bytes, c.value_bytes);
  tuning::compared_counts small = tuning::counts_of_small_sort(c.key_bytes), own{0, 0};
  small.most = plan::has_few_tiles<Policy, Keys, Values>() ? base::min(small.most, tuning::most_items_of_few_tiles) : 0;
  if (plan::has_radix_sorted_segments<Policy, Keys, Values, Compare>())
    own = tuning::counts_of_own_radix_sort(c.key_bytes, c.value_bytes);
  offset above = all.above;  // all up to here are sorted otherwise
  if (small.above <= above) above = base::max(above, small.most);
  if (own.above <= above) above = base::max(above, own.most);
  return above < all.most;
}

/// A stable sort of arguments of sound types.
template <class Policy, class Keys, class Values, class Compare>
void stable_sort_checked(const Policy& policy, const sort_range<Keys, Values>& range, const Compare& compare) {
  using keys_type = exec::unwrapped<Keys>;
  using values_type = exec::unwrapped<Values>;
  if constexpr (plan::is_radix_sorted<Policy, keys_type, values_type, Compare>()) {
    constexpr tuning::sort_case c = core::sort_case<base::value_type<keys_type>, base::value_type<values_type>>();
    const offset count = range.checked_count();
    if (count == 0) return;
    const auto arrays = plan::checked_arrays(policy, range, count);
    if (tuning::counts_of_small_sort(c.key_bytes).has(count)) {
      constexpr core::ties ties = needed_ties<core::ties::keep_order, keys_type, values_type, Compare>;
      Policy& p = exec::mutable_policy(policy);
      if (plan::sort_if_small<ties, Policy>(p, arrays, count, whole_array{}, compare)) return;
    }
    if constexpr (plan::has_radix_sorted_segments<Policy, keys_type, values_type, Compare>()) {
      if (tuning::counts_of_own_radix_sort(c.key_bytes, c.value_bytes).has(count)) {
        Policy& p = exec::mutable_policy(policy);
        return plan::radix_sort_segments(p, arrays, count, core::one_segment{count}, compare, {nullptr});
      }
    }
    const auto executor = exec::executor(policy);
    if constexpr (plan::has_compared_numbers<Policy, keys_type, values_type, Compare>()) {
      if (tuning::counts_of_compared_numbers(c.key_bytes, c.value_bytes).has(count))
        return executor.template merge_sort<Compare>(arrays.keys, arrays.values, count);
    }
    executor.template radix_sort<Compare>(arrays.keys, arrays.values, count);
  } else {
    if (plan::sort_by_samples<keys_type, values_type>(exec::mutable_policy(policy), range, compare)) return;
    plan::sort_checked<core::ties::keep_order>(policy, range, whole_array{}, compare, nullptr);
  }
}

template <class Policy, class Keys, class Values, class Compare>
void stable_sort(const Policy& policy, const sort_range<Keys, Values>& range, const Compare& compare) {
  if constexpr (exec::meets<exec::mgpu_policy<Policy>, exec::random_access_inputs<Keys, Values>,
                            exec::movable_elements<Policy, Keys, Values>, exec::writable_ranges<Keys, Values>,
                            exec::comparator_of_keys<Compare, Keys>, exec::callable_comparator<Policy, Compare>>) {
    if constexpr (plan::fit_sort_tiles<Policy, Keys, Values>()) {
      plan::stable_sort_checked(policy, range, compare);
    } else {
      plan::sort_by_positions(policy, range, compare, [&](const auto& positions, const auto& order) {
        plan::stable_sort_checked(policy, positions, order);
      });
    }
  }
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
