// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A block sorts the segments of a tile, stably where that is asked for.
#include "items.h"

#include <mgpu/tile/shared_layout.h>
#include <mgpu/block/sort/segment_sorter.cuh>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace mgpu::detail;
using namespace test;

/// How a tile is sorted: what the sorter's template arguments and has_one_segment are.
enum class kind { segments, one_segment, any_order_of_ties, expects_order, numbers_that_expect_order };

template <class Item, int threads, int share>
struct layout {
  static constexpr base::tile_shape shape{threads, share, 1, 1};
  static constexpr int bit_bytes = tile::bit_bytes(shape);
  static constexpr int bytes = bit_bytes + (threads * share + 1) * int{sizeof(Item)};
};

/// Each block sorts a tile of `count` items, whose segments begin where is_head tells. in_order gets whether it was in
/// order, and whether it descended.
template <class Item, int threads, int share, kind what>
__global__ void sort(const Item* in, const char* is_head, int count, Item* out, int* in_order, int* strays) {
  using layout = layout<Item, threads, share>;
  constexpr bool any_order = what == kind::any_order_of_ties || what == kind::numbers_that_expect_order;
  constexpr bool expects_order = what == kind::expects_order || what == kind::numbers_that_expect_order;
  const guarded room(layout::bytes);
  const int thread = static_cast<int>(threadIdx.x), tile = static_cast<int>(blockIdx.x) * count;
  const block::head_bits heads{reinterpret_cast<unsigned*>(room.begin())};
  auto* const sorted = reinterpret_cast<Item*>(room.begin() + layout::bit_bytes);
  heads.clear(layout::bit_bytes / 4, count, thread, threads);
  for (int i = thread; i < count; i += threads) sorted[i] = in[tile + i];
  __syncthreads();
  for (int i = thread; i < count; i += threads) {
    if (is_head[tile + i] != 0) heads.set(i, i + 1);
  }
  __syncthreads();
  const auto load = [&](int i) { return sorted[i]; };
  base::slot<Item> x[share];
  for (int i = 0; i < share; ++i) x[i].put(load(thread * share + i));
  const item_order<Item> compare;
  block::segment_sorter<Item, threads, share, item_order<Item>> sorter(sorted, heads, count, compare);
  const bool ascends = __syncthreads_and(sorter.is_in_order(x, load)) != 0;
  const bool descends = __syncthreads_and(sorter.is_descending(x, load)) != 0;
  sorter.template sort<any_order, expects_order>(x, what != kind::segments && what != kind::any_order_of_ties);
  for (int i = thread; i < count; i += threads) out[tile + i] = sorted[i];
  if (thread == 0) in_order[blockIdx.x] = (ascends ? 1 : 0) | (descends ? 2 : 0);
  room.check(strays);
}

template <class Item, int threads, int share, kind what>
void check(int count, int most_length, tile_pattern pattern) {
  constexpr bool has_segments = what == kind::segments || what == kind::any_order_of_ties;
  constexpr int tiles = 2;
  INFO(count, " items, segments of up to ", most_length, ", pattern ", static_cast<int>(pattern));
  std::vector<Item> items, expected;
  std::vector<char> is_head(static_cast<std::size_t>(tiles * count), 0);
  std::vector<int> in_order;
  std::mt19937 random(count);
  for (int t = 0; t < tiles; ++t) {
    const auto tile = make_items<Item>(count, pattern, t + 1u);
    auto sorted = tile;
    bool ascends = true, descends = true;
    for (int begin = 0; begin < count;) {
      const int length = has_segments ? 1 + static_cast<int>(random() % most_length) : count;
      const int end = std::min(begin + length, count);
      is_head[t * count + begin] = 1;
      ascends = ascends && std::is_sorted(tile.begin() + begin, tile.begin() + end, item_order<Item>{});
      test::stable_sort(sorted, begin, end);
      begin = end;
    }
    for (int i = 0; i + 1 < count; ++i) descends = descends && item_order<Item>{}(tile[i + 1], tile[i]);
    in_order.push_back((ascends ? 1 : 0) | (descends ? 2 : 0));
    items.insert(items.end(), tile.begin(), tile.end());
    expected.insert(expected.end(), sorted.begin(), sorted.end());
  }
  const input<cuda_executor, Item> in(items);
  const input<cuda_executor, char> heads(is_head);
  output<cuda_executor, Item> out(tiles * count);
  output<cuda_executor, int> orders(tiles);
  const counter strays;
  launch(sort<Item, threads, share, what>, tiles, threads, layout<Item, threads, share>::bytes, in.begin(),
         heads.begin(), count, out.begin(), orders.begin(), strays.begin());
  CHECK(out.first_difference(expected) == -1);
  CHECK(orders.first_difference(in_order) == -1);
  CHECK(strays.read() == 0);
}

template <class Item, int threads, int share, kind what>
void check_tiles() {
  constexpr int tile = threads * share;
  for (const int count : {1, 2, share, 32 * share + 1, tile - 1, tile}) {
    for (const tile_pattern pattern : tile_patterns) {
      for (const int most_length : {1, 5, 3 * share, tile}) {
        check<Item, threads, share, what>(count, most_length, pattern);
        if (what != kind::segments && what != kind::any_order_of_ties) break;
      }
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("a block sorts segments stably", Item, std::uint8_t, std::int16_t, float, std::int64_t,
                   placed<std::uint16_t, std::uint16_t>, placed<std::int32_t, std::uint32_t>,
                   placed<std::uint64_t, std::uint64_t>) {
  check_tiles<Item, 64, 5, kind::segments>();
  check_tiles<Item, 128, 15, kind::segments>();
  check_tiles<Item, 64, 5, kind::one_segment>();
  check_tiles<Item, 128, 9, kind::one_segment>();
  check_tiles<Item, 64, 7, kind::expects_order>();
}

TEST_CASE_TEMPLATE("numbers may be sorted in any order of equal ones", Item, std::uint8_t, std::int16_t, std::uint32_t,
                   std::int64_t) {
  check_tiles<Item, 64, 5, kind::any_order_of_ties>();
  check_tiles<Item, 128, 16, kind::any_order_of_ties>();
  check_tiles<Item, 64, 7, kind::numbers_that_expect_order>();
}
