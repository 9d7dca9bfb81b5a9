// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/block/block_of.cuh>
#include <mgpu/block/grid_dependency.cuh>
#include <mgpu/block/stage/staging_block.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

MGPU_PRIVATE_BEGIN

/// Calls core.run(block, tile) for every tile, one block each.
template <class Core>
MGPU_PRIVATE __global__ void __launch_bounds__(Core::shape(MGPU_DEVICE_CC).threads,
                                               Core::shape(MGPU_DEVICE_CC).blocks_per_sm)
    run_each_tile(const __grid_constant__ Core core) {
  extern __shared__ __align__(128) char shared[];
  block::block_of<Core, block::staging_block> block(shared);
  block::wait_for_last_kernel();
  core.run(block, offset{blockIdx.x});
  block.finish();
}

MGPU_PRIVATE_END

}  // namespace detail::exec
MGPU_NAMESPACE_END
