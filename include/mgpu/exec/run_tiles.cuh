// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/block/compacting_block.cuh>
#include <mgpu/block/counting_block.cuh>
#include <mgpu/block/grid_dependency.cuh>
#include <mgpu/block/tile_block.cuh>
#include <mgpu/exec/split_tiles.cuh>

MGPU_NAMESPACE_BEGIN
namespace exec {

MGPU_PRIVATE_BEGIN

/// Runs one tile of a core per block, between splits[tile] and splits[tile + 1], or searches them where there are none.
template <class Core>
MGPU_PRIVATE __global__ void __launch_bounds__(Core::shape(MGPU_DEVICE_CC).threads, Core::shape(MGPU_DEVICE_CC).blocks_per_sm)
    run_tiles(const __grid_constant__ Core core, const typename Core::split* splits) {
  extern __shared__ __align__(128) char shared[];
  block::tile_block<Core> block(shared);
  block::wait_for_last_kernel();
  const offset tile = blockIdx.x;
  const offset first = tile_diagonal(core, tile), last = tile_diagonal(core, tile + 1);
  typename Core::split first_split, last_split;
  if (splits == nullptr) {
    block.find_splits(core.path(first), core.path(last), first_split, last_split);
  } else {
    first_split = splits[tile];
    last_split = splits[tile + 1];
    block.sync();  // the block's counter of bulk copies is open; costs nothing while the splits are on their way
  }
  core.run(block, core.between(first, last, first_split, last_split));
  block.finish();
}

/// Runs one tile of a core per block, as run_tiles, where a tile emits some of its elements: packed in tile order. The number of all
/// goes to *size_out.
template <class Core, class SizeOut>
MGPU_PRIVATE __global__ void __launch_bounds__(Core::shape(MGPU_DEVICE_CC).threads, Core::shape(MGPU_DEVICE_CC).blocks_per_sm)
    compact_tiles(const __grid_constant__ Core core, const typename Core::split* splits, block::tile_state* states,
                  SizeOut size_out) {
  extern __shared__ __align__(128) char shared[];
  const offset tile = blockIdx.x;
  block::compacting_block<Core> block(shared, states, tile);
  block::wait_for_last_kernel();
  const offset first = tile_diagonal(core, tile), last = tile_diagonal(core, tile + 1);
  typename Core::split first_split, last_split;
  if (splits == nullptr) {
    block.find_splits(core.path(first), core.path(last), first_split, last_split);
  } else {
    first_split = splits[tile];
    last_split = splits[tile + 1];
    block.sync();
  }
  core.run(block, core.between(first, last, first_split, last_split));
  if (last == core.size() && block.thread() == 0) *size_out = block.packed_end();
  block.finish();
}

/// Counts what the tiles of a core emit: the last block to end writes the result to *size_out.
template <class Core>
MGPU_PRIVATE __global__ void __launch_bounds__(Core::shape(MGPU_DEVICE_CC).threads, Core::shape(MGPU_DEVICE_CC).blocks_per_sm)
    count_tiles(const __grid_constant__ Core core, const typename Core::split* splits, unsigned long long* totals,
                offset* size_out) {
  extern __shared__ __align__(128) char shared[];
  block::counting_block<Core> block(shared);
  block::wait_for_last_kernel();
  const offset tile = blockIdx.x;
  const typename Core::split first_split = splits[tile], last_split = splits[tile + 1];
  block.sync();
  const int mine = core.count(block, core.between(tile_diagonal(core, tile), tile_diagonal(core, tile + 1), first_split, last_split));
  const int of_tile = block.sum(mine);
  if (block.thread() == 0) {
    atomicAdd(&totals[0], static_cast<unsigned long long>(of_tile));
    __threadfence();
    const bool is_last = atomicAdd(&totals[1], 1ull) == gridDim.x - 1;
    __threadfence();
    if (is_last) *size_out = core.size_of_result(static_cast<offset>(atomicAdd(&totals[0], 0ull)));
  }
}

MGPU_PRIVATE_END

}  // namespace exec
MGPU_NAMESPACE_END
