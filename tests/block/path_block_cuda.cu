// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A block searches for the splits of a tile's two borders, tile after tile, and leaves the core's memory alone.
#include "blocks.h"

#include <mgpu/block/path_block.cuh>

#include <doctest/doctest.h>

#include <algorithm>

namespace {

using namespace mgpu::detail;
using namespace test;

struct narrow_split {
  offset at;
};
struct wide_split {
  offset at, copies[8];
};

/// Where sorted numbers are split at a number.
template <class Split>
struct path_of_numbers {
  const int* numbers;
  offset count, diagonal;

  template <class Search>
  __device__ Split find(const Search& search) const {
    const offset at = search.partition_point(offset{0}, count, [&](offset i) { return numbers[i] < diagonal; });
    Split result{};
    result.at = at;
    if constexpr (sizeof(Split) > sizeof(offset)) {
      for (offset& copy : result.copies) copy = at;
    }
    return result;
  }
};

constexpr int core_bytes = 208;

template <int threads, class Split>
struct core : least_core<threads, 1, core_bytes, Split> {
  const int* numbers;
  offset count;

  __device__ path_of_numbers<Split> path(offset diagonal) const { return {numbers, count, diagonal}; }
};

/// Each block finds the splits of some tiles. Every thread tells what it got.
template <int threads, class Split>
__global__ void __launch_bounds__(threads)
    find_splits(core<threads, Split> c, const offset* diagonals, int tiles, Split* found, int* strays) {
  using path_block = block::path_block<core<threads, Split>>;
  const guarded room(path_block::own_bytes + core_bytes);
  path_block b(room.begin());
  char* const taken = b.take(core_bytes);
  for (int i = b.thread(); i < core_bytes; i += threads) taken[i] = static_cast<char>(i);
  for (int tile = static_cast<int>(blockIdx.x); tile < tiles; tile += static_cast<int>(gridDim.x)) {
    Split first, last;
    b.find_splits(c, diagonals[tile], diagonals[tile + 1], first, last);
    found[2 * (tile * threads + b.thread())] = first;
    found[2 * (tile * threads + b.thread()) + 1] = last;
    b.sync();
  }
  for (int i = b.thread(); i < core_bytes; i += threads) {
    if (taken[i] != static_cast<char>(i)) atomicAdd(strays, 1);
  }
  room.check(strays);
}

template <int threads, class Split>
void check(const std::vector<int>& numbers) {
  constexpr int tiles = 23;
  using core_type = core<threads, Split>;
  using path_block = block::path_block<core_type>;
  const auto count = static_cast<offset>(numbers.size());
  const auto diagonals = random_numbers<offset>(tiles + 1, -20, 1020, threads);
  const input<cuda_executor, int> in(numbers);
  const input<cuda_executor, offset> in_diagonals(diagonals);
  output<cuda_executor, Split> found(2 * tiles * threads);
  const counter strays;
  core_type c;
  c.numbers = in.begin();
  c.count = count;
  CHECK(path_block::shared_bytes(c.shape(0)) == path_block::own_bytes + core_bytes);
  launch(find_splits<threads, Split>, 4, threads, path_block::shared_bytes(c.shape(0)), c, in_diagonals.begin(), tiles,
         found.begin(), strays.begin());
  std::vector<Split> expected;
  for (int i = 0; i < 2 * tiles * threads; ++i) {
    const offset diagonal = diagonals[i / (2 * threads) + i % 2];
    Split split{};
    split.at = std::lower_bound(numbers.begin(), numbers.end(), diagonal) - numbers.begin();
    if constexpr (sizeof(Split) > sizeof(offset)) std::fill_n(split.copies, 8, split.at);
    expected.push_back(split);
  }
  CHECK(found.first_difference(expected) == -1);
  CHECK(strays.read() == 0);
}

}  // namespace

TEST_CASE_TEMPLATE("all threads of a block get the splits at both diagonals", Split, narrow_split, wide_split) {
  for (const std::size_t count : {0, 1, 2, 31, 33, 1000, 40000}) {
    auto numbers = random_numbers<int>(count, 0, 1000, 1);
    std::sort(numbers.begin(), numbers.end());
    check<32, Split>(numbers);
    check<64, Split>(numbers);
    check<256, Split>(numbers);
    check<1024, Split>(numbers);
  }
}
