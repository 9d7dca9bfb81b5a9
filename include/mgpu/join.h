// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Joins of two sorted columns, left[0, n) and right[0, m): they write the numbers of rows. Rows are partners if neither
// comes before the other by `compare`. Two runs of equal rows, of any length, give a pair for each row of the one with
// each row of the other.
//   inner_join   the pairs of partners
//   left_join    also each left row without partner, with mgpu::no_row
//   full_join    also each right row without partner, with mgpu::no_row
//   semi_join    the left rows that have a partner, each once
//   anti_join    the left rows that have none
//   as_of_join   for each left row one right row: the last one not after it, or the first one not before it
//
// The first three have three forms, shown here for inner_join:
//   ends = inner_join(p, left, left_end, right, right_end, left_rows, right_rows[, compare])
//   size = inner_join_size(p, left, left_end, right, right_end[, compare])
//   inner_join_into(p, left, left_end, right, right_end, left_rows, right_rows, capacity, size_out[, compare])
//
// Order: by left row, then by right row. The right rows without partner of a full_join follow at the end, ascending.
// Requires: random-access iterators; left and right are sorted by compare, a strict weak ordering that takes rows of
//   left and right in both orders; merge.h says what else a comparator must be. The outputs take integers. They have
//   room for the whole result, or for `capacity` rows, and overlap neither an input nor each other. On the GPU a row
//   has at most 1,024 bytes. mgpu::no_row is -1: in an unsigned column the greatest number.
//   If an input is not sorted, the result is unspecified. It has the size that the _size form returns for the same
//   inputs on the same device, and nothing outside these ranges is accessed.
// Cost: O(n + m) comparisons of a sorted search, and on the CPU O(log(r)) for each left row with r partners. On the GPU
//   inner and left joins search a tile again if far more rows than left and right ones come from it. Then O(n + size),
//   shared by the blocks whatever the runs are. full_join: one more search, and scans of n + m counts. _into:
//   O(n + capacity) instead of O(n + size). If (n + m) * m is over 2^63 - 1, an inner or left join counts its rows
//   before it writes any: one more search.
//   If there are far more right rows than left ones, O(n log m): each left row is searched for itself.
// Memory: from the policy's allocator. Inner and left joins: 24 bytes per tile of some thousand rows, of some hundred
//   if they are wide; on the GPU 16 bytes per left row if rows have over 128 bytes, or if there are far more right rows
//   than left ones. full_join: 16 bytes per left row, 8 per right row, and what scan and searches take. On the CPU any
//   join takes 40 KiB of each thread's stack. Stream-ordered.
//   A join and its _size form wait for the size, also under par_nosync. The _into forms write the size of the whole
//   result to *size_out, which the device must be able to write, and the first `capacity` rows of it to the outputs.
//   They return before completion under par_nosync and can be captured into a CUDA graph.
// Throws: std::invalid_argument if an end lies before its beginning, a pointer to rows is null, a capacity is negative,
//   n + m is over 2^62, or the result has 2^63 - 1 rows or more (semi_join, anti_join and as_of_join take any sizes);
//   std::bad_alloc; mgpu::cuda_error. The inputs are then unchanged. On the CPU it also throws what compare throws, the
//   first of several exceptions; the outputs are then unspecified.
//   If the result of an _into form has 2^63 - 1 rows or more, the outputs are unspecified up to `capacity`. Under
//   par_nosync it does not throw then: *size_out is 2^63 - 1.
//   On the GPU inner and left joins of computed columns with over 2^31 tiles of rows throw mgpu::cuda_error.
// Source: S. Baxter, "Modern GPU", Relational Joins (2013).

#include <mgpu/base/math.h>
#include <mgpu/core/join/join.h>
#include <mgpu/plan/join/join.h>

#include <cuda/std/functional>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

MGPU_NAMESPACE_BEGIN

/// Stands in a column of row numbers where a row has no partner. In unsigned columns it is the greatest number.
inline constexpr offset no_row = detail::core::no_row;

// --- inner_join

