// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Inner, left and full joins in all their forms, beside their definition.
#include "joined.h"
#include "support/arrays.h"

#include <doctest/doctest.h>

#include <mgpu/join.h>

#include <algorithm>
#include <vector>

namespace test {

struct inner {
  static constexpr auto kept = kept_rows::inner;
  template <class... Args>
  static auto join(const Args&... args) {
    return mgpu::inner_join(args...);
  }
  template <class... Args>
  static offset size(const Args&... args) {
    return mgpu::inner_join_size(args...);
  }
  template <class... Args>
  static void into(const Args&... args) {
    mgpu::inner_join_into(args...);
  }
};
struct left {
  static constexpr auto kept = kept_rows::left;
  template <class... Args>
  static auto join(const Args&... args) {
    return mgpu::left_join(args...);
  }
  template <class... Args>
  static offset size(const Args&... args) {
    return mgpu::left_join_size(args...);
  }
  template <class... Args>
  static void into(const Args&... args) {
    mgpu::left_join_into(args...);
  }
};
struct full {
  static constexpr auto kept = kept_rows::all;
  template <class... Args>
  static auto join(const Args&... args) {
    return mgpu::full_join(args...);
  }
  template <class... Args>
  static offset size(const Args&... args) {
    return mgpu::full_join_size(args...);
  }
  template <class... Args>
  static void into(const Args&... args) {
    mgpu::full_join_into(args...);
  }
};

/// One join in all its forms.
template <class Join, class Executor, class Left, class Right, class Compare>
void check_join(Executor executor, const std::vector<Left>& a, const std::vector<Right>& b, const Compare& compare) {
  INFO(executor.name, ", ", a.size(), " and ", b.size(), " rows, kept ", static_cast<int>(Join::kept));
  const auto expected = join_by_definition<int>(a, b, compare, Join::kept);
  const auto size = static_cast<offset>(expected.left.size());
  const input<Executor, Left> left_in(a);
  const input<Executor, Right> right_in(b);
  const Left* const l = left_in.begin();
  const Right* const r = right_in.begin();
  const auto& p = executor.policy();
  CHECK(Join::size(p, l, l + a.size(), r, r + b.size(), compare) == size);

  const output<Executor, int> left_rows(size), right_rows(size);
  const auto ends = Join::join(p, l, l + a.size(), r, r + b.size(), left_rows.begin(), right_rows.begin(), compare);
  CHECK(ends.first == left_rows.end());
  CHECK(ends.second == right_rows.end());
  CHECK(left_rows.first_difference(expected.left) == -1);
  CHECK(right_rows.first_difference(expected.right) == -1);

  for (const offset capacity : {offset{0}, size / 2, size, size + 300}) {
    INFO("capacity ", capacity);
    const output<Executor, int> some_left(capacity), some_right(capacity);
    const output<Executor, offset> size_out(1);
    Join::into(p, l, l + a.size(), r, r + b.size(), some_left.begin(), some_right.begin(), capacity, size_out.begin(),
               compare);
    CHECK(size_out.first_difference({size}) == -1);
    auto first = expected;
    first.truncate(capacity);
    CHECK(some_left.first_difference(first.left) == -1);
    CHECK(some_right.first_difference(first.right) == -1);
  }
  CHECK(left_in.unchanged());
  CHECK(right_in.unchanged());
}

/// A join of rows in no order has the size that its _size form says, and touches nothing else.
template <class Join, class Executor>
void check_disorder(Executor executor, const std::vector<int>& a, const std::vector<int>& b) {
  INFO(executor.name, ", ", a.size(), " rows, kept ", static_cast<int>(Join::kept));
  const input<Executor, int> l(a), r(b);
  const auto& p = executor.policy();
  const offset size = Join::size(p, l.begin(), l.end(), r.begin(), r.end());
  const output<Executor, int> left_rows(size), right_rows(size);
  const auto ends = Join::join(p, l.begin(), l.end(), r.begin(), r.end(), left_rows.begin(), right_rows.begin());
  CHECK(ends.first == left_rows.end());
  CHECK(left_rows.guards_untouched());
  CHECK(right_rows.guards_untouched());
  const auto rows = right_rows.read();
  const auto is_foreign = [&](int row) { return row < -1 || row >= static_cast<int>(b.size()); };
  CHECK(std::count_if(rows.begin(), rows.end(), is_foreign) == 0);
  CHECK(l.unchanged());
  CHECK(r.unchanged());
}

}  // namespace test
