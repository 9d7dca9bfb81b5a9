// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Columns of more rows than memory holds, and checks of their joins.
#include "check_joins.h"
#include "support/arrays.h"

#include <doctest/doctest.h>

#include <mgpu/join.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <limits>
#include <stdexcept>

namespace test {

/// Row i is i times the distance, and the uneven rows of a column may be off by some.
struct row_at {
  offset distance, off;
  MGPU_HOST_DEVICE offset operator()(offset i) const { return i * distance + i % 2 * off; }
};

inline auto column(offset distance, offset off = 0) {
  return thrust::transform_iterator<row_at, thrust::counting_iterator<offset>, offset, offset>(
      thrust::counting_iterator<offset>(0), row_at{distance, off});
}

inline constexpr offset max_offset = std::numeric_limits<offset>::max();

constexpr offset power_of_two(int exponent) { return offset{1} << exponent; }

/// The row numbers of a join in all its forms.
template <class Join, class Executor, class Column>
void check_rows(Executor executor, Column l, offset left_count, Column r, offset right_count,
                const joined<offset>& expected) {
  const auto size = static_cast<offset>(expected.left.size());
  const auto& p = executor.policy();
  CHECK(Join::size(p, l, l + left_count, r, r + right_count) == size);
  const output<Executor, offset> left_rows(size), right_rows(size), some_left(9), some_right(9), size_out(1);
  const auto ends = Join::join(p, l, l + left_count, r, r + right_count, left_rows.begin(), right_rows.begin());
  CHECK(ends.first == left_rows.end());
  CHECK(ends.second == right_rows.end());
  CHECK(left_rows.first_difference(expected.left) == -1);
  CHECK(right_rows.first_difference(expected.right) == -1);
  Join::into(p, l, l + left_count, r, r + right_count, some_left.begin(), some_right.begin(), 9, size_out.begin());
  CHECK(size_out.first_difference({size}) == -1);
  auto first = expected;
  first.truncate(9);
  CHECK(some_left.first_difference(first.left) == -1);
  CHECK(some_right.first_difference(first.right) == -1);
}

/// All rows are equal, and the result has more rows than are counted.
template <class Join, class Executor>
void check_too_many(Executor executor, offset left_count, offset right_count) {
  INFO(executor.name, ", ", left_count, " and ", right_count, " rows, kept ", static_cast<int>(Join::kept));
  const auto x = column(0);
  const auto& p = executor.policy();
  const output<Executor, offset> left_rows(100), right_rows(100), size(1);
  CHECK_THROWS_AS(Join::size(p, x, x + left_count, x, x + right_count), std::invalid_argument);
  CHECK_THROWS_AS(Join::join(p, x, x + left_count, x, x + right_count, left_rows.begin(), right_rows.begin()),
                  std::invalid_argument);
  CHECK(left_rows.untouched());
  CHECK(right_rows.untouched());
  CHECK_THROWS_AS(
      Join::into(p, x, x + left_count, x, x + right_count, left_rows.begin(), right_rows.begin(), 100, size.begin()),
      std::invalid_argument);
  CHECK(left_rows.guards_untouched());
  CHECK(right_rows.guards_untouched());
  CHECK(size.guards_untouched());
}

/// All rows are equal, and all pairs are counted.
template <class Join, class Executor>
void check_most(Executor executor, offset left_count, offset right_count) {
  INFO(executor.name, ", ", left_count, " and ", right_count, " rows, kept ", static_cast<int>(Join::kept));
  const auto x = column(0);
  const auto& p = executor.policy();
  const output<Executor, offset> left_rows(3), right_rows(3), size(1);
  CHECK(Join::size(p, x, x + left_count, x, x + right_count) == left_count * right_count);
  Join::into(p, x, x + left_count, x, x + right_count, left_rows.begin(), right_rows.begin(), 3, size.begin());
  CHECK(size.first_difference({left_count * right_count}) == -1);
  CHECK(left_rows.first_difference({0, 0, 0}) == -1);
  CHECK(right_rows.first_difference({0, 1, 2}) == -1);
}

}  // namespace test
