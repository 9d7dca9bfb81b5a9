// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/check.h>
#include <mgpu/base/iterator.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/exec/requirements.h>

#include <cuda/std/type_traits>

#include <stdexcept>
#include <string>

MGPU_NAMESPACE_BEGIN

/// A sequence of items cut into intervals. Interval i is items [first[i], first[i + 1]); the last interval ends at
/// `total`. The offsets are an exclusive scan of the intervals' counts: first[0] == 0, and they ascend. An empty
/// interval begins where the next one begins.
/// Requires: a random-access iterator to an integer type.
/// Throws: std::invalid_argument if a count or the total is negative, if there are items but no intervals, if there are
///   more than 2^62 intervals and items, or if a pointer to offsets is null.
template <class Offsets>
struct interval_offsets {
  static_assert(detail::base::is_random_access<Offsets>,
                "the offsets of intervals are given by a random-access iterator");
  static_assert(cuda::std::is_integral_v<detail::base::value_type<Offsets>>, "the offsets of intervals are integers");

  Offsets first;  // [count]
  offset count;   // of the intervals
  offset total;   // of the items

  /// offsets[0, intervals) is an exclusive scan of counts. The counts add up to `items`.
  interval_offsets(Offsets offsets, offset intervals, offset items) : first(offsets), count(intervals), total(items) {
    if (count < 0) throw std::invalid_argument("mgpu: there are " + std::to_string(count) + " intervals");
    if (total < 0) throw std::invalid_argument("mgpu: intervals have " + std::to_string(total) + " items in all");
    if (count == 0 && total > 0)
      throw std::invalid_argument("mgpu: no intervals have " + std::to_string(total) + " items");
    if (total > (offset{1} << 62) - count) {
      throw std::invalid_argument("mgpu: " + std::to_string(count) + " intervals with " + std::to_string(total) +
                                  " items in all are too many");
    }
    detail::base::check_not_null(detail::exec::unwrap(first, count), count, "the offsets of the intervals");
  }
};

/// Intervals given by their counts of items. The call that takes them scans the counts. It waits for the total, also
/// under par_nosync.
/// Requires: a random-access iterator to an integer type.
/// Throws: std::invalid_argument if the end lies before the beginning, a pointer to counts is null, or there are more
///   than 2^62 intervals. The call that takes them throws it if a count is negative or there are more than 2^62
///   intervals and items.
template <class Counts>
struct interval_counts {
  static_assert(detail::base::is_random_access<Counts>, "the counts of intervals are given by random-access iterators");
  static_assert(cuda::std::is_integral_v<detail::base::value_type<Counts>>, "the counts of intervals are integers");

  Counts first;  // [count]
  offset count;  // of the intervals

  /// One interval for each element of [counts, counts_end). The element is the number of its items.
  interval_counts(Counts counts, Counts counts_end)
      : first(counts), count(detail::base::checked_count(counts, counts_end, "the counts")) {
    if (count > offset{1} << 62)
      throw std::invalid_argument("mgpu: " + std::to_string(count) + " intervals are too many");
    detail::base::check_not_null(detail::exec::unwrap(first, count), count, "the counts of the intervals");
  }
};

namespace detail::exec {
template <class Offsets>
inline constexpr bool is_intervals<interval_offsets<Offsets>> = base::is_random_access<Offsets>;
template <class Counts>
inline constexpr bool is_intervals<interval_counts<Counts>> = base::is_random_access<Counts>;
}  // namespace detail::exec

MGPU_NAMESPACE_END
