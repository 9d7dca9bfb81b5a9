// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Level by level a block merges the pairs of runs of two segments, which may meet inside a thread's share.
#include "items.h"
#include "support/keys.h"

#include <mgpu/base/order.h>
#include <mgpu/tile/sort_runs.h>
#include <mgpu/block/sort/pair_merger.cuh>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace mgpu::detail;
using namespace test;

/// Each block sorts two segments, [0, borders[b]) and the rest of its tile, whose parts in each share are in order.
template <class Item, int threads, int share>
__global__ void __launch_bounds__(threads) merge(const Item* in, const int* borders, Item* out, int* strays) {
  constexpr int items = threads * share;
  // One more element may be read.
  const guarded room((items + 1) * int{sizeof(Item)});
  auto* const sorted = reinterpret_cast<Item*>(room.begin());
  const int thread = static_cast<int>(threadIdx.x), tile = static_cast<int>(blockIdx.x) * items;
  const int begin = thread * share, border = borders[blockIdx.x];
  const cuda::std::less<> compare;
  block::pair_merger<Item, threads, share, cuda::std::less<>> merger(sorted, compare);
  base::slot<Item> x[share];
  for (int i = 0; i < share; ++i) x[i].put(in[tile + begin + i]);
  merger.put(x);
  __syncthreads();
  const tile::sort_runs<int> first{0, border, share}, second{border, items, share};
  const bool has_border = begin < border && border < begin + share;
  for (int level = 0; level < base::max(first.levels(), second.levels()); ++level) {
    const auto left = begin < border ? first.pair_of(thread, level) : second.pair_of(thread, level);
    tile::run_pair<int> right{0, 0, 0};
    if (has_border) right = second.pair_of(thread, level);
    merger.merge_pairs(left, left.exists(), right, has_border && right.exists(), x);
    __syncthreads();
  }
  for (int i = thread; i < items; i += threads) out[tile + i] = sorted[i];
  room.check(strays, items * int{sizeof(Item)});
}

template <class Item, int threads, int share>
void check(int most_rank) {
  constexpr int items = threads * share;
  INFO(threads, " threads, share ", share, ", ranks up to ", most_rank);
  const std::vector<int> borders{0,         1,         share - 1, share, share + 1,     items / 2,
                                 items / 3, items - 1, items - 2, items, items - share, items - share - 1,
                                 32 * share};
  const int tiles = static_cast<int>(borders.size());
  const auto ranks = random_numbers<int>(tiles * items, 0, most_rank, threads);
  std::vector<Item> elements, expected;
  const auto less = [](const Item& x, const Item& y) { return x < y; };
  for (int i = 0; i < tiles * items; ++i) elements.push_back(make_key<Item>(ranks[i], i));
  for (int t = 0; t < tiles; ++t) {
    const auto tile = elements.begin() + t * items;
    for (int i = 0; i < items; i += share) {
      const int middle = std::clamp(borders[t], i, i + share);
      std::stable_sort(tile + i, tile + middle, less);
      std::stable_sort(tile + middle, tile + i + share, less);
    }
  }
  expected = elements;
  for (int t = 0; t < tiles; ++t) {
    const auto tile = expected.begin() + t * items;
    std::stable_sort(tile, tile + borders[t], less);
    std::stable_sort(tile + borders[t], tile + items, less);
  }
  const input<cuda_executor, Item> in(elements);
  const input<cuda_executor, int> in_borders(borders);
  output<cuda_executor, Item> out(tiles * items);
  const counter strays;
  launch(merge<Item, threads, share>, tiles, threads, (items + 1) * int{sizeof(Item)}, in.begin(), in_borders.begin(),
         out.begin(), strays.begin());
  CHECK(out.first_difference(expected) == -1);
  CHECK(strays.read() == 0);
}

}  // namespace

TEST_CASE_TEMPLATE("pairs of runs become one, and equal elements keep their order", Item, std::uint8_t, std::int16_t,
                   std::uint32_t, float, std::int64_t, key12, key16) {
  for (const int most_rank : {0, 2, 100, std::min(ranks<Item>, 1 << 20) - 1}) {
    check<Item, 32, 3>(most_rank);
    check<Item, 64, 7>(most_rank);
    check<Item, 256, 5>(most_rank);
    check<Item, 512, 2>(most_rank);
  }
}
