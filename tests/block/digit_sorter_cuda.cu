// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A tile is sorted by digits of its numbers, stably and in place, whatever digits these share.
#include "items.h"

#include <mgpu/block/sort/digit_sorter.cuh>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace mgpu::detail;
using namespace test;

/// Where the tile lies in shared memory, behind the sorter's own.
template <class Item, int threads, int share>
struct layout {
  using sorter = block::digit_sorter<Item, threads, share, item_order<Item>>;
  static constexpr int begin = base::align_up(int{sizeof(typename sorter::memory)}, 16);
  static constexpr int bytes = begin + threads * share * int{sizeof(Item)};
};

/// Each block sorts a tile of `count` items.
template <class Item, int threads, int share>
__global__ void __launch_bounds__(threads) sort(const Item* in, int count, Item* out, int* strays) {
  using layout = layout<Item, threads, share>;
  using sorter_type = typename layout::sorter;
  const guarded room(layout::bytes);
  auto* const sorted = reinterpret_cast<Item*>(room.begin() + layout::begin);
  for (int i = static_cast<int>(threadIdx.x); i < count; i += threads) sorted[i] = in[blockIdx.x * count + i];
  __syncthreads();
  sorter_type sorter(*reinterpret_cast<typename sorter_type::memory*>(room.begin()), sorted, count);
  const auto load = [&](int i) { return sorted[i]; };
  base::slot<Item> x[share];
  sorter.for_each([&](int u, int i) { x[u].put(load(i)); });
  sorter.sort(x, load);
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < count; i += threads) out[blockIdx.x * count + i] = sorted[i];
  room.check(strays, layout::begin + count * int{sizeof(Item)});
}

template <class Item, int threads, int share>
void check(int count, const std::vector<Item>& items) {
  const int tiles = static_cast<int>(items.size()) / count;
  auto expected = items;
  for (int t = 0; t < tiles; ++t) test::stable_sort(expected, t * count, (t + 1) * count);
  const input<cuda_executor, Item> in(items);
  output<cuda_executor, Item> out(tiles * count);
  const counter strays;
  launch(sort<Item, threads, share>, tiles, threads, layout<Item, threads, share>::bytes, in.begin(), count,
         out.begin(), strays.begin());
  CHECK(out.first_difference(expected) == -1);
  CHECK(strays.read() == 0);
}

template <class Item, int threads, int share>
void check_counts() {
  constexpr int tile = threads * share;
  for (const int count : {1, 2, 33, threads - 1, threads, 2 * threads + 5, tile - 1, tile}) {
    if (count > tile) continue;
    for (const tile_pattern pattern : tile_patterns) {
      INFO(count, " items, pattern ", static_cast<int>(pattern));
      check<Item, threads, share>(count, make_items<Item>(2 * count, pattern, count));
    }
    // Runs of neighbours that share their first digits, and differ in the last bits.
    auto items = make_items<Item>(count, tile_pattern::few, 1);
    auto keys = make_items<typename key_of_item<Item>::type>(count, tile_pattern::random, 2);
    for (int i = 0; i < count; ++i) {
      if constexpr (std::is_same_v<Item, std::uint32_t>) items[i] = items[i] << 30 | keys[i] % 200;
      else if constexpr (std::is_integral_v<decltype(item_order<Item>::of(items[i]))> && !std::is_integral_v<Item>)
        items[i].key = static_cast<decltype(items[i].key)>(items[i].key << 12 | (keys[i] & 127));
    }
    INFO(count, " items with many neighbours");
    check<Item, threads, share>(count, items);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("a tile is sorted by digits, and equal numbers keep their order", Item, std::uint8_t, std::int16_t,
                   std::uint32_t, float, std::int64_t, double, placed<std::uint16_t, std::uint16_t>,
                   placed<std::int32_t, std::uint32_t>, placed<std::uint64_t, std::uint64_t>) {
  check_counts<Item, 256, 1>();
  check_counts<Item, 256, 5>();
  check_counts<Item, 512, 8>();
}
