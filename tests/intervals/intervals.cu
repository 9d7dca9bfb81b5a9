// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every function on intervals against its definition: the published demonstrations, intervals of every kind, sizes
// around the tile's, places in every order.
#include "check_intervals.h"
#include "interval_demo.h"

#include <thrust/iterator/counting_iterator.h>

namespace {

using namespace test;
using element_type = std::uint32_t;

constexpr layout all_layouts[] = {layout::permuted, layout::apart, layout::in_order};

struct ignore_visit {
  MGPU_HOST_DEVICE void operator()(offset, offset, offset) const {}
};

/// The tiles of all functions.
std::vector<int> all_tiles() {
  using executor = first_executor;
  const auto tile = [](auto sink) { return executor::items_per_tile<interval_core<decltype(sink)>>(); };
  constexpr mgpu::detail::base::no_values none;
  const element_type* const in = nullptr;
  element_type* const out = nullptr;
  const offset* const positions = nullptr;
  std::vector<int> tiles{tile(mgpu::detail::plan::expand_sink(in, out)),
                         tile(mgpu::detail::plan::expand_sink(mgpu::detail::base::counting{}, out)),
                         tile(mgpu::detail::plan::move_sink(in, out, positions, none)),
                         tile(mgpu::detail::plan::move_sink(in, out, none, positions)),
                         tile(mgpu::detail::plan::move_sink(in, out, positions, positions)),
                         tile(mgpu::detail::core::call(note_visit{}))};
  std::sort(tiles.begin(), tiles.end());
  tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
  return tiles;
}

/// All functions on the same intervals, with a different order of places and a different alignment for every number.
template <class Executor>
void check_functions(Executor executor, const std::vector<int>& counts, int number) {
  INFO(executor.name, ", ", counts.size(), " intervals with ", total_of(counts), " items, number ", number);
  const auto skip = interval_skips::number(number);
  const auto sources = number % 4 == 3 ? layout::overlapping : all_layouts[number % 3];
  const auto destinations = all_layouts[number / 3 % 3];
  const auto seed = static_cast<unsigned>(number);
  const given as = number % 3 == 1 ? given::counts : given::offsets,
              other = number % 3 == 2 ? given::counts : given::offsets;
  const intervals_in<Executor> intervals(counts);
  check_expand<element_type>(executor, intervals, as, skip);
  check_move<moving::gather, element_type>(executor, intervals, sources, destinations, other, skip, seed);
  check_move<moving::scatter, element_type>(executor, intervals, sources, destinations, as, skip, seed);
  check_move<moving::both, element_type>(executor, intervals, sources, destinations, other, skip, seed);
  check_search<element_type>(executor, intervals, as, skip.out);
  check_for_each(executor, intervals, other);
  CHECK(intervals.unchanged());
}

void check_functions(const std::vector<int>& counts, int number) {
  for_each_executor([&](auto executor) { check_functions(executor, counts, number); });
}

}  // namespace

TEST_CASE("the published demonstrations of expand and move") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    const input<executor_type, int> values(interval_demo::expand_values);
    const intervals_in<executor_type> to_expand(interval_demo::expand_counts);
    CHECK(offsets_of(interval_demo::expand_counts) == interval_demo::expand_offsets);
    const thrust::counting_iterator<int> numbers(0);
    const input<executor_type, int> gather(interval_demo::move_gather), scatter(interval_demo::move_scatter);
    const intervals_in<executor_type> to_move(interval_demo::move_counts);
    CHECK(offsets_of(interval_demo::move_counts) == interval_demo::move_offsets);
    for (const auto as : {given::offsets, given::counts}) {
      const output<executor_type, int> expanded(100), searched(100), moved(100);
      to_expand.give(as, [&](const auto& intervals) {
        CHECK(mgpu::interval_expand(executor.policy(), intervals, values.begin(), expanded.begin()) == expanded.end());
        CHECK(mgpu::load_balance_search(executor.policy(), intervals, searched.begin()) == searched.end());
      });
      CHECK(expanded.first_difference(interval_demo::expanded) == -1);
      CHECK(searched.first_difference(interval_demo::searched) == -1);
      to_move.give(as, [&](const auto& intervals) {
        mgpu::interval_move(executor.policy(), intervals, gather.begin(), scatter.begin(), numbers, moved.begin());
      });
      CHECK(moved.first_difference(interval_demo::moved) == -1);
    }
  });
}

TEST_CASE("intervals of every kind, with sizes around the tile's and its multiples") {
  int number = 0;
  for (const int tile : all_tiles()) {
    for (const auto s : all_sharings) {
      for (const int size : interval_sizes(tile)) {
        ++number;
        if (takes_few_cases() && number % 5 != 0) continue;
        std::mt19937 random(static_cast<unsigned>(number));
        check_functions(counts_of_size(s, size, random), number);
      }
    }
  }
}

TEST_CASE("intervals of every kind beyond a single launch") {
  using core = move_core<element_type, const offset*, const offset*>;
  const int size = first_executor::items_beyond_single_launch<core>();
  int number = 100;
  for (const auto s : {sharing::tens, sharing::zipf, sharing::thousands, sharing::halves, sharing::all_empty}) {
    std::mt19937 random(static_cast<unsigned>(++number));
    check_functions(counts_of_size(s, size, random), number);
    if (takes_few_cases()) return;
  }
}

TEST_CASE("tiles of empty intervals in a row") {
  int number = 200;
  for (const auto& counts : counts_with_many_empty(has_large_arrays ? 3'000'000 : 300'000)) {
    check_functions(counts, ++number);
    if (takes_few_cases()) return;
  }
}

TEST_CASE("an interval of 2^20 items") {
  constexpr int items = 1 << 20;
  int number = 300;
  check_functions({items}, ++number);
  check_functions({0, 3, items, 0, 1}, ++number);
  if (takes_few_cases()) return;
  check_functions({0, 0, items + 1, 0, items - 1, 0}, ++number);
  std::mt19937 random(5);
  auto around = counts_of_size(sharing::tens, 100'000, random);
  around[around.size() / 2] = items + 77;
  check_functions(around, ++number);
}

TEST_CASE("two intervals whose border is at every place of a tile's and of a word") {
  const int tile = all_tiles().front();
  int number = 400;
  for (int before = tile - 40; before < tile + 24; ++before) {
    if (takes_few_cases() && before % 8 != 0) continue;
    check_functions({before, 2 * tile - before + number % 7}, ++number);
  }
}

TEST_CASE("no intervals, and intervals without items") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    const auto& policy = executor.policy();
    int* const null = nullptr;
    const mgpu::interval_offsets no_intervals(null, 0, 0);
    const mgpu::interval_counts no_counts(null, null);
    const auto check = [&](const auto& intervals, const int* given_or_null) {
      CHECK(mgpu::interval_expand(policy, intervals, given_or_null, null) == null);
      CHECK(mgpu::interval_gather(policy, intervals, given_or_null, null, null) == null);
      mgpu::interval_scatter(policy, intervals, given_or_null, null, null);
      mgpu::interval_move(policy, intervals, given_or_null, given_or_null, null, null);
      CHECK(mgpu::load_balance_search(policy, intervals, null) == null);
      mgpu::for_each_interval_item(policy, intervals, ignore_visit{});
    };
    check(no_intervals, null);
    check(no_counts, null);
    const input<executor_type, int> zeros(std::vector<int>(70'000));
    check(mgpu::interval_offsets(zeros.begin(), 70'000, 0), zeros.begin());
    check(mgpu::interval_counts(zeros.begin(), zeros.end()), zeros.begin());
    CHECK(zeros.unchanged());
  });
}
