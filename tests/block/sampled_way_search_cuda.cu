// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The groups of threads of a block each find where sorted runs are split at a diagonal of their stable merge.
#include "ways.h"

#include <mgpu/base/order.h>
#include <mgpu/block/runs/sampled_way_search.cuh>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace mgpu::detail;
using namespace test;

/// Each group of threads looks for the splits at a diagonal, and each of its threads tells what it found.
template <int ways, class Key, class Compare>
__global__ void find_splits(runs_of_array<Key> runs, const offset* diagonals, int count, offset* found, Compare compare,
                            int* strays) {
  using search = block::sampled_way_search<ways, Key>;
  const guarded room(static_cast<int>(blockDim.x * sizeof(base::slot<Key>)));
  const int thread = static_cast<int>(threadIdx.x), group = thread / search::threads;
  const int number = static_cast<int>(blockIdx.x * blockDim.x) / search::threads + group;
  if (number < count) {
    const search by(reinterpret_cast<base::slot<Key>*>(room.begin()) + group * search::threads);
    const auto splits = by.find(runs, diagonals[number], compare);
    offset* const mine = found + (number * search::threads + thread % search::threads) * ways;
    for (int w = 0; w < ways; ++w) mine[w] = splits.of[w];
  }
  room.check(strays);
}

/// The splits that all threads of each search have found. Behind the last run there are empty ones.
template <int ways, class Key, class Compare>
std::vector<offset> searched(const sorted_runs& runs, const std::vector<offset>& diagonals, const Compare& compare) {
  constexpr int group = block::sampled_way_search<ways, Key>::threads, threads = 96;
  const int count = static_cast<int>(diagonals.size());
  const input<cuda_executor, Key> keys(runs.keys<Key>());
  const input<cuda_executor, int> bounds(runs.bounds);
  const input<cuda_executor, offset> at(diagonals);
  output<cuda_executor, offset> found(offset{count} * group * ways);
  const counter strays;
  launch(find_splits<ways, Key, Compare>, base::ceil_div(count * group, threads), threads,
         threads * int{sizeof(base::slot<Key>)}, runs_of_array<Key>{keys.begin(), bounds.begin(), runs.count()},
         at.begin(), count, found.begin(), compare, strays.begin());
  CHECK(found.guards_untouched());
  CHECK(strays.read() == 0);
  return found.read();
}

template <int ways, class Key>
void check(const std::vector<int>& lengths, key_pattern pattern, unsigned seed) {
  constexpr int group = block::sampled_way_search<ways, Key>::threads;
  const sorted_runs runs(lengths, pattern, ranks<Key>, seed);
  const auto splits = runs.all_splits();
  const auto diagonals = some_diagonals(runs.size(), 400);
  std::vector<offset> expected;
  for (const offset diagonal : diagonals) {
    auto of_thread = splits[static_cast<std::size_t>(diagonal)];
    of_thread.resize(ways, 0);
    for (int thread = 0; thread < group; ++thread) expected.insert(expected.end(), of_thread.begin(), of_thread.end());
  }
  INFO(runs.size(), " elements, pattern ", static_cast<int>(pattern), ", seed ", seed);
  CHECK(searched<ways, Key>(runs, diagonals, cuda::std::less<>{}) == expected);
}

template <int ways, class Key>
void check_all() {
  for (const int total : {0, 1, 2, ways, 33, 1000, 6000}) {
    unsigned seed = 1;
    for (const auto& lengths : kinds_of_lengths(ways, total)) {
      for (const key_pattern pattern : key_patterns) check<ways, Key>(lengths, pattern, ++seed);
    }
  }
  for (const key_pattern pattern : key_patterns) check<ways, Key>(std::vector<int>(ways - 1, 777), pattern, 1);
}

/// Answers alike for the same keys, and has no order.
struct no_order {
  __device__ bool operator()(std::uint32_t x, std::uint32_t y) const { return ((x * 2654435761u) ^ y) >> 7 & 1; }
};

}  // namespace

TEST_CASE_TEMPLATE("threads find the splits of runs at every diagonal", Key, std::uint8_t, std::int16_t, std::uint32_t,
                   float, std::int64_t, key12, key16, key32) {
  check_all<4, Key>();
}

TEST_CASE("searches are for two, four and eight runs") {
  check_all<2, std::uint32_t>();
  check_all<8, std::uint32_t>();
  check_all<8, key16>();
}

TEST_CASE("whatever a comparator answers, splits are in their runs and add up to the diagonal") {
  constexpr int group = block::sampled_way_search<4, std::uint32_t>::threads;
  for (const auto& lengths : kinds_of_lengths(4, 3000)) {
    const sorted_runs runs(lengths, key_pattern::random, 1 << 30, 1);
    const auto diagonals = some_diagonals(runs.size(), 200);
    const auto found = searched<4, std::uint32_t>(runs, diagonals, no_order{});
    for (std::size_t i = 0; i < diagonals.size(); ++i) {
      const offset* const splits = found.data() + i * group * 4;
      offset sum = 0;
      for (int w = 0; w < 4; ++w) {
        REQUIRE(splits[w] >= 0);
        REQUIRE(splits[w] <= lengths[w]);
        sum += splits[w];
      }
      REQUIRE(sum == diagonals[i]);
      for (int thread = 1; thread < group; ++thread) REQUIRE(std::equal(splits, splits + 4, splits + thread * 4));
    }
  }
}
