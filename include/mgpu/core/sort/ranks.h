// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/base/slot.h>
#include <mgpu/core/sort/borders.h>
#include <mgpu/core/sort/few_tiles.h>
#include <mgpu/core/sort/item.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/tuning/sort.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace core {

/// Merges `ways` neighbouring runs of each segment that borders of tiles cut. Run r is [r * run_items, (r + 1) *
/// run_items). The place of an element is the number of those that go before it: a block takes 32 elements of a run,
/// and a warp for each run, or for two, searches there. That takes more comparisons than merge paths do, and fewer
/// steps one after the other. Elements of a segment that still has passes to go move to the other buffer. On the GPU.
///   u32 in no order, 2^12 / 2^14 / 2^16 / 2^17, a whole call, us: this 11 / 14 / 28 / 43; one thread that searches in
///   all runs 15 / 19 / 32 / 54; the blocks of eight tiles as a cluster, which search in each other's shared memory, in
///   one launch 18 / 52, and 13 instead of 9 for 2^10; cub::DeviceMergeSort 11 / 22 / 38 / 48 (H200, 2026-11-23).
///   By a comparator, which takes places as well, 2^14 / 2^17: u32 22 / 49, passes of merges 54 / 93, CUB 26 / 51;
///   pairs of u64 25 / 59, 71 / 110, 39 / 67; 64 bytes 51 / 226, 116 / 365, 68 / 239 (H200, 2026-11-24).
/// If compare is no strict weak ordering, some places get no element and keep what they had; of several elements that
/// go to one place one stays.
template <class Key, class Value, class Compare>
struct rank_pass {
  static constexpr bool has_values = sort_item<Key, Value>::has_values;

  sort_buffers<Key, Value> buffers;
  int count;
  int tiles;
  rank_runs runs;          // their tile_items are a multiple of block_items
  int pass, passes;        // this pass, from 0 on, and how many there are
  int run_items;           // of this pass
  const few_tile* record;  // [tiles]; null: the array is one segment
  unsigned* taken;         // [count]: the number of the last pass that wrote to a place; null unless takes_turns
  Compare compare;

  /// Whether elements take their places by turns: if several may go to one place, and are not surely stored at once. A
  /// whole sort of 2^12 u32 takes 13.9 us without turns, 14.4 with them (H200, 2026-11-26).
  static constexpr bool takes_turns =
      !base::is_strict_weak_order<Compare> && (has_values || !cuda::std::is_scalar_v<Key> || sizeof(Key) > 8);

  static constexpr const char* name = "merge by ranks";  // in a profiler
  static constexpr int block_items = 32;                 // one for each lane of a warp

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) {
    return tuning::sort_rank_tiles(cc, sort_case<Key, Value>());
  }
  static constexpr int shared_bytes(const base::tile_shape&) { return 0; }

  void run(tile::host_thread, offset) const {}  // never called

  template <class Block>
  MGPU_DEVICE void run(Block& block, offset part) const {
    static_assert(Block::shape.threads == block_items * tuning::rank_warps, "warps take runs in turns");
    block.let_next_kernel_start();
    const int block_begin = static_cast<int>(part) * block_items, i = block_begin + block.thread() % block_items;
    const int warp = block.thread() / block_items;
    int begin = 0, end = count, moves_left = i < count ? passes - pass : 0;
    if (record != nullptr) {
      const bool are_bad = finds_bad_segments(block);
      if (i < count) find_segment(i, block_begin / runs.tile_items, begin, end, moves_left);
      if (are_bad) moves_left = 0;  // buffer 0 has the elements of all parts: those in buffer 1 came from there
    }
    const int from = moves_left & 1;
    const bool moves = moves_left > 0;
    const Key* const keys = from == 0 ? buffers.keys[0] : buffers.keys[1];
    base::slot<Key> x;
    base::slot<Value> with;
    int place = i, rank = 0;
    if (moves) {
      x.put(keys[i]);
      if constexpr (has_values) {
        if (warp == 0) with.put((from == 0 ? buffers.values[0] : buffers.values[1])[i]);
      }
      const int own = block_begin / run_items, first = own / runs.ways * runs.ways;
      place = base::max(begin, first * run_items) + i - base::max(begin, own * run_items);
      MGPU_UNROLL_1
      for (int run = first + warp; run < first + runs.ways; run += tuning::rank_warps) {
        if (run != own) rank += rank_in(x.value, keys, run, own, begin, end);
      }
    }
    const int to = place + block.sum_of_warps(rank);
    if (!moves || warp > 0) return;
    if constexpr (takes_turns) {
      if (!block.takes(taken + to, static_cast<unsigned>(pass + 1))) return;
    }
    (from == 0 ? buffers.keys[1] : buffers.keys[0])[to] = x.value;
    if constexpr (has_values) (from == 0 ? buffers.values[1] : buffers.values[0])[to] = with.value;
  }

 private:
  template <class Block>
  MGPU_DEVICE bool finds_bad_segments(Block& block) const {
    int found = 0;
    MGPU_UNROLL_1
    for (int t = block.thread(); t < tiles; t += Block::shape.threads) found |= record[t].has_bad_segments;
    return block.any(found != 0);
  }

  /// The segment [begin, end) of element i of a tile, if a border cuts it, and how often its elements are to move from
  /// this pass on.
  MGPU_DEVICE void find_segment(int i, int tile, int& begin, int& end, int& moves_left) const {
    const few_border &first = record[tile].first, &last = record[tile].last;
    const bool in_first = first.cuts() && i < first.end, in_last = last.cuts() && i >= last.begin;
    begin = static_cast<int>(in_first ? first.begin : last.begin);
    end = static_cast<int>(in_first ? first.end : last.end);
    moves_left = in_first ? first.passes - pass : in_last ? last.passes - pass : 0;
  }

  /// How many elements of a run and the segment [begin, end) go before an element of run `own` with the key x. Of equal
  /// elements those of earlier runs go first.
  MGPU_DEVICE int rank_in(const Key& x, const Key* keys, int run, int own, int begin, int end) const {
    const int first = base::max(begin, run * run_items), last = base::min(end, (run + 1) * run_items);
    const bool is_before = run < own;
    return tile::partition_point(first, last,
                                 [&](int k) { return is_before ? !compare(x, keys[k]) : compare(keys[k], x); }) -
           first;
  }
};

}  // namespace core
MGPU_NAMESPACE_END
