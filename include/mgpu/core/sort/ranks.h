// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/base/slot.h>
#include <mgpu/core/sort/borders.h>
#include <mgpu/core/sort/item.h>
#include <mgpu/core/sort/small_tiles.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/tile/block_kinds.h>
#include <mgpu/tuning/small_sort_tiles.h>
#include <mgpu/tuning/sort.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// Merges `ways` neighbouring runs of each segment that borders of tiles cut. The place of an element is the number of
/// those that go before it: warps take parts of 32 elements of a run and search in the others. That takes more
/// comparisons than merge paths do, and fewer steps one after the other. Elements of a segment that still has passes to
/// go move to the other buffer. On the GPU.
///   u32 in no order, 2^12 / 2^14 / 2^16 / 2^17, a whole call, us: this 11 / 14 / 28 / 43; one thread that searches in
///   all runs 15 / 19 / 32 / 54; the blocks of eight tiles as a cluster, which search in each other's shared memory, in
///   one launch 18 / 52, and 13 instead of 9 for 2^10; cub::DeviceMergeSort 11 / 22 / 38 / 48 (H200, 2026-11-23).
///   By a comparator, which takes places as well, 2^14 / 2^17: u32 22 / 49, passes of merges 54 / 93, CUB 26 / 51;
///   pairs of u64 25 / 59, 71 / 110, 39 / 67; 64 bytes 51 / 226, 116 / 365, 68 / 239 (H200, 2026-11-24).
/// If compare is no strict weak ordering, some places get no element and keep what they had; of several elements that
/// go to one place one stays.
template <class Key, class Value, class Compare, bool has_one_segment>
struct rank_pass {
  static constexpr bool has_values = sort_item<Key, Value>::has_values;

  sort_buffers<Key, Value> buffers;
  int count;
  int tiles;
  rank_runs runs;            // their tile_items are a multiple of part_items
  int blocks;                // that share all parts, if there are several segments
  int pass, passes;          // this pass, from 0 on, and how many there are
  int run_items;             // of this pass
  const small_tile* record;  // [tiles]; null for one segment
  unsigned* taken;           // [count]: the number of the last pass that wrote to a place; null unless takes_turns
  Compare compare;

  /// Whether elements take their places by turns: if several may go to one place, and are not surely stored at once. A
  /// whole sort of 2^12 u32 takes 13.9 us without turns, 14.4 with them (H200, 2026-11-26).
  static constexpr bool takes_turns =
      !base::is_strict_weak_order<Compare> && (has_values || !cuda::std::is_scalar_v<Key> || sizeof(Key) > 8);

