// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the threads of a block compute together is what one thread would.
#include "blocks.h"

#include <mgpu/block/team.cuh>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>

namespace {

using namespace mgpu::detail;
using namespace test;

/// Sums before and totals of two calls with the same memory.
struct sums_of_thread {
  offset before[2], total[2];
};

template <int threads>
__global__ void __launch_bounds__(threads) sum_before(const offset* in, sums_of_thread* out, int* strays) {
  const guarded room(threads / 32 * int{sizeof(offset)});
  const int i = static_cast<int>(blockIdx.x * threads + threadIdx.x);
  auto* const sums = reinterpret_cast<offset*>(room.begin());
  out[i].before[0] = block::team<threads>::sum_before(in[i], sums, out[i].total[0]);
  __syncthreads();
  out[i].before[1] = block::team<threads>::sum_before(2 * in[i], sums, out[i].total[1]);
  room.check(strays);
}

/// What a warp tells each of its threads.
struct answers {
  int count;
  offset found, of_next;
  std::uint8_t byte_of_last;
};

template <int threads>
__global__ void __launch_bounds__(threads) ask_warp(const int* in, answers* out) {
  using team = block::team<threads>;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  const int number = in[thread];
  const int least = team::of_lane(number, 0);
  out[thread].count = team::count_of_warp(number >= 0);
  out[thread].found = team::searcher().partition_point(offset{0}, offset{1000}, [&](offset i) { return i < least; });
  out[thread].of_next = team::of_lane(offset{number} << 32, lane + 1);
  out[thread].byte_of_last = team::of_lane(static_cast<std::uint8_t>(number), 31);
}

template <int threads>
void check_sums(const std::vector<offset>& numbers) {
  const int blocks = static_cast<int>(numbers.size()) / threads;
  const input<cuda_executor, offset> in(numbers);
  output<cuda_executor, sums_of_thread> out(static_cast<offset>(numbers.size()));
  const counter strays;
  launch(sum_before<threads>, blocks, threads, threads / 32 * int{sizeof(offset)}, in.begin(), out.begin(),
         strays.begin());
  std::vector<sums_of_thread> expected(numbers.size());
  for (int b = 0; b < blocks; ++b) {
    offset sum = 0;
    for (int i = b * threads; i < (b + 1) * threads; ++i) {
      expected[i].before[0] = sum;
      expected[i].before[1] = 2 * sum;
      sum += numbers[i];
    }
    for (int i = b * threads; i < (b + 1) * threads; ++i) {
      expected[i].total[0] = sum;
      expected[i].total[1] = 2 * sum;
    }
  }
  CHECK(out.first_difference(expected) == -1);
  CHECK(strays.read() == 0);
}

template <int threads>
void check_warps() {
  const auto numbers = random_numbers<int>(threads, -500, 1000, threads);
  const input<cuda_executor, int> in(numbers);
  output<cuda_executor, answers> out(threads);
  launch(ask_warp<threads>, 1, threads, 0, in.begin(), out.begin());
  const auto result = out.read();
  for (int i = 0; i < threads; ++i) {
    const auto warp = numbers.begin() + i / 32 * 32;
    CHECK(result[i].count == std::count_if(warp, warp + 32, [](int x) { return x >= 0; }));
    CHECK(result[i].found == std::clamp(warp[0], 0, 1000));
    CHECK(result[i].of_next == offset{warp[(i + 1) % 32]} * (offset{1} << 32));
    CHECK(result[i].byte_of_last == static_cast<std::uint8_t>(warp[31]));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("a thread gets the sum over the threads before it, and that of all", Threads,
                   std::integral_constant<int, 32>, std::integral_constant<int, 96>, std::integral_constant<int, 256>,
                   std::integral_constant<int, 1024>) {
  constexpr int threads = Threads::value;
  check_sums<threads>(std::vector<offset>(threads, 0));
  check_sums<threads>(random_numbers<offset>(3 * threads, -5, 5, 1));
  check_sums<threads>(random_numbers<offset>(7 * threads, 0, offset{1} << 51, 2));
  std::vector<offset> one(threads, 0);
  one[threads - 1] = offset{1} << 61;
  check_sums<threads>(one);
}

TEST_CASE("the threads of a warp count, search and hand on what they have") {
  check_warps<32>();
  check_warps<128>();
  check_warps<1024>();
}
