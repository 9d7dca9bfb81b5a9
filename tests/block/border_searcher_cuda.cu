// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The threads of a block are shared out to searches at borders, each by as many threads as its kind takes.
#include "ways.h"

#include <mgpu/base/order.h>
#include <mgpu/block/search/border_searcher.cuh>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace mgpu::detail;
using namespace test;

template <int threads>
__global__ void __launch_bounds__(threads) find_borders(const offset* borders, offset size, offset* found) {
  using searcher = block::border_searcher<tile::partition_search>;
  static_assert(searcher::threads == 32, "a warp");
  const int i = static_cast<int>(blockIdx.x * threads + threadIdx.x);
  const offset border = borders[i / searcher::threads];
  found[i] = searcher::of_thread<threads>().partition_point(offset{0}, size, [&](offset x) { return x < border; });
}

template <int threads, int ways, class Key>
__global__ void __launch_bounds__(threads)
    find_splits(runs_of_array<Key> runs, const offset* diagonals, offset* found) {
  using searcher = block::border_searcher<tile::ways_search<ways, Key>>;
  static_assert(32 % searcher::threads == 0, "searches share a warp");
  const int i = static_cast<int>(blockIdx.x * threads + threadIdx.x);
  const auto by = searcher::template of_thread<threads>();
  const auto splits = by.find(runs, diagonals[i / searcher::threads], cuda::std::less<>{});
  for (int w = 0; w < ways; ++w) found[i * ways + w] = splits.of[w];
}

template <int threads>
void check_borders(int blocks, offset size) {
  const auto borders = random_numbers<offset>(blocks * threads / 32, 0, size, threads);
  const input<cuda_executor, offset> in(borders);
  output<cuda_executor, offset> found(blocks * threads);
  launch(find_borders<threads>, blocks, threads, 0, in.begin(), size, found.begin());
  std::vector<offset> expected;
  for (const offset border : borders) expected.insert(expected.end(), 32, border);
  CHECK(found.first_difference(expected) == -1);
}

template <int threads, int ways, class Key>
void check_splits(int blocks, const std::vector<int>& lengths, key_pattern pattern) {
  constexpr int group = block::border_searcher<tile::ways_search<ways, Key>>::threads;
  const sorted_runs runs(lengths, pattern, ranks<Key>, threads);
  const auto splits = runs.all_splits();
  const auto diagonals = random_numbers<offset>(blocks * threads / group, 0, runs.size(), ways);
  const input<cuda_executor, Key> keys(runs.keys<Key>());
  const input<cuda_executor, int> bounds(runs.bounds);
  const input<cuda_executor, offset> in(diagonals);
  output<cuda_executor, offset> found(blocks * threads * ways);
  launch(find_splits<threads, ways, Key>, blocks, threads, 0,
         runs_of_array<Key>{keys.begin(), bounds.begin(), runs.count()}, in.begin(), found.begin());
  std::vector<offset> expected;
  for (const offset diagonal : diagonals) {
    const auto& at = splits[static_cast<std::size_t>(diagonal)];
    for (int thread = 0; thread < group; ++thread) expected.insert(expected.end(), at.begin(), at.end());
  }
  CHECK(found.first_difference(expected) == -1);
}

}  // namespace

TEST_CASE("each warp of a block searches at a border of its own") {
  for (const offset size : {offset{0}, offset{1}, offset{1000}, offset{1} << 40}) {
    check_borders<32>(5, size);
    check_borders<128>(3, size);
    check_borders<1024>(2, size);
  }
}

TEST_CASE_TEMPLATE("the searches in a block each split runs at a diagonal of their own", Key, std::uint8_t,
                   std::int16_t, std::uint32_t, std::int64_t, key12, key32) {
  for (const key_pattern pattern : key_patterns) {
    for (const auto& lengths : kinds_of_lengths(4, 3000)) {
      check_splits<32, 4, Key>(3, lengths, pattern);
      check_splits<256, 4, Key>(2, lengths, pattern);
    }
    for (const auto& lengths : kinds_of_lengths(2, 3000)) check_splits<128, 2, Key>(2, lengths, pattern);
  }
}
