// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sorted searches and joins by their definition, on the host.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace test {

/// Which rows a join has beside pairs.
enum class kept_rows { inner, left, all };

/// Row numbers of both sides; -1 for none.
template <class Row>
struct joined {
  std::vector<Row> left, right;

  void add(std::int64_t left_row, std::int64_t right_row) {
    left.push_back(static_cast<Row>(left_row));
    right.push_back(static_cast<Row>(right_row));
  }
  /// Leaves the first rows, at most `count`.
  void truncate(std::int64_t count) {
    const auto most = static_cast<std::size_t>(count);
    left.resize(std::min(left.size(), most));
    right.resize(std::min(right.size(), most));
  }
};

/// The lower or the upper bounds of `values`.
template <class Row, class Element, class Value, class Compare>
std::vector<Row> bounds_of(const std::vector<Element>& range, const std::vector<Value>& values, const Compare& compare,
                           bool are_upper) {
  std::vector<Row> found;
  found.reserve(values.size());
  for (const Value& value : values) {
    const auto at = are_upper ? std::upper_bound(range.begin(), range.end(), value, compare)
                              : std::lower_bound(range.begin(), range.end(), value, compare);
    found.push_back(static_cast<Row>(at - range.begin()));
  }
  return found;
}

/// The rows of `right` that are neither before nor after x.
template <class Left, class Right, class Compare>
auto partners_of(const Left& x, const std::vector<Right>& right, const Compare& compare) {
  const auto begin = std::lower_bound(right.begin(), right.end(), x, compare);
  const auto end = std::upper_bound(begin, right.end(), x, compare);
  return std::pair<std::int64_t, std::int64_t>(begin - right.begin(), end - right.begin());
}

template <class Row, class Left, class Right, class Compare>
joined<Row> join_by_definition(const std::vector<Left>& left, const std::vector<Right>& right, const Compare& compare,
                               kept_rows kept) {
  joined<Row> result;
  std::vector<bool> has_partner(right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    const auto [begin, end] = partners_of(left[i], right, compare);
    for (auto j = begin; j < end; ++j) {
      result.add(static_cast<std::int64_t>(i), j);
      has_partner[static_cast<std::size_t>(j)] = true;
    }
    if (begin == end && kept != kept_rows::inner) result.add(static_cast<std::int64_t>(i), -1);
  }
  for (std::size_t j = 0; j < right.size() && kept == kept_rows::all; ++j) {
    if (!has_partner[j]) result.add(-1, static_cast<std::int64_t>(j));
  }
  return result;
}

/// The left rows that have a partner, or those that have none.
template <class Row, class Left, class Right, class Compare>
std::vector<Row> filtered(const std::vector<Left>& left, const std::vector<Right>& right, const Compare& compare,
                          bool have_partner) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const auto [begin, end] = partners_of(left[i], right, compare);
    if ((begin < end) == have_partner) rows.push_back(static_cast<Row>(i));
  }
  return rows;
}

template <class Row, class Left, class Right, class Compare, class Matches>
std::vector<Row> as_of_rows(const std::vector<Left>& left, const std::vector<Right>& right, const Compare& compare,
                            const Matches& matches, bool is_forward) {
  std::vector<Row> rows;
  const auto right_count = static_cast<std::int64_t>(right.size());
  for (const Left& x : left) {
    const auto [begin, end] = partners_of(x, right, compare);
    const std::int64_t row = is_forward ? begin : end - 1;
    const bool is_row = row >= 0 && row < right_count && matches(x, right[static_cast<std::size_t>(row)]);
    rows.push_back(static_cast<Row>(is_row ? row : -1));
  }
  return rows;
}

}  // namespace test
