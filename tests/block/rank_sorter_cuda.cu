// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A tile of at most one element for each thread is sorted by ranks, stably and in place.
#include "items.h"
#include "support/keys.h"

#include <mgpu/block/sort/rank_sorter.cuh>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace mgpu::detail;
using namespace test;

/// Each block sorts a tile.
template <class Item, class Compare, bool is_guarded>
__global__ void __launch_bounds__(1024) sort(const Item* in, int count, Item* out, Compare compare, int* strays) {
  const int threads = static_cast<int>(blockDim.x), i = static_cast<int>(threadIdx.x);
  const int item_bytes = base::align_up(count * int{sizeof(Item)}, 16), claim_bytes = is_guarded ? 2 * count : 0;
  const guarded room(base::align_up(threads * int{sizeof(Item)}, 16) + (is_guarded ? 2 * threads : 0));
  auto* const sorted = reinterpret_cast<Item*>(room.begin());
  auto* const claims = is_guarded ? reinterpret_cast<unsigned short*>(room.begin() + item_bytes) : nullptr;
  const Item* const tile = in + blockIdx.x * count;
  base::slot<Item> x;
  if (i < count) {
    x.put(tile[i]);
    base::construct(sorted + i, tile[i]);
  }
  __syncthreads();
  block::rank_sorter<Item, Compare, is_guarded>(sorted, claims, count, compare).sort(x);
  if (i < count) out[blockIdx.x * count + i] = sorted[i];
  room.check(strays, is_guarded ? item_bytes + claim_bytes : count * int{sizeof(Item)});
}

/// What some tiles become.
template <bool is_guarded, class Item, class Compare>
std::vector<Item> sorted(const std::vector<Item>& items, int count, int tiles, int threads, const Compare& compare) {
  const input<cuda_executor, Item> in(items);
  output<cuda_executor, Item> out(tiles * count);
  const counter strays;
  const int room_bytes = base::align_up(threads * int{sizeof(Item)}, 16) + (is_guarded ? 2 * threads : 0);
  launch(sort<Item, Compare, is_guarded>, tiles, threads, room_bytes, in.begin(), count, out.begin(), compare,
         strays.begin());
  CHECK(out.guards_untouched());
  CHECK(strays.read() == 0);
  return out.read();
}

template <bool is_guarded, class Item>
void check(int count, int threads) {
  for (const tile_pattern pattern : tile_patterns) {
    INFO(count, " items, ", threads, " threads, pattern ", static_cast<int>(pattern));
    std::vector<Item> items, expected;
    constexpr int tiles = 3;
    for (unsigned t = 0; t < tiles; ++t) {
      auto tile = make_items<Item>(count, pattern, t);
      items.insert(items.end(), tile.begin(), tile.end());
      test::stable_sort(tile, 0, count);
      expected.insert(expected.end(), tile.begin(), tile.end());
    }
    const auto found = sorted<is_guarded>(items, count, tiles, threads, item_order<Item>{});
    CHECK((count == 0 || std::memcmp(found.data(), expected.data(), expected.size() * sizeof(Item)) == 0));
  }
}

/// Has no order.
struct any_answer {
  __device__ bool operator()(const key12& x, const key12& y) const {
    return ((x.origin * 2654435761u) ^ y.origin * 40503u) >> 5 & 1;
  }
};

}  // namespace

TEST_CASE_TEMPLATE("a tile is sorted by ranks, and equal elements keep their order", Item, std::uint8_t, std::int16_t,
                   std::uint32_t, float, std::int64_t, placed<std::uint16_t, std::uint16_t>,
                   placed<std::int32_t, std::uint32_t>, placed<std::uint64_t, std::uint64_t>) {
  for (const int count : {0, 1, 2, 31, 32}) check<false, Item>(count, 32);
  for (const int count : {33, 64, 100, 127, 128}) check<true, Item>(count, 128);
  for (const int count : {1, 129, 500, 512}) check<false, Item>(count, 512);
  for (const int count : {513, 1000, 1024}) check<true, Item>(count, 1024);
}

TEST_CASE("if an order is none, each place still has one of the elements, as a whole") {
  std::vector<key12> items;
  constexpr int count = 500;
  for (int i = 0; i < count; ++i) items.push_back(make_key<key12>(i * 7919 % 1000, i));
  const auto found = sorted<true>(items, count, 1, 512, any_answer{});
  for (const key12& x : found) {
    REQUIRE(x.origin < count);
    CHECK(std::memcmp(&x, &items[x.origin], sizeof(x)) == 0);
  }
}
