// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>

#include <cuda/std/type_traits>
#include <cuda/std/utility>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

// Where merge_runs reads sorted runs. Whatever the caller's offsets and lengths are, lengths are in [0, total], and the
// runs of one array lie inside it. An element of a run has a place; keys_at(run, place) points to it.

/// Runs of one array: run i is elements [offsets[i], offsets[i + 1]).
template <class Keys, class Values, class Offsets>
struct array_runs {
  Keys keys;        // [total]
  Values values;    // [total]
  Offsets offsets;  // [count + 1]
  offset count;     // of the runs
  offset total;     // of their elements
  /// Not 0 if the offsets were found to be bad: all runs but the last then have one element. Null where nobody looked.
  const int* is_bad;

  using keys_type = Keys;
  using values_type = Values;
  static constexpr bool is_one_array = true;

  /// Where run i begins and run i - 1 ends, also in the merge of the runs. Where somebody looked, bounds ascend from 0
  /// to total.
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE offset bound(offset i) const {
    // Equal runs would take divisions of 64 bits, for a case that nobody needs.
    if (is_bad != nullptr && *is_bad != 0) return i < count ? base::min(i, total) : total;
    return base::clamp<offset>(static_cast<offset>(offsets[i]), 0, total);
  }
  MGPU_HOST_DEVICE offset place(offset run) const { return bound(run); }
  MGPU_HOST_DEVICE offset length(offset run) const { return length(run, run + 1); }
  /// The elements of runs [first, last).
  MGPU_HOST_DEVICE offset length(offset first, offset last) const {
    return base::max<offset>(bound(last) - bound(first), 0);
  }
  /// So many elements, counted from place 0, can be read where run `run` lies.
  MGPU_HOST_DEVICE offset extent(offset) const { return total; }
  MGPU_HOST_DEVICE Keys keys_at(offset, offset place) const { return keys + place; }
  MGPU_HOST_DEVICE Values values_at(offset, offset place) const { return values + place; }

  /// True if run i ends before it begins or leaves the array, or if it is the first or the last and does not begin or
  /// end with the array.
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE bool is_bad_run(offset i) const {
    const auto begin = static_cast<offset>(offsets[i]), end = static_cast<offset>(offsets[i + 1]);
    return begin > end || (i == 0 && begin != 0) || (i + 1 == count && end != total);
  }
};

/// Where a run in an array of its own begins.
template <class Begins>
struct of_run {
  using caller_type = base::value_type<Begins>;
  using type = decltype(base::with_offsets(cuda::std::declval<caller_type>()));

  MGPU_EXEC_CHECK_DISABLE
  static MGPU_HOST_DEVICE type begin(const Begins& begins, offset run) {
    return base::with_offsets(static_cast<caller_type>(begins[run]));
  }
};
template <>
struct of_run<base::no_values> {
  using type = base::no_values;
};

/// Runs in arrays of their own: run i is begins[i][0, lengths[i]).
template <class Begins, class Lengths, class ValueBegins>
struct separate_runs {
  Begins begins;             // [count]
  Lengths lengths;           // [count]
  ValueBegins value_begins;  // [count]
  offset count;              // of the runs
  offset total;              // of their elements
  const offset* bounds;      // [count + 1], the lengths' exclusive scan; null if there is one group of runs

  static constexpr bool has_values = base::has_values<ValueBegins>;
  using keys_type = typename of_run<Begins>::type;
  using values_type = typename of_run<ValueBegins>::type;
  static constexpr bool is_one_array = false;

  /// Where run i begins in the merge of the runs before. Requires: bounds.
  MGPU_HOST_DEVICE offset bound(offset i) const { return bounds[i]; }
  MGPU_HOST_DEVICE offset place(offset) const { return 0; }
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE offset length(offset run) const {
    if (bounds != nullptr) return bounds[run + 1] - bounds[run];
    return base::clamp<offset>(static_cast<offset>(lengths[run]), 0, total);
  }
  /// Requires: last is first + 1, or not behind it.
  MGPU_HOST_DEVICE offset length(offset first, offset last) const { return first < last ? length(first) : 0; }
  MGPU_HOST_DEVICE offset extent(offset run) const { return length(run); }
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE keys_type keys_at(offset run, offset place) const {
    return of_run<Begins>::begin(begins, run) + place;
  }
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE values_type values_at(offset run, offset place) const {
    if constexpr (has_values) return of_run<ValueBegins>::begin(value_begins, run) + place;
    else return {};
  }

  /// True if the length of run i is not what its bounds say, or if the last bound is not the total. Requires: bounds.
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE bool is_bad_run(offset i) const {
    return static_cast<offset>(lengths[i]) != bounds[i + 1] - bounds[i] || (i + 1 == count && bounds[count] != total);
  }
};

/// True if the runs do not have `runs.total` elements as they must. One thread reads them all.
template <class Keys, class Values, class Offsets>
MGPU_HOST_DEVICE bool are_bad_runs(const array_runs<Keys, Values, Offsets>& runs) {
  for (offset i = 0; i < runs.count; ++i) {
    if (runs.is_bad_run(i)) return true;
  }
  return false;
}
MGPU_EXEC_CHECK_DISABLE
template <class Begins, class Lengths, class ValueBegins>
MGPU_HOST_DEVICE bool are_bad_runs(const separate_runs<Begins, Lengths, ValueBegins>& runs) {
  offset left = runs.total;
  for (offset i = 0; i < runs.count; ++i) {
    const auto length = static_cast<offset>(runs.lengths[i]);
    if (length < 0 || length > left) return true;
    left -= length;
  }
  return left != 0;
}

}  // namespace detail::core
MGPU_NAMESPACE_END