/// Writes the row numbers of each pair of partners. Returns the ends of both outputs.
template <class Policy, class Left, class Right, class LeftRows, class RightRows, class Compare = cuda::std::less<>>
cuda::std::pair<LeftRows, RightRows> inner_join(const Policy& p, Left left, Left left_end, Right right, Right right_end,
                                                LeftRows left_rows, RightRows right_rows, Compare compare = {}) {
  return detail::plan::join<detail::plan::inner_rows>(p, left, left_end, right, right_end, left_rows, right_rows,
                                                      compare);
}

/// The number of pairs that inner_join writes.
template <class Policy, class Left, class Right, class Compare = cuda::std::less<>>
offset inner_join_size(const Policy& p, Left left, Left left_end, Right right, Right right_end, Compare compare = {}) {
  return detail::plan::join_size<detail::plan::inner_rows>(p, left, left_end, right, right_end, compare);
}

/// inner_join that writes at most `capacity` rows, and the size of the whole result to *size_out. Never synchronizes
/// under par_nosync.
template <class Policy, class Left, class Right, class LeftRows, class RightRows, class SizeOut,
          class Compare = cuda::std::less<>>
void inner_join_into(const Policy& p, Left left, Left left_end, Right right, Right right_end, LeftRows left_rows,
                     RightRows right_rows, offset capacity, SizeOut size_out, Compare compare = {}) {
  const detail::plan::join_outputs out{left_rows, right_rows, capacity, size_out};
  detail::plan::join_into<detail::plan::inner_rows>(p, left, left_end, right, right_end, out, compare);
}

// --- left_join

/// inner_join that also writes each left row without partner, once, with mgpu::no_row.
template <class Policy, class Left, class Right, class LeftRows, class RightRows, class Compare = cuda::std::less<>>
cuda::std::pair<LeftRows, RightRows> left_join(const Policy& p, Left left, Left left_end, Right right, Right right_end,
                                               LeftRows left_rows, RightRows right_rows, Compare compare = {}) {
  return detail::plan::join<detail::plan::left_and_inner_rows>(p, left, left_end, right, right_end, left_rows,
                                                               right_rows, compare);
}

/// The number of rows that left_join writes.
template <class Policy, class Left, class Right, class Compare = cuda::std::less<>>
offset left_join_size(const Policy& p, Left left, Left left_end, Right right, Right right_end, Compare compare = {}) {
  return detail::plan::join_size<detail::plan::left_and_inner_rows>(p, left, left_end, right, right_end, compare);
}

/// left_join that writes at most `capacity` rows, and the size of the whole result to *size_out. Never synchronizes
/// under par_nosync.
template <class Policy, class Left, class Right, class LeftRows, class RightRows, class SizeOut,
          class Compare = cuda::std::less<>>
void left_join_into(const Policy& p, Left left, Left left_end, Right right, Right right_end, LeftRows left_rows,
                    RightRows right_rows, offset capacity, SizeOut size_out, Compare compare = {}) {
  const detail::plan::join_outputs out{left_rows, right_rows, capacity, size_out};
  detail::plan::join_into<detail::plan::left_and_inner_rows>(p, left, left_end, right, right_end, out, compare);
}

// --- full_join

/// left_join that then writes each right row without partner, once, with mgpu::no_row as its left row.
template <class Policy, class Left, class Right, class LeftRows, class RightRows, class Compare = cuda::std::less<>>
cuda::std::pair<LeftRows, RightRows> full_join(const Policy& p, Left left, Left left_end, Right right, Right right_end,
                                               LeftRows left_rows, RightRows right_rows, Compare compare = {}) {
  return detail::plan::join<detail::plan::all_rows>(p, left, left_end, right, right_end, left_rows, right_rows,
                                                    compare);
}

/// The number of rows that full_join writes.
template <class Policy, class Left, class Right, class Compare = cuda::std::less<>>
offset full_join_size(const Policy& p, Left left, Left left_end, Right right, Right right_end, Compare compare = {}) {
  return detail::plan::join_size<detail::plan::all_rows>(p, left, left_end, right, right_end, compare);
}

