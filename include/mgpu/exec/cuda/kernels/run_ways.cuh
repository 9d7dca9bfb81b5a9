// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/block/grid_dependency.cuh>
#include <mgpu/block/runs/way_search.cuh>
#include <mgpu/block/runs/ways_block.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

inline constexpr int split_ways_threads = 256;

/// The borders that one block of split_ways looks after, and how many blocks run at once on a multiprocessor: all of
/// 2^28 u32 do. H200, 2026-11-23: 32 runs with 32 borders 100 us, 64 121; 16 runs 106, 92.
MGPU_HOST_DEVICE constexpr int split_ways_borders(int ways) { return ways > 16 ? 32 : 64; }
MGPU_HOST_DEVICE constexpr int split_ways_blocks(int cc) {
  return base::fitted({split_ways_threads, 1, 5, 0}, cc).blocks_per_sm;
}

MGPU_PRIVATE_BEGIN

/// Finds the splits of all borders of tiles of a core of runs, and behind them the borders' groups. A block first
/// searches for the splits of its first border and of the next block's, by a warp each. Then each thread searches in
/// one run, near its place between the two.
template <class Core>
MGPU_PRIVATE __global__ void __launch_bounds__(split_ways_threads, split_ways_blocks(MGPU_DEVICE_CC))
    split_ways(const __grid_constant__ Core core, offset* splits, offset tiles) {
  constexpr int ways = Core::most_ways, borders = split_ways_borders(ways);
  const int slack = core.slack(core.own_shape(Core::shape(MGPU_DEVICE_CC)));
  block::wait_for_last_kernel();
  block::let_next_kernel_start();
  __shared__ offset ends[2][ways];
  const offset first = offset{blockIdx.x} * borders, last = base::min(first + borders, tiles);
  const offset first_group = core.group_at(core.diagonal(first)).number();
  const offset last_group = core.group_at(core.diagonal(last)).number();
  const int warp = static_cast<int>(threadIdx.x) / 32;
  if (warp < 2) {
    const block::way_search<ways, true> by;
    const auto path = core.path(core.diagonal(warp == 0 ? first : last));
    const offset split = by.template find<offset>(path.group, path.diagonal, slack, core.compare);
    if (by.is_first_lane()) ends[warp][by.way()] = split;
  }
  __syncthreads();
  const block::way_search<ways, false> by;
  constexpr int searches = split_ways_threads / ways;
  for (offset border = first + threadIdx.x / ways; border <= last; border += searches) {
    const auto path = core.path(core.diagonal(border));
    if (by.way() == 0 && !core.is_one_group()) splits[(tiles + 1) * ways + border] = path.group.number();
    const bool in_first = path.group.number() == first_group;
    const bool in_last = path.group.number() == last_group;
    const offset length = by.way() < path.group.runs() ? path.group.length(by.way()) : 0;
    const offset low = in_first ? ends[0][by.way()] : 0, high = in_last ? ends[1][by.way()] : length;
    splits[border * ways + by.way()] =
        border == first  ? low
        : border == last ? high
                         : by.find_between(path.group, path.diagonal, low, base::max(low, high), slack, core.compare);
  }
}

/// Runs one tile of a core of runs per block. If there are no splits, the block searches for its own.
template <class Core>
MGPU_PRIVATE __global__ void __launch_bounds__(Core::shape(MGPU_DEVICE_CC).threads,
                                               Core::shape(MGPU_DEVICE_CC).blocks_per_sm)
    run_ways(const __grid_constant__ Core core, const offset* splits) {
  extern __shared__ __align__(128) char shared[];
  block::ways_block<Core> block(shared);
  block::wait_for_last_kernel();
  block.open(core, blockIdx.x, splits);
  core.run(block);
  block.finish();
}

MGPU_PRIVATE_END

}  // namespace detail::exec
MGPU_NAMESPACE_END
