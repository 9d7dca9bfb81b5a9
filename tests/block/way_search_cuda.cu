// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A warp, or a thread for each run, finds where runs are split: at the diagonal of their stable merge, or near it.
#include "ways.h"

#include <mgpu/base/order.h>
#include <mgpu/block/runs/way_search.cuh>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace {

using namespace mgpu::detail;
using namespace test;

/// What is searched: a diagonal, and splits known to lie before and behind it.
struct question {
  offset diagonal;
  int slack, low, high;  // low and high are diagonals
};

/// Threads that search for one split: those of a warp, or one for each run.
template <int ways, bool by_warp>
inline constexpr int threads_of_search = by_warp ? 32 : ways;

/// Each search asks a question, and each of its runs' first threads tells the split.
template <int ways, bool by_warp, class Index, class Key, class Compare>
__global__ void find_splits(runs_of_array<Key> runs, const question* questions, int count, const int* all_splits,
                            offset* found, Compare compare) {
  constexpr int threads = threads_of_search<ways, by_warp>;
  const int number = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / threads;
  const question q = questions[number < count ? number : 0];
  const block::way_search<ways, by_warp> by;
  offset split;
  if (all_splits == nullptr) {
    split = by.template find<Index>(runs, q.diagonal, q.slack, compare);
  } else {
    const bool is_run = by.way() < runs.count;
    const offset low = is_run ? all_splits[q.low * runs.count + by.way()] : 0;
    const offset high = is_run ? all_splits[q.high * runs.count + by.way()] : 0;
    split = by.find_between(runs, q.diagonal, low, high, q.slack, compare);
  }
  if (number < count && by.is_first_lane()) found[number * ways + by.way()] = split;
}

/// The splits that all searches find; between known splits if there are `all_splits`.
template <int ways, bool by_warp, class Index, class Key, class Compare>
std::vector<offset> searched(const sorted_runs& runs, const std::vector<question>& questions,
                             const std::vector<int>& all_splits, const Compare& compare) {
  constexpr int threads = 128;
  const int count = static_cast<int>(questions.size());
  const input<cuda_executor, Key> keys(runs.keys<Key>());
  const input<cuda_executor, int> bounds(runs.bounds), splits(all_splits);
  const input<cuda_executor, question> in(questions);
  output<cuda_executor, offset> found(offset{count} * ways);
  launch(find_splits<ways, by_warp, Index, Key, Compare>,
         base::ceil_div(count * threads_of_search<ways, by_warp>, threads), threads, 0,
         runs_of_array<Key>{keys.begin(), bounds.begin(), runs.count()}, in.begin(), count,
         all_splits.empty() ? nullptr : splits.begin(), found.begin(), compare);
  CHECK(found.guards_untouched());
  return found.read();
}

/// Splits must be those of a diagonal that is at most `slack` away from the one that was asked.
template <int ways>
void check_answers(const sorted_runs& runs, const std::vector<question>& questions,
                   const std::vector<std::vector<int>>& splits, const std::vector<offset>& found) {
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const question& q = questions[i];
    INFO(runs.size(), " elements, diagonal ", q.diagonal, " in [", q.low, ", ", q.high, "], slack ", q.slack);
    const offset* const mine = found.data() + i * ways;
    const offset sum = std::accumulate(mine, mine + ways, offset{0});
    const offset wanted = std::min<offset>(q.diagonal, runs.size());
    REQUIRE(sum >= std::max<offset>(0, wanted - q.slack));
    REQUIRE(sum <= std::min<offset>(runs.size(), wanted + q.slack));
    const auto& expected = splits[static_cast<std::size_t>(sum)];
    REQUIRE(std::equal(expected.begin(), expected.end(), mine));
    for (int w = runs.count(); w < ways; ++w) REQUIRE(mine[w] == 0);
  }
}

template <int ways, bool by_warp, class Index, class Key>
void check(const std::vector<int>& lengths, key_pattern pattern, unsigned seed) {
  const sorted_runs runs(lengths, pattern, ranks<Key>, seed);
  const auto splits = runs.all_splits();
  std::vector<int> flat;
  for (const auto& x : splits) flat.insert(flat.end(), x.begin(), x.end());
  std::vector<question> questions;
  std::mt19937 random(seed);
  for (const int slack : {0, 1, 9}) {
    for (const offset diagonal : some_diagonals(runs.size(), 30)) {
      const auto at = static_cast<int>(diagonal);
      const int low = static_cast<int>(random() % (at + 1u));
      const int high = at + static_cast<int>(random() % (runs.size() - at + 1u));
      questions.push_back({diagonal, slack, low, high});
    }
  }
  INFO("pattern ", static_cast<int>(pattern));
  const cuda::std::less<> less;
  check_answers<ways>(runs, questions, splits, searched<ways, by_warp, Index, Key>(runs, questions, {}, less));
  check_answers<ways>(runs, questions, splits, searched<ways, by_warp, Index, Key>(runs, questions, flat, less));
}

template <int ways, bool by_warp, class Index, class Key>
void check_all() {
  unsigned seed = 1;
  for (const int total : {1, 2, 33, 700, 5000}) {
    for (const auto& lengths : kinds_of_lengths(ways, total)) {
      for (const key_pattern pattern : key_patterns) check<ways, by_warp, Index, Key>(lengths, pattern, ++seed);
    }
  }
  if constexpr (ways > 2) {
    for (const key_pattern pattern : key_patterns)
      check<ways, by_warp, Index, Key>(std::vector<int>(ways - 1, 100), pattern, 1);
  }
}

/// Answers alike for the same keys, and has no order.
struct no_order {
  __device__ bool operator()(std::uint32_t x, std::uint32_t y) const { return ((x * 2654435761u) ^ y) >> 7 & 1; }
};

template <int ways, bool by_warp>
void check_without_order() {
  for (const auto& lengths : kinds_of_lengths(ways, 2000)) {
    const sorted_runs runs(lengths, key_pattern::random, 1 << 30, 1);
    std::vector<question> questions;
    for (const offset diagonal : some_diagonals(runs.size(), 100)) questions.push_back({diagonal, 0, 0, 0});
    const auto found = searched<ways, by_warp, int, std::uint32_t>(runs, questions, {}, no_order{});
    for (std::size_t i = 0; i < found.size(); ++i) {
      REQUIRE(found[i] >= 0);
      REQUIRE(found[i] <= lengths[i % ways]);
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("splits are cuts of the stable merge, at most the slack away from the diagonal", Key, std::uint8_t,
                   std::int16_t, std::uint32_t, float, std::int64_t, key12, key16) {
  check_all<8, true, int, Key>();
  check_all<8, false, offset, Key>();
}

TEST_CASE("searches are for two to thirty-two runs") {
  check_all<2, true, offset, std::uint32_t>();
  check_all<4, true, int, key12>();
  check_all<32, true, int, std::uint32_t>();
  check_all<2, false, int, key12>();
  check_all<16, false, int, std::uint32_t>();
  check_all<32, false, int, key12>();
}

TEST_CASE("whatever a comparator answers, splits are in their runs") {
  check_without_order<4, true>();
  check_without_order<32, true>();
  check_without_order<4, false>();
  check_without_order<16, false>();
}
