// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Joins of columns whose rows could have more pairs than are counted: they have a few, nearly too many, or too many.
#include "huge.h"
#include "support/arrays.h"

#include <mgpu/join.h>

#include <doctest/doctest.h>

#include <new>
#include <stdexcept>
#include <utility>

namespace {

using namespace test;

TEST_CASE("more than 2^64 possible pairs, and few rows") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    const offset left_count = power_of_two(15), right_count = power_of_two(50);
    // The uneven left rows have no partner: right rows are even.
    const auto l = column(power_of_two(34), 1), r = column(2);
    joined<offset> pairs, all;
    for (offset i = 0; i < left_count; ++i) {
      if (i % 2 == 0) pairs.add(i, i * power_of_two(33));
      all.add(i, i % 2 == 0 ? i * power_of_two(33) : -1);
    }
    check_rows<inner>(executor, l, left_count, r, right_count, pairs);
    check_rows<left>(executor, l, left_count, r, right_count, all);
  });
}

TEST_CASE("nearly too many rows, and too many") {
  for_each_executor([](auto executor) {
    const auto check = [&](auto kind) {
      using join = decltype(kind);
      check_most<join>(executor, power_of_two(13), power_of_two(50) - 1);
      check_most<join>(executor, 2, power_of_two(62) - 2);
      check_too_many<join>(executor, power_of_two(13), power_of_two(50));          // 2^63
      check_too_many<join>(executor, power_of_two(14), power_of_two(50));          // 2^64
      check_too_many<join>(executor, power_of_two(14) + 1, power_of_two(50) + 1);  // beyond
      check_too_many<join>(executor, power_of_two(16) + 77, power_of_two(50));
      check_too_many<join>(executor, 7, max_offset / 7);  // 2^63 - 1
    };
    check(inner{});
    check(left{});
  });
}

TEST_CASE("too many rows as input, and too many for memory") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    const auto& p = executor.policy();
    const auto x = column(1);
    const auto check = [&](auto kind, offset left_count, offset right_count) {
      using join = decltype(kind);
      const output<decltype(executor), offset> out(1);
      CHECK_THROWS_AS(join::size(p, x, x + left_count, x, x + right_count), std::invalid_argument);
      CHECK_THROWS_AS(join::join(p, x, x + left_count, x, x + right_count, out.begin(), out.begin()),
                      std::invalid_argument);
      CHECK_THROWS_AS(join::into(p, x, x + left_count, x, x + right_count, out.begin(), out.begin(), 1, out.begin()),
                      std::invalid_argument);
      CHECK(out.untouched());
    };
    for (const auto& [left_count, right_count] :
         {std::pair(power_of_two(61), power_of_two(61) + 1), std::pair(max_offset, max_offset),
          std::pair(offset{0}, max_offset)}) {
      check(inner{}, left_count, right_count);
      check(left{}, left_count, right_count);
      check(full{}, left_count, right_count);
    }
    CHECK(mgpu::inner_join_size(p, x, x, x, x + power_of_two(62)) == 0);
    CHECK(mgpu::left_join_size(p, x, x, x, x + power_of_two(62)) == 0);
    CHECK_THROWS_AS(mgpu::full_join_size(p, x, x, x, x + power_of_two(62)), std::bad_alloc);
    CHECK_THROWS_AS(mgpu::full_join_size(p, x, x + power_of_two(62), x, x), std::bad_alloc);
  });
}

/// Row i counts so many.
struct write_counts {
  offset first, others;
  offset* counts;
  MGPU_HOST_DEVICE void operator()(offset i) const { counts[i] = i == 0 ? first : others; }
};

/// What is counted of so many rows, as full joins count it.
template <class Executor>
void check_counts(Executor executor, offset rows, offset first, offset others, offset expected) {
  INFO(executor.name, ", ", rows, " rows, ", first, ", then ", others);
  namespace detail = mgpu::detail;
  auto& p = detail::exec::mutable_policy(executor.policy());
  detail::plan::row_counts counts(p, 0, rows);
  detail::exec::executor(p).each(rows, write_counts{first, others, counts.counts()});
  const output<Executor, offset> total(1);
  counts.scan();
  counts.check_sums();
  counts.note_total(total.begin());
  CHECK(counts.read_total() == expected);
  CHECK(total.first_difference({expected}) == -1);
  int is_bad = 0;
  Executor::copy_out(&is_bad, counts.bad_input(), sizeof(is_bad));
  CHECK(is_bad == (expected == max_offset ? 1 : 0));
}

TEST_CASE("counts of rows that are too many") {
  for_each_executor([](auto executor) {
    check_counts(executor, 2, power_of_two(62), power_of_two(62) - 2, max_offset - 1);
    check_counts(executor, 2, power_of_two(62), power_of_two(62) - 1, max_offset);
    check_counts(executor, 3, power_of_two(62), power_of_two(62), max_offset);
    check_counts(executor, 4, power_of_two(62), power_of_two(62), max_offset);  // 2^64
    check_counts(executor, 100'000, 5, power_of_two(62), max_offset);
    check_counts(executor, 100'000, 5, 3, 5 + offset{99'999} * 3);
  });
}

}  // namespace
