// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/core_kinds.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/block/compact/look_back.cuh>
#include <mgpu/block/grid_dependency.cuh>
#include <mgpu/block/search/search.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

template <class Core>
MGPU_DEVICE offset tile_diagonal(const Core& core, offset tile) {
  if constexpr (is_deferring_core<Core>) return base::min(tile * core.tile_items, core.size());
  else return base::min(tile * Core::shape(MGPU_DEVICE_CC).items_per_tile(), core.size());
}

/// The part of the inputs that one tile consumes.
template <class Core>
MGPU_DEVICE auto tile_range(const Core& core, const typename Core::split* splits, offset tile) {
  return core.between(exec::tile_diagonal(core, tile), exec::tile_diagonal(core, tile + 1), splits[tile],
                      splits[tile + 1]);
}

/// The counters behind the states of a compaction's tiles: see compact_tiles and deferred_tiles.
template <class Core>
inline constexpr int compaction_counters = is_deferring_core<Core> ? 3 : 1;

inline constexpr int split_threads = 128;

/// The blocks of split_tiles for `tiles` tiles.
inline offset split_blocks(offset tiles) { return base::ceil_div<offset>(tiles + 1, split_threads); }

/// A search by one thread. It begins at a guess and stays between the results of two coarser searches.
template <class Index>
struct search_near {
  Index guess, least, most;

  template <class Predicate>
  MGPU_DEVICE Index partition_point(Index low, Index high, const Predicate& predicate) const {
    low = base::max(low, least);
    return tile::partition_point_around(low, base::max(low, base::min(high, most)), guess, predicate);
  }
};

MGPU_PRIVATE_BEGIN

/// Finds the splits of all borders of tiles, one thread each, and clears the states of the tiles, if there are any, and
/// the counters behind them. A block first searches for the splits of its first border and of the next block's, one
/// warp each, around where they are if a and b are alike. Each thread then searches around its place between the two.
/// The number of scattered reads bounds the kernel. u32 2^28 H200: a plain binary search per thread 42 us, 3 probes at
/// once 56, a warp per border 186, coarse and fine 30, with the threads' guess 25 (2026-11-20). All of a merge, us:
/// with the threads' guess 551.7, with the warps' too 550.3, around the threads' guess instead of from 1,024 before to
/// 1,024 behind it 548.3, both 546.8. If the first waves of run_tiles search for themselves meanwhile, it is slower: 1
/// wave by 2 us, 2 by 5. And both kernels run at the same time only if they divide L1 and shared memory alike; then
/// this one takes 43 us (2026-11-22).
template <class Core>
MGPU_PRIVATE __global__ void __launch_bounds__(split_threads)
    split_tiles(const __grid_constant__ Core core, typename Core::split* splits, block::tile_state* states,
                offset tiles) {
  block::wait_for_last_kernel();
  block::let_next_kernel_start();
  __shared__ offset ends[2];  // the splits of the block's first border and of the next block's
  const offset first = offset{blockIdx.x} * split_threads;
  const offset last = base::min(first + split_threads, tiles);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  if (warp < 2) {
    const offset diagonal = exec::tile_diagonal(core, warp == 0 ? first : last);
    const auto path = core.path(diagonal);
    const auto part_of_a = static_cast<double>(core.path(core.size()).low()) / static_cast<double>(core.size());
    const auto guess = static_cast<offset>(static_cast<double>(diagonal) * part_of_a);
    ends[warp] = block::warp_partition_point_around(path.low(), path.high(), guess, path);
  }
  __syncthreads();
  const offset tile = first + threadIdx.x;
  if (tile > last) return;
  const auto path = core.path(exec::tile_diagonal(core, tile));
  const offset guess = ends[0] + (ends[1] - ends[0]) * threadIdx.x / base::max<offset>(1, last - first);
  splits[tile] = path.find(search_near<offset>{guess, ends[0], ends[1]});
  if (states != nullptr) states[tile].clear();
  for (int i = 1; i < compaction_counters<Core>; ++i) {
    if (tile == tiles) states[tiles + i].clear();
  }
}

MGPU_PRIVATE_END

}  // namespace detail::exec
MGPU_NAMESPACE_END
