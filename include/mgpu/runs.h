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

/// An array cut into sorted runs. Run i is elements [first[i], first[i + 1]). The offsets ascend from first[0] == 0 to
/// first[count], the number of the array's elements. A run may be empty.
/// Requires: a random-access iterator to an integer type.
/// Throws: std::invalid_argument if the count is negative or a pointer to offsets is null.
template <class Offsets>
struct run_offsets {
  static_assert(detail::base::is_random_access<Offsets>, "the offsets of runs are given by a random-access iterator");
  static_assert(cuda::std::is_integral_v<detail::base::value_type<Offsets>>, "the offsets of runs are integers");

  Offsets first;  // [count + 1]
  offset count;   // of the runs

  /// offsets[0, runs + 1); with no runs none of them is read.
  run_offsets(Offsets offsets, offset runs) : first(offsets), count(runs) {
    if (count < 0) throw std::invalid_argument("mgpu: there are " + std::to_string(count) + " runs");
    detail::base::check_not_null(detail::exec::unwrap(first, count), count, "the offsets of the runs");
  }
};

/// Sorted runs in arrays of their own. Run i is begins[i][0, lengths[i]); begins[i] is a pointer or another
/// random-access iterator. The lengths add up to `total`. The arrays may overlap.
/// Requires: random-access iterators, to random-access iterators and to an integer type.
/// Throws: std::invalid_argument if the count or the total is negative, if there are elements but no runs, if the total
///   is more than 2^62, or if a pointer is null.
template <class Begins, class Lengths>
struct run_ranges {
  static_assert(detail::base::is_random_access<Begins> && detail::base::is_random_access<Lengths>,
                "the beginnings and the lengths of runs are given by random-access iterators");
  static_assert(detail::base::is_random_access<detail::base::value_type<Begins>>,
                "the beginnings of runs are pointers or other random-access iterators");
  static_assert(cuda::std::is_integral_v<detail::base::value_type<Lengths>>, "the lengths of runs are integers");

  Begins begins;    // [count]
  Lengths lengths;  // [count]
  offset count;     // of the runs
  offset total;     // of their elements

  /// begins[0, runs) and lengths[0, runs); the lengths add up to `elements`.
  run_ranges(Begins run_begins, Lengths run_lengths, offset runs, offset elements)
      : begins(run_begins), lengths(run_lengths), count(runs), total(elements) {
    if (count < 0) throw std::invalid_argument("mgpu: there are " + std::to_string(count) + " runs");
    if (total < 0) throw std::invalid_argument("mgpu: runs have " + std::to_string(total) + " elements in all");
    if (count == 0 && total > 0)
      throw std::invalid_argument("mgpu: no runs have " + std::to_string(total) + " elements");
    if (total > offset{1} << 62)
      throw std::invalid_argument("mgpu: runs with " + std::to_string(total) + " elements in all are too many");
    detail::base::check_not_null(detail::exec::unwrap(begins, count), count, "the beginnings of the runs");
    detail::base::check_not_null(detail::exec::unwrap(lengths, count), count, "the lengths of the runs");
  }
};

namespace detail::exec {
template <class Offsets>
inline constexpr bool is_run_offsets<run_offsets<Offsets>> = base::is_random_access<Offsets>;
template <class Begins, class Lengths>
inline constexpr bool is_run_ranges<run_ranges<Begins, Lengths>> =
    base::is_random_access<Begins>&& base::is_random_access<Lengths>;
}  // namespace detail::exec

MGPU_NAMESPACE_END
