// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each warp sorts the numbers that its lanes hold.
#include "items.h"

#include <mgpu/block/sort/warp_sorter.cuh>

#include <doctest/doctest.h>

namespace {

using namespace mgpu::detail;
using namespace test;

template <class Number, int share>
__global__ void __launch_bounds__(512) sort(const Number* in, Number* out) {
  const int first = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * share;
  Number x[share];
  for (int i = 0; i < share; ++i) x[i] = in[first + i];
  block::warp_sorter<Number, share>::sort(x, static_cast<int>(threadIdx.x) % 32);
  for (int i = 0; i < share; ++i) out[first + i] = x[i];
}

template <class Number, int share>
void check(tile_pattern pattern, int blocks, int threads) {
  const int of_warp = 32 * share, count = blocks * threads * share;
  INFO("share ", share, ", pattern ", static_cast<int>(pattern));
  auto numbers = make_items<Number>(count, pattern, share);
  const input<cuda_executor, Number> in(numbers);
  output<cuda_executor, Number> out(count);
  launch(sort<Number, share>, blocks, threads, 0, in.begin(), out.begin());
  for (int i = 0; i < count; i += of_warp) std::sort(numbers.begin() + i, numbers.begin() + i + of_warp);
  CHECK(out.first_difference(numbers) == -1);
}

}  // namespace

TEST_CASE_TEMPLATE("a warp sorts the numbers in its registers", Number, std::uint32_t, std::uint64_t) {
  for (const tile_pattern pattern : tile_patterns) {
    check<Number, 1>(pattern, 3, 32);
    check<Number, 2>(pattern, 3, 64);
    check<Number, 3>(pattern, 3, 256);
    check<Number, 5>(pattern, 2, 512);
    check<Number, 8>(pattern, 2, 96);
  }
}