/// full_join that writes at most `capacity` rows, and the size of the whole result to *size_out. Never synchronizes
/// under par_nosync.
template <class Policy, class Left, class Right, class LeftRows, class RightRows, class SizeOut,
          class Compare = cuda::std::less<>>
void full_join_into(const Policy& p, Left left, Left left_end, Right right, Right right_end, LeftRows left_rows,
                    RightRows right_rows, offset capacity, SizeOut size_out, Compare compare = {}) {
  const detail::plan::join_outputs out{left_rows, right_rows, capacity, size_out};
  detail::plan::join_into<detail::plan::all_rows>(p, left, left_end, right, right_end, out, compare);
}

// --- semi_join and anti_join

/// Writes the numbers of the left rows that have a partner in right, ascending. Returns the end of the output, which
/// has room for n rows. Cost: one sorted search and a scan. Memory: 8 bytes per left row. Waits for the size.
template <class Policy, class Left, class Right, class LeftRows, class Compare = cuda::std::less<>>
LeftRows semi_join(const Policy& p, Left left, Left left_end, Right right, Right right_end, LeftRows left_rows,
                   Compare compare = {}) {
  return detail::plan::filter_left(p, left, left_end, right, right_end, left_rows, compare, true);
}

/// Writes the numbers of the left rows that have no partner in right. Otherwise as semi_join.
template <class Policy, class Left, class Right, class LeftRows, class Compare = cuda::std::less<>>
LeftRows anti_join(const Policy& p, Left left, Left left_end, Right right, Right right_end, LeftRows left_rows,
                   Compare compare = {}) {
  return detail::plan::filter_left(p, left, left_end, right, right_end, left_rows, compare, false);
}

// --- as_of_join

/// The type of mgpu::backward.
struct backward_direction {};
/// The direction of an as-of join: the last right row that is not after a left row.
inline constexpr backward_direction backward{};
/// The type of mgpu::forward.
struct forward_direction {};
/// The direction of an as-of join: the first right row that is not before a left row.
inline constexpr forward_direction forward{};

/// Writes for each left row the number of one right row, or mgpu::no_row. Returns the end of right_rows, which has n
/// elements. mgpu::backward: the last right row that is not after the left row. mgpu::forward: the first right row that
/// is not before it. So of equal right rows backward takes the last one, forward the first one, as pandas.merge_asof
/// does.
/// `matches(left row, right row)` may refuse the row that is found, and no_row is written: it is of another group, or
/// too far away. With groups, rows are sorted by group, then by time, and compare compares both. The right row found
/// for a left row is then of another group only if its own has none on that side.
/// Every right row counts, also one that has no value to take: if `matches` refuses it, no_row is written, and not the
/// row before it. To skip such rows, join with the numbers of the others: docs/joins.md shows how.
/// Requires: compare takes a left and a right row in both orders. On the GPU matches must be __device__. It may be
///   given copies of rows.
/// Cost: one sorted search, and one call of `matches` per left row. Memory: that of lower_bound_sorted_values. Returns
/// before completion under par_nosync, and can be captured into a CUDA graph. Otherwise as inner_join.
template <class Policy, class Left, class Right, class RightRows, class Direction, class Compare = cuda::std::less<>,
          class Matches = detail::core::always_matches>
RightRows as_of_join(const Policy& p, Left left, Left left_end, Right right, Right right_end, RightRows right_rows,
                     Direction, Compare compare = {}, Matches matches = {}) {
  if constexpr (detail::exec::meets<detail::plan::known_direction<Direction>>) {
    if constexpr (detail::plan::is_sound_join<Policy, Left, Right, Compare> && detail::plan::takes_rows<RightRows> &&
                  detail::exec::meets<detail::plan::matching_rows<Matches, Left, Right>>) {
      constexpr bool is_forward = cuda::std::is_same_v<Direction, forward_direction>;
      return detail::plan::as_of_join<is_forward>(p, left, left_end, right, right_end, right_rows, compare, matches);
    }
  }
  return right_rows;
}

MGPU_NAMESPACE_END
