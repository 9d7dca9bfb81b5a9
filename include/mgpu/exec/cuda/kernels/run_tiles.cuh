// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/block/block_of.cuh>
#include <mgpu/block/grid_dependency.cuh>
#include <mgpu/block/path_block.cuh>
#include <mgpu/exec/cuda/kernels/split_tiles.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

MGPU_PRIVATE_BEGIN

/// Runs one tile of a path core per block. The tile lies between splits[tile] and splits[tile + 1]; if there are no
/// splits, the block searches for them.
template <class Core>
MGPU_PRIVATE __global__ void __launch_bounds__(Core::shape(MGPU_DEVICE_CC).threads,
                                               Core::shape(MGPU_DEVICE_CC).blocks_per_sm)
    run_tiles(const __grid_constant__ Core core, const typename Core::split* splits) {
  extern __shared__ __align__(128) char shared[];
  block::block_of<Core, block::path_block> block(shared);
  block::wait_for_last_kernel();
  const offset tile = blockIdx.x;
  const offset first = exec::tile_diagonal(core, tile), last = exec::tile_diagonal(core, tile + 1);
  typename Core::split first_split, last_split;
  if (splits == nullptr) {
    block.find_splits(core, first, last, first_split, last_split);
  } else {
    first_split = splits[tile];
    last_split = splits[tile + 1];
    block.sync();  // opens the counter of bulk copies; costs nothing while the splits are loaded
  }
  core.run(block, core.between(first, last, first_split, last_split));
  block.finish();
}

MGPU_PRIVATE_END

}  // namespace detail::exec
MGPU_NAMESPACE_END
