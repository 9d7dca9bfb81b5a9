// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tiles of the GPU whose rows could have more pairs than are counted: they have a few, nearly too many, or too many.
// Sizes of too many rows that stay on the device.
#include "huge.h"

#include <doctest/doctest.h>

namespace {

using namespace test;

TEST_CASE("tiles of more than 2^64 possible pairs, and few rows") {
  if (takes_few_cases()) return;
  const offset rows = power_of_two(33);
  const auto l = column(1), r = l + (rows - 5);
  joined<offset> pairs;
  for (offset i = 0; i < 5; ++i) pairs.add(rows - 5 + i, i);
  check_rows<inner>(cuda_executor{}, l, rows, r, rows, pairs);
  CHECK(mgpu::left_join_size(mgpu::par, l, l + rows, r, r + rows) == rows);
}

TEST_CASE("tiles of nearly too many rows, and of too many") {
  if (takes_few_cases()) return;
  const auto check = [](auto kind) {
    using join = decltype(kind);
    check_most<join>(cuda_executor{}, power_of_two(31), power_of_two(32) - 1);
    check_too_many<join>(cuda_executor{}, power_of_two(31), power_of_two(32));  // 2^63
    check_too_many<join>(cuda_executor{}, power_of_two(32), power_of_two(32));  // 2^64
    check_too_many<join>(cuda_executor{}, power_of_two(32), power_of_two(33) + 7);
  };
  check(inner{});
  check(left{});
}

/// The size of too many rows, where the host does not wait for it. All rows are equal.
template <class Join>
void check_size_on_device(offset left_count, offset right_count) {
  INFO(left_count, " and ", right_count, " rows, kept ", static_cast<int>(Join::kept));
  const auto x = column(0);
  for (const offset capacity : {0, 100, 100'000}) {
    const output<cuda_executor, offset> left_rows(capacity), right_rows(capacity), size(1);
    Join::into(mgpu::par_nosync, x, x + left_count, x, x + right_count, left_rows.begin(), right_rows.begin(), capacity,
               size.begin());
    CHECK(size.first_difference({max_offset}) == -1);
    CHECK(left_rows.guards_untouched());
    CHECK(right_rows.guards_untouched());
  }
}

TEST_CASE("the size of too many rows on the device") {
  const auto check = [](auto kind) {
    using join = decltype(kind);
    check_size_on_device<join>(power_of_two(14), power_of_two(50));
    check_size_on_device<join>(power_of_two(13) + 1, power_of_two(50));
    if (!takes_few_cases()) check_size_on_device<join>(power_of_two(32), power_of_two(32));
  };
  check(inner{});
  check(left{});
}

TEST_CASE("more tiles than a grid has blocks") {
  const offset rows = power_of_two(44);
  const auto x = column(1);
  const output<cuda_executor, offset> out(1);
  CHECK_THROWS_AS(mgpu::inner_join_size(mgpu::par, x, x + rows, x, x + rows), mgpu::cuda_error);
  CHECK_THROWS_AS(
      mgpu::inner_join_into(mgpu::par_nosync, x, x + rows, x, x + rows, out.begin(), out.begin(), 1, out.begin()),
      mgpu::cuda_error);
  CHECK(out.untouched());
}

}  // namespace
