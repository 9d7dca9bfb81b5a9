// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Positions equal to the number of elements, as the last rows of a sparse matrix have them if they are empty: each
// function that takes positions, with MGPU_CHECK_INPUTS and without it.

#include "support/arrays.h"

#include <doctest/doctest.h>

#include <mgpu/interval.h>
#include <mgpu/merge_runs.h>
#include <mgpu/segmented_sort.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace test {

/// An array of `count` elements in equal parts, and behind them parts without elements.
struct parts_of_array {
  std::vector<offset> positions;  // where each part begins, and the number of elements
  std::vector<std::uint32_t> keys, sorted_parts;
  std::vector<int> part_of, place_in_part;

  parts_of_array(int count, int parts, int empty_parts)
      : keys(static_cast<std::size_t>(count)), part_of(keys.size()), place_in_part(keys.size()) {
    std::mt19937 random(static_cast<unsigned>(count + parts));
    for (auto& key : keys) key = static_cast<std::uint32_t>(random());
    sorted_parts = keys;
    for (int part = 0; part < parts; ++part) {
      const offset begin = offset{count} * part / parts, end = offset{count} * (part + 1) / parts;
      positions.push_back(begin);
      std::sort(sorted_parts.begin() + begin, sorted_parts.begin() + end);
      for (offset i = begin; i < end; ++i) {
        part_of[static_cast<std::size_t>(i)] = part;
        place_in_part[static_cast<std::size_t>(i)] = static_cast<int>(i - begin);
      }
    }
    positions.resize(positions.size() + static_cast<std::size_t>(empty_parts) + 1, count);
  }
};

/// Calls f(executor, parts, positions): arrays without elements, of one tile and of several, cut into few parts and
/// into many. The positions are in the executor's memory.
template <class F>
void for_each_array_in_parts(const F& f) {
  for (const int count : {0, 1, 70, 3'000, 300'000}) {
    for (const int parts : {1, 3, std::max(1, count / 9)}) {
      for (const int empty_parts : {1, 2, 700}) {
        const parts_of_array x(count, parts, empty_parts);
        for_each_executor([&](auto executor) {
          INFO(executor.name, ", ", count, " elements in ", parts, " parts, and ", empty_parts, " empty ones");
          const input<decltype(executor), offset> positions(x.positions);
          f(executor, x, positions);
          CHECK(positions.unchanged());
        });
      }
    }
  }
}

}  // namespace test

TEST_CASE("positions at the end of an array: segments") {
  test::for_each_array_in_parts([](auto executor, const auto& x, const auto& positions) {
    const auto check = [&](const auto& segments) {
      const test::output<decltype(executor), std::uint32_t> keys(static_cast<mgpu::offset>(x.keys.size()));
      executor.copy_in(keys.begin(), x.keys.data(), x.keys.size() * sizeof(x.keys[0]));
      mgpu::segmented_sort(executor.policy(), keys.begin(), keys.end(), segments);
      CHECK(keys.first_difference(x.sorted_parts) == -1);
    };
    const auto segments = static_cast<mgpu::offset>(x.positions.size()) - 1;
    check(mgpu::segment_heads(positions.begin(), positions.end()));
    check(mgpu::segment_offsets(positions.begin(), segments));
    check(mgpu::segment_offsets(positions.begin(), positions.begin() + 1, segments));
  });
}

TEST_CASE("positions at the end of an array: runs") {
  test::for_each_array_in_parts([](auto executor, const auto& x, const auto& positions) {
    using executor_type = decltype(executor);
    auto merged = x.keys;
    std::sort(merged.begin(), merged.end());
    const test::input<executor_type, std::uint32_t> keys(x.sorted_parts);
    const test::output<executor_type, std::uint32_t> out(static_cast<mgpu::offset>(merged.size()));
    const mgpu::run_offsets runs(positions.begin(), static_cast<mgpu::offset>(x.positions.size()) - 1);
    mgpu::merge_runs(executor.policy(), keys.begin(), keys.end(), runs, out.begin());
    CHECK(out.first_difference(merged) == -1);
  });
}

TEST_CASE("positions at the end of an array: intervals") {
  test::for_each_array_in_parts([](auto executor, const auto& x, const auto& positions) {
    using executor_type = decltype(executor);
    const auto& policy = executor.policy();
    const auto count = static_cast<mgpu::offset>(x.keys.size());
    const mgpu::interval_offsets intervals(positions.begin(), static_cast<mgpu::offset>(x.positions.size()), count);
    std::vector<int> numbers(x.positions.size()), backwards(x.keys.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    // Interval i is at the mirrored place of the other array.
    std::vector<mgpu::offset> places;
    for (std::size_t i = 0; i < x.positions.size(); ++i)
      places.push_back(count - (i + 1 < x.positions.size() ? x.positions[i + 1] : count));
    for (std::size_t i = 0; i < x.keys.size(); ++i) {
      const auto part = static_cast<std::size_t>(x.part_of[i]);
      backwards[static_cast<std::size_t>(places[part] + x.place_in_part[i])] = x.part_of[i];
    }
    const test::input<executor_type, int> values(numbers), parts(x.part_of), moved(backwards);
    const test::input<executor_type, mgpu::offset> places_in(places);
    const test::output<executor_type, int> expanded(count), searched(count), gathered(count), scattered(count);
    mgpu::interval_expand(policy, intervals, values.begin(), expanded.begin());
    mgpu::load_balance_search(policy, intervals, searched.begin());
    mgpu::interval_gather(policy, intervals, places_in.begin(), moved.begin(), gathered.begin());
    mgpu::interval_scatter(policy, intervals, places_in.begin(), parts.begin(), scattered.begin());
    CHECK(expanded.first_difference(x.part_of) == -1);
    CHECK(searched.first_difference(x.part_of) == -1);
    CHECK(gathered.first_difference(x.part_of) == -1);
    CHECK(scattered.first_difference(backwards) == -1);
  });
}
