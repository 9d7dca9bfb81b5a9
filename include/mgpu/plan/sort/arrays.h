// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/check.h>
#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/exec/policy.h>
#include <mgpu/plan/argument.h>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// What a caller asks to sort: [keys, keys_end), with the values that belong to them.
template <class Keys, class Values>
struct sort_range {
  Keys keys, keys_end;
  Values values;

  /// Throws std::invalid_argument if the end lies before the beginning.
  offset checked_count() const { return base::checked_count(keys, keys_end, "the keys"); }
};
template <class Keys, class Values>
sort_range(Keys, Keys, Values) -> sort_range<Keys, Values>;

/// The arrays that a sort sorts: raw pointers where the caller's iterators are contiguous.
template <class Keys, class Values>
struct sort_arrays {
  using keys_type = Keys;
  using values_type = Values;

  Keys keys;
  Values values;
};
template <class Keys, class Values>
sort_arrays(Keys, Values) -> sort_arrays<Keys, Values>;

/// The arrays of a range with `count` elements. Throws std::invalid_argument for a null pointer.
template <class Keys, class Values>
auto checked_arrays(const sort_range<Keys, Values>& range, offset count) {
  const sort_arrays arrays{exec::unwrap(range.keys, count), exec::unwrap(range.values, count)};
  base::check_not_null(arrays.keys, count, "the array of keys");
  base::check_not_null(arrays.values, count, "the array of values");
  return arrays;
}

/// Where MGPU_CHECK_INPUTS is defined, also throws if the device cannot access the arrays, or if they overlap.
template <class Policy, class Keys, class Values>
auto checked_arrays(const Policy& p, const sort_range<Keys, Values>& range, offset count) {
  const auto arrays = plan::checked_arrays(range, count);
  const argument keys{arrays.keys, count, "the array of keys"};
  const argument values{arrays.values, count, "the array of values"};
  plan::check_arguments(exec::mutable_policy(p), keys, values);
  plan::check_apart(values, keys);
  return arrays;
}

/// The order by which tiles are sorted and merged: of numbers by less or greater one of all numbers, NaNs among them.
template <class Key, class Compare>
constexpr auto order_of_tiles(const Compare& compare) {
  if constexpr (base::equivalents_are_equal<Compare, Key>)
    return base::number_order<Key, base::is_less<Compare, Key>>{};
  else return base::order<Compare>{compare};
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
