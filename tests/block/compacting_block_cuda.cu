// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Blocks take tiles and pack what these emit: all of it goes to the output, in the order of the tiles.
#include "blocks.h"
#include "support/keys.h"

#include <mgpu/block/compact/compacting_block.cuh>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace mgpu::detail;
using namespace test;

template <int threads, int items, class T>
struct core : least_core<threads, items, threads * items* int{sizeof(T)}> {
  struct range {
    offset begin, end;
  };
  struct packed_tile {
    offset count;
    T* elements;
  };
};

__global__ void clear(block::tile_state* states, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) states[i].clear();
}

/// Emits the elements of in[0, count) that are chosen. The last state counts the tiles taken.
template <int threads, int items, class T>
__global__ void compact(const T* in, const bool* is_chosen, int count, block::tile_state* states, int tiles, T* out,
                        int room_bytes, int* strays) {
  using core = core<threads, items, T>;
  const guarded room(room_bytes);
  block::compacting_block<core> b(room.begin(), states);
  const auto take_next = [&] {
    const auto tile = static_cast<int>(atomicAdd(states[tiles].counter(), 1ull));
    b.set_next(tile, {offset{tile} * threads * items, base::min((tile + 1) * threads * items, count)});
  };
  if (b.finds_next()) take_next();
  b.sync();
  offset last_tile = -1;
  for (int half = 0;; half ^= 1) {
    const offset tile = b.next_tile();
    const typename core::range range = b.next_range();
    b.sync();
    if (tile < tiles) {
      if (b.finds_next()) take_next();
      b.enter_half(half);
      T* const packed = reinterpret_cast<T*>(b.take(core::shared_bytes(b.shape)));
      base::slot<T> x[items];
      unsigned emitted = 0;
      for (int i = 0; i < items; ++i) {
        const offset at = range.begin + b.thread() * items + i;
        if (at >= range.end) continue;
        x[i].put(in[at]);
        emitted |= is_chosen[at] ? 1u << i : 0;
      }
      int of_tile;
      const int place = b.place_of(__popc(emitted), of_tile);
      b.publish_count(tile, of_tile);
      b.put_packed(x, emitted, packed + place);
      b.set_packed(half, {of_tile, packed});
    }
    if (last_tile >= 0) b.find_packed_begin(last_tile, half ^ 1);
    b.sync();
    if (last_tile >= 0) {
      const auto& packed = b.packed(half ^ 1);
      b.store_packed(packed.elements, out + b.packed_begin(), static_cast<int>(packed.count));
    }
    if (tile >= tiles) break;
    last_tile = tile;
    b.sync();
  }
  room.check(strays);
}

__global__ void read_sums(const block::tile_state* states, int tiles, offset* sums) {
  for (int i = static_cast<int>(threadIdx.x); i < tiles; i += 64) sums[i] = states[i].sum();
}

/// Of each element `chosen` of 16 are emitted.
template <int threads, int items, class T>
void check(int count, int chosen, int blocks) {
  constexpr int tile_items = threads * items;
  const int tiles = base::ceil_div(count, tile_items);
  if (tiles == 0) return;
  INFO(count, " elements, ", chosen, " of 16 chosen");
  std::vector<T> elements, expected;
  const auto numbers = random_numbers<int>(count, 0, 15, count);
  std::vector<char> is_chosen;
  std::vector<offset> sums(tiles, 0);
  for (int i = 0; i < count; ++i) {
    elements.push_back(make_key<T>(i % ranks<T>, i));
    is_chosen.push_back(numbers[i] < chosen);
    if (is_chosen[i]) expected.push_back(elements[i]);
    sums[i / tile_items] = static_cast<offset>(expected.size());
  }
  const input<cuda_executor, T> in(elements);
  const input<cuda_executor, char> flags(is_chosen);
  output<cuda_executor, T> out(count);
  output<cuda_executor, offset> words(tiles + 1), sums_found(tiles);
  auto* const states = reinterpret_cast<block::tile_state*>(words.begin());
  const counter strays;
  const int bytes = block::compacting_block<core<threads, items, T>>::shared_bytes({threads, items, 1, 1});
  launch(clear, tiles / 64 + 1, 64, 0, states, tiles + 1);
  launch(compact<threads, items, T>, blocks, threads, bytes, in.begin(), reinterpret_cast<const bool*>(flags.begin()),
         count, states, tiles, out.begin(), bytes, strays.begin());
  launch(read_sums, 1, 64, 0, states, tiles, sums_found.begin());
  CHECK(out.first_difference(expected) == -1);
  CHECK(sums_found.first_difference(sums) == -1);
  CHECK(words.guards_untouched());
  CHECK(strays.read() == 0);
}

template <int threads, int items, class T>
void check_counts() {
  constexpr int tile = threads * items;
  for (const int chosen : {0, 1, 4, 16}) {
    for (const int count : {1, tile - 1, tile, tile + 1, 5 * tile, 40 * tile + 3}) {
      check<threads, items, T>(count, chosen, 1);
      check<threads, items, T>(count, chosen, 9);
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("what tiles emit is packed in their order", T, std::uint8_t, std::int16_t, std::uint32_t,
                   std::int64_t, key12, key16) {
  check_counts<32, 1, T>();
  check_counts<64, 7, T>();
  check_counts<256, 9, T>();
}
