// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The first thread of a block gets the sum of what all threads count, and the core's memory stays as it is.
#include "blocks.h"

#include <mgpu/block/compact/counting_block.cuh>

#include <doctest/doctest.h>

#include <numeric>

namespace {

using namespace mgpu::detail;
using namespace test;

constexpr int core_bytes = 112;
template <int threads>
using core = least_core<threads, 1, core_bytes>;

template <int threads>
__global__ void __launch_bounds__(threads)
    sum(const int* narrow, const offset* wide, int* narrow_sums, offset* wide_sums, int* strays) {
  using counting_block = block::counting_block<core<threads>>;
  const guarded room(counting_block::own_bytes + counting_block::storage_bytes + core_bytes);
  counting_block b(room.begin());
  char* const taken = b.take(core_bytes);
  for (int i = b.thread(); i < core_bytes; i += threads) taken[i] = static_cast<char>(i);
  b.sync();
  const int at = static_cast<int>(blockIdx.x * threads + threadIdx.x), rounds = 3;
  for (int round = 0; round < rounds; ++round) {
    const int narrow_sum = b.sum(narrow[at] - round);
    const offset wide_sum = b.sum(wide[at] - round);
    if (b.thread() == 0) {
      narrow_sums[blockIdx.x * rounds + round] = narrow_sum;
      wide_sums[blockIdx.x * rounds + round] = wide_sum;
    }
    b.sync();
  }
  for (int i = b.thread(); i < core_bytes; i += threads) {
    if (taken[i] != static_cast<char>(i)) atomicAdd(strays, 1);
  }
  room.check(strays);
}

template <int threads>
void check(int most, offset wide_most) {
  constexpr int blocks = 5, rounds = 3;
  using counting_block = block::counting_block<core<threads>>;
  const auto narrow = random_numbers<int>(blocks * threads, -most / 2, most, threads);
  const auto wide = random_numbers<offset>(blocks * threads, -wide_most / 2, wide_most, threads);
  const input<cuda_executor, int> in(narrow);
  const input<cuda_executor, offset> in_wide(wide);
  output<cuda_executor, int> sums(blocks * rounds);
  output<cuda_executor, offset> wide_sums(blocks * rounds);
  const counter strays;
  launch(sum<threads>, blocks, threads, counting_block::shared_bytes(core<threads>::shape(0)), in.begin(),
         in_wide.begin(), sums.begin(), wide_sums.begin(), strays.begin());
  std::vector<int> expected;
  std::vector<offset> wide_expected;
  for (int i = 0; i < blocks * rounds; ++i) {
    const auto begin = i / rounds * threads;
    expected.push_back(std::accumulate(narrow.begin() + begin, narrow.begin() + begin + threads, 0) -
                       i % rounds * threads);
    wide_expected.push_back(std::accumulate(wide.begin() + begin, wide.begin() + begin + threads, offset{0}) -
                            i % rounds * threads);
  }
  CHECK(sums.first_difference(expected) == -1);
  CHECK(wide_sums.first_difference(wide_expected) == -1);
  CHECK(strays.read() == 0);
}

}  // namespace

TEST_CASE("a block sums what its threads count, again and again") {
  for (const int most : {0, 1, 9, 1'000'000}) {
    check<32>(most, most);
    check<96>(most, offset{1} << 50);
    check<256>(most, offset{1} << 50);
    check<1024>(most, offset{1} << 52);
  }
}
