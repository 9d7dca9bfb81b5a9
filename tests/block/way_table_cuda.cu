// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The table of a tile's ways has the runs that are not empty, and threads for each pair of them in each round.
#include "ways.h"

#include <mgpu/block/runs/way_table.cuh>

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

namespace {

using namespace mgpu::detail;
using namespace test;

/// What a warp makes of the lengths of runs, and the way of each of its lanes' runs and of each element.
template <int ways>
struct answers {
  block::way_table<ways> table;
  int items;
  int way_of_lane[32];
  int first_threads[ways];  // of all rounds, one behind the other
  int sum, sums_before[32];
};

template <int ways>
__global__ void make_table(const int* lengths, const int* starts, int share, answers<ways>* out, int* way_of_element,
                           int most_items, int* strays) {
  const guarded room(sizeof(block::way_table<ways>));
  auto& table = *reinterpret_cast<block::way_table<ways>*>(room.begin());
  auto& mine = out[blockIdx.x];
  const int lane = static_cast<int>(threadIdx.x);
  const int length = lane < ways ? lengths[blockIdx.x * ways + lane] : 0;
  const int before = block::warp_sum_before(length);
  mine.sums_before[lane] = before;
  const int sum = block::warp_sum(length);
  const int way = table.put(length, before, lane < ways ? starts[blockIdx.x * ways + lane] : 0);
  table.give_threads(share);
  __syncwarp();
  mine.way_of_lane[lane] = length > 0 ? way : -1;
  for (int i = lane; i < table.items(); i += 32)
    way_of_element[blockIdx.x * most_items + i] = block::way_table<ways>::way_at(table.begin, i);
  if (lane == 0) {
    mine.table = table;
    mine.items = table.items();
    mine.sum = sum;
    for (int round = 0, at = 0; 2 << round <= ways; ++round) {
      for (int pair = 0; pair < ways >> (round + 1); ++pair)
        mine.first_threads[at++] = table.first_threads(round)[pair];
    }
  }
  room.check(strays);
}

template <int ways>
void check_tile(const std::vector<int>& lengths, const std::vector<int>& starts, int share, const answers<ways>& found,
                const int* way_of_element) {
  int way = 0, items = 0;
  std::vector<int> begins, firsts;
  for (int run = 0; run < 32; ++run) {
    CHECK(found.sums_before[run] == items);
    const int length = run < ways ? lengths[run] : 0;
    CHECK(found.way_of_lane[run] == (length > 0 ? way : -1));
    if (length == 0) continue;
    begins.push_back(items);
    CHECK(found.table.start[way] == starts[run]);
    for (int i = items; i < items + length; ++i) REQUIRE(way_of_element[i] == way);
    ++way;
    items += length;
  }
  begins.resize(ways + 1, items);
  CHECK(found.sum == items);
  CHECK(found.items == items);
  CHECK(found.table.count == way);
  CHECK(std::equal(begins.begin(), begins.end(), found.table.begin));
  for (int width = 2; width <= ways; width *= 2) {
    int threads = 0;
    for (int first = 0; first < ways; first += width) {
      firsts.push_back(threads);
      threads += (begins[first + width] - begins[first] + share - 1) / share;
    }
  }
  CHECK(std::equal(firsts.begin(), firsts.end(), found.first_threads));
}

template <int ways>
void check(int total, int share) {
  INFO(ways, " ways, ", total, " elements, share ", share);
  const auto kinds = kinds_of_lengths(ways, total);
  const int tiles = static_cast<int>(kinds.size());
  std::vector<int> lengths;
  for (const auto& kind : kinds) lengths.insert(lengths.end(), kind.begin(), kind.end());
  const auto starts = random_numbers<int>(lengths.size(), 0, 30000, 1);
  const input<cuda_executor, int> in(lengths), in_starts(starts);
  output<cuda_executor, answers<ways>> out(tiles);
  output<cuda_executor, int> way_of_element(tiles * total);
  const counter strays;
  launch(make_table<ways>, tiles, 32, sizeof(block::way_table<ways>), in.begin(), in_starts.begin(), share, out.begin(),
         way_of_element.begin(), total, strays.begin());
  const auto found = out.read();
  const auto found_ways = way_of_element.read();
  for (int t = 0; t < tiles; ++t) {
    const auto first = starts.begin() + t * ways;
    check_tile<ways>(kinds[t], {first, first + ways}, share, found[t], found_ways.data() + t * total);
  }
  CHECK(way_of_element.guards_untouched());
  CHECK(out.guards_untouched());
  CHECK(strays.read() == 0);
}

}  // namespace

TEST_CASE("ways are the runs with elements, and each pair has the threads that it takes") {
  for (const int total : {0, 1, 5, 100, 3000}) {
    for (const int share : {1, 7, 15}) {
      check<2>(total, share);
      check<4>(total, share);
      check<8>(total, share);
      check<16>(total, share);
      check<32>(total, share);
    }
  }
}
