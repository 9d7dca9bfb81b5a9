// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The four set operations of keys alone, in all their forms: sizes around the tile's, everything that two inputs
// can have in common, misaligned ranges, against std::.
#include "check_set_operations.h"

namespace {

using namespace test;
using key = std::uint32_t;

template <class Operation>
void check(Operation operation, sizes size, overlap o, int number) {
  std::mt19937 random(static_cast<unsigned>(number));
  const auto in = overlapping_keys<key>(o, size.a, size.b, random);
  for_each_executor([&](auto executor) {
    INFO(executor.name, ", ", size.a, " and ", size.b, " elements, overlap ", static_cast<int>(o), ", number ", number);
    check_keys(operation, executor, in.a, in.b, std::less<>{}, skips::number(number));
  });
}

template <class Operation>
void check_unique(Operation operation, sizes size, overlap o, int number) {
  std::mt19937 random(static_cast<unsigned>(number));
  const auto in = unique_keys<key>(o, size.a, size.b, random);
  for_each_executor([&](auto executor) {
    INFO(executor.name, ", ", size.a, " and ", size.b, " elements, overlap ", static_cast<int>(o), ", number ", number);
    check_keys(operation, executor, in.a, in.b, std::less<>{}, skips::number(number), mgpu::unique_keys);
  });
}

}  // namespace

TEST_CASE_TEMPLATE("a set operation of keys", Operation, op::set_union, op::set_intersection, op::set_difference,
                   op::set_symmetric_difference) {
  const int tile = first_executor::items_per_tile<set_core<Operation, key>>();
  constexpr int overlaps = std::size(all_overlaps);
  int number = 0;
  for (const auto& size : sizes_around_tile(tile)) {
    // An overlap or two for each size, others for the next: every one meets every kind of size.
    const int total = size.a + size.b, cases = total < 3 || total > 50000 || takes_few_cases() ? 1 : 2;
    for (int i = 0; i < cases; ++i) {
      check(Operation{}, size, all_overlaps[(number + i * 3) % overlaps], number + i * 5);
    }
    ++number;
  }
  if (takes_few_cases()) return;
  for (const auto o : all_overlaps) check(Operation{}, {40001, 30003}, o, ++number);
  for (const auto o : all_overlaps) check(Operation{}, {2 * tile + 1, 2 * tile}, o, ++number);
  check(Operation{}, {1, 200007}, overlap::some, 1001);
  check(Operation{}, {200007, 3}, overlap::some, 1002);
}

TEST_CASE_TEMPLATE("a set operation of keys without duplicates", Operation, op::set_union, op::set_intersection,
                   op::set_difference, op::set_symmetric_difference) {
  const int tile = first_executor::items_per_tile<set_core<Operation, key>>();
  constexpr int overlaps = std::size(unique_overlaps);
  int number = 0;
  for (const auto& size : sizes_around_tile(tile)) {
    ++number;
    if (takes_few_cases() && number % 3 != 0) continue;
    check_unique(Operation{}, size, unique_overlaps[(number / 3 + number) % overlaps], number);
  }
  if (takes_few_cases()) return;
  for (const auto o : unique_overlaps) check_unique(Operation{}, {40001, 30003}, o, ++number);
}

/// More tiles than one look at the tiles before sees, and than a launch without splits takes.
TEST_CASE_TEMPLATE("a set operation of many tiles", Operation, op::set_union, op::set_intersection, op::set_difference,
                   op::set_symmetric_difference) {
  using core = set_core<Operation, key>;
  const int total = std::max(std::min(1100 * first_executor::items_per_tile<core>(), 7'000'000) / 4,
                             first_executor::items_beyond_single_launch<core>());
  check(Operation{}, {total / 3, total - total / 3}, overlap::some, 1);
  if (takes_few_cases()) return;
  check(Operation{}, {total / 2, total - total / 2}, overlap::all_equal, 2);
  check(Operation{}, {total / 2, total - total / 2}, overlap::lone_runs, 3);
  check_unique(Operation{}, {total / 2 + 1, total - total / 2}, overlap::same_after_one, 4);
}

/// A run that both inputs have, at every place of a tile's border and of a thread's.
TEST_CASE_TEMPLATE("a run across the border of two tiles", Operation, op::set_union, op::set_intersection,
                   op::set_difference, op::set_symmetric_difference) {
  const int tile = first_executor::items_per_tile<set_core<Operation, key>>();
  const auto check_runs = [](int before, int a_run, int b_run, int number) {
    std::vector<key> a, b;
    for (int i = 0; i < before / 2; ++i) a.push_back(static_cast<key>(i));
    for (int i = before / 2; i < before; ++i) b.push_back(static_cast<key>(i));
    a.insert(a.end(), static_cast<std::size_t>(a_run), 1u << 30);
    b.insert(b.end(), static_cast<std::size_t>(b_run), 1u << 30);
    for (const key k : {key{1} << 31, (key{1} << 31) + 2, ~key{0}}) a.push_back(k);
    for (const key k : {key{1} << 31, (key{1} << 31) + 1}) b.push_back(k);
    for_each_executor([&](auto executor) {
      INFO(executor.name, ", ", before, " elements before runs of ", a_run, " and ", b_run);
      check_keys(Operation{}, executor, a, b, std::less<>{}, skips::number(number));
    });
  };
  int number = 0;
  for (const int before : {tile - 1, tile, tile + 1, tile - 2, tile - 23, tile - 40, 7 * tile / 4 - 3, 2 * tile - 3}) {
    if (takes_few_cases() && number > 4) return;
    check_runs(before, 1, 1, ++number);
    check_runs(before, 20, 21, ++number);
    check_runs(before, 30, 7, ++number);
    check_runs(before, 2, 50, ++number);
  }
  check_runs(tile / 2, 3 * tile, tile, ++number);
  check_runs(tile / 3, tile + 1, 3 * tile, ++number);
  check_runs(1, 2 * tile, 2 * tile, ++number);
}