  using block_kind = tile::sorts;
  static constexpr const char* name = "merge by ranks";  // in a profiler
  static constexpr int part_items = 32;                  // one for each lane of a warp

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) {
    return tuning::sort_rank_tiles(cc, sort_case<Key, Value>());
  }
  static constexpr int shared_bytes(const base::tile_shape&) { return 0; }

  template <class Block>
  MGPU_DEVICE void run(Block& block, offset number) const {
    static_assert(Block::shape.threads == part_items * tuning::rank_warps, "a lane for each element of a part");
    block.let_next_kernel_start();
    constexpr int warps = tuning::rank_warps;
    const int warp = block.thread() / part_items;
    if constexpr (has_one_segment) {
      const cut all{0, count, passes - pass};
      merge_part(block, static_cast<int>(number) * part_items, count, warp, warps, [&](int) { return all; });
    } else {
      const auto moves = [&](int t) { return base::max(record[t].first.passes, record[t].last.passes) > pass; };
      bool has_moves = false, are_bad = false;
      for (int t = block.thread(); t < tiles; t += Block::shape.threads) {
        has_moves = has_moves || moves(t);
        are_bad = are_bad || record[t].has_bad_segments != 0;
      }
      if (!block.any(has_moves)) return;
      if (block.any(are_bad)) return;  // buffer 0 has the elements of all parts: those in buffer 1 came from there
      const auto list = block.template list<tuning::small_tiles_limit>(tiles, moves);
      const int tile_parts = base::ceil_div(runs.tile_items, part_items), parts = list.count * tile_parts;
      int helpers = warps;
      while (helpers > 1 && parts * helpers > blocks * warps) helpers /= 2;
      const int block_parts = warps / helpers;
      MGPU_UNROLL_1
      for (int first = static_cast<int>(number) * block_parts; first < parts; first += blocks * block_parts) {
        const int part = base::min(first + warp / helpers, parts - 1);
        const int t = list.numbers[part / tile_parts], begin = tile_begin(t) + part % tile_parts * part_items;
        const int end = first + warp / helpers < parts ? tile_end(t) : begin;
        merge_part(block, begin, end, warp % helpers, helpers, [&](int i) { return cut_of(record[t], i); });
        block.sync();
      }
    }
  }

 private:
  /// A segment that borders cut, and how often its elements are to move from this pass on.
  struct cut {
    int begin, end;
    int moves_left;
  };

  /// Merges a part that begins at `begin`, of a tile that ends at `end`. This is one of the warps that search for it.
  template <class Block, class Find>
  MGPU_DEVICE MGPU_FORCE_INLINE void merge_part(Block& block, int begin, int end, int helper, int helpers,
                                                const Find& segment_of) const {
    const int i = begin + block.thread() % part_items;
    cut segment{0, 0, 0};
    if (i < end) segment = segment_of(i);
    const int from = segment.moves_left & 1;
    const bool moves = segment.moves_left > 0;
    const Key* const keys = from == 0 ? buffers.keys[0] : buffers.keys[1];
    base::slot<Key> x;
    base::slot<Value> with;
    int place = i, rank = 0;
    if (moves) {
      x.put(keys[i]);
      if constexpr (has_values) {
        if (helper == 0) with.put((from == 0 ? buffers.values[0] : buffers.values[1])[i]);
      }
      const int origin = has_one_segment ? 0 : runs.origin(segment.begin);
      const int own = (begin - origin) / run_items, first = own / runs.ways * runs.ways;
      const auto begin_of = [&](int run) { return base::max(segment.begin, origin + run * run_items); };
      place = begin_of(first) + i - begin_of(own);
      MGPU_UNROLL_1
      for (int other = first + helper; other < first + runs.ways - 1; other += helpers) {
        const bool is_before = other < own;
        const int run = is_before ? other : other + 1, run_begin = begin_of(run);
        if (run_begin >= segment.end) break;
        rank += rank_in(x.value, keys, is_before, run_begin, base::min(segment.end, origin + (run + 1) * run_items));
      }
    }
    const int to = place + block.sum_of_warps(rank, helpers);
    if (!moves || helper > 0) return;
    if constexpr (takes_turns) {
      if (!block.takes(taken + to, static_cast<unsigned>(pass + 1))) return;
    }
    (from == 0 ? buffers.keys[1] : buffers.keys[0])[to] = x.value;
    if constexpr (has_values) (from == 0 ? buffers.values[1] : buffers.values[0])[to] = with.value;
  }

  /// The elements of a tile, and others of its cell, which lie in segments that no border cuts.
  MGPU_DEVICE int tile_begin(int t) const {
    return runs.begin_with_segments ? static_cast<int>(record[t].first.position) : t * runs.tile_items;
  }
  MGPU_DEVICE int tile_end(int t) const {
    return runs.begin_with_segments ? static_cast<int>(record[t].last.position)
                                    : base::min((t + 1) * runs.tile_items, count);
  }

  /// The segment of element i of a tile, if a border cuts it. Else it moves no more.
  MGPU_DEVICE cut cut_of(const small_tile& tile, int i) const {
    const auto by = [&](const small_border& b) {
      return cut{static_cast<int>(b.begin), static_cast<int>(b.end), b.passes - pass};
    };
    if (tile.first.cuts() && i < tile.first.end) return by(tile.first);
    if (tile.last.cuts() && i >= tile.last.begin) return by(tile.last);
    return {0, 0, 0};
  }

  /// How many elements of another run's part [first, last) go before an element with the key x. Of equal elements those
  /// of earlier runs go first.
  MGPU_DEVICE int rank_in(const Key& x, const Key* keys, bool is_before, int first, int last) const {
    return tile::partition_point(first, last,
                                 [&](int k) { return is_before ? !compare(x, keys[k]) : compare(keys[k], x); }) -
           first;
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
