// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The elements of a tile are ranked by a digit, in their order where digits are equal.
#include "items.h"

#include <mgpu/block/sort/digit_ranker.cuh>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace mgpu::detail;
using namespace test;

template <int share>
struct digits_of_thread {
  const int (&of)[share];
  __device__ int operator()(int u) const { return of[u]; }
  __device__ void forget() {}
};

/// For each element where it ends in its tile; for each digit how many elements have it, and how many a lesser one.
template <int threads, int share, int unit>
__global__ void __launch_bounds__(threads) rank(const int* digits, int* ends, int* counts, int* less, int* strays) {
  using ranker = block::digit_ranker<threads, share, unit>;
  const guarded room(sizeof(typename ranker::memory));
  const int thread = static_cast<int>(threadIdx.x), tile = static_cast<int>(blockIdx.x);
  const int first = tile * threads * share + thread / 32 * 32 * share + thread % 32;
  int mine[share];
  for (int u = 0; u < share; ++u) mine[u] = digits[first + 32 * u];
  block::packed_numbers<16, share> end;
  const int before = ranker(*reinterpret_cast<typename ranker::memory*>(room.begin()))
                         .rank(digits_of_thread<share>{mine}, end, [&](int n) { counts[tile * 256 + thread] = n; });
  for (int u = 0; u < share; ++u) ends[first + 32 * u] = end.get(u);
  if (thread < 256) less[tile * 256 + thread] = before;
  room.check(strays);
}

template <int threads, int share, int unit>
void check(const std::vector<int>& digits) {
  constexpr int items = threads * share;
  const int tiles = static_cast<int>(digits.size()) / items;
  const input<cuda_executor, int> in(digits);
  output<cuda_executor, int> ends(tiles * items), counts(tiles * 256), less(tiles * 256);
  const counter strays;
  launch(rank<threads, share, unit>, tiles, threads, sizeof(typename block::digit_ranker<threads, share, unit>::memory),
         in.begin(), ends.begin(), counts.begin(), less.begin(), strays.begin());
  std::vector<int> expected_ends, expected_counts(tiles * 256, 0), expected_less(tiles * 256, 0);
  for (int t = 0; t < tiles; ++t) {
    int* const of_tile = expected_counts.data() + 256 * t;
    int* const lesser = expected_less.data() + 256 * t;
    for (int i = 0; i < items; ++i) ++of_tile[digits[t * items + i]];
    for (int d = 1; d < 256; ++d) lesser[d] = lesser[d - 1] + of_tile[d - 1];
    std::vector<int> next(lesser, lesser + 256);
    for (int i = 0; i < items; ++i) expected_ends.push_back(++next[digits[t * items + i]] * unit);
  }
  CHECK(ends.first_difference(expected_ends) == -1);
  CHECK(counts.first_difference(expected_counts) == -1);
  CHECK(less.first_difference(expected_less) == -1);
  CHECK(strays.read() == 0);
}

template <int threads, int share, int unit>
void check_digits() {
  constexpr int count = 3 * threads * share;
  check<threads, share, unit>(random_numbers<int>(count, 0, 255, 1));
  check<threads, share, unit>(random_numbers<int>(count, 100, 102, 2));
  check<threads, share, unit>(std::vector<int>(count, 0));
  check<threads, share, unit>(std::vector<int>(count, 255));
  auto sorted = random_numbers<int>(count, 0, 255, 3);
  std::sort(sorted.begin(), sorted.end());
  check<threads, share, unit>(sorted);
  std::vector<int> one(count, 17);
  one[count / 2] = 3;
  check<threads, share, unit>(one);
}

}  // namespace

TEST_CASE("elements are ranked by a digit, and digits are counted") {
  check_digits<256, 1, 4>();
  check_digits<256, 7, 1>();
  check_digits<384, 9, 8>();
  check_digits<512, 11, 4>();
  check_digits<1024, 5, 2>();
}
