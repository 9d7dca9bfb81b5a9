// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/assert.h>
#include <mgpu/base/math.h>
#include <mgpu/exec/core_kinds.h>
#include <mgpu/exec/workspace.h>
#include <mgpu/block/block_of.cuh>
#include <mgpu/block/path_block.cuh>
#include <mgpu/exec/cuda/executor.cuh>
#include <mgpu/exec/cuda/kernels/run_tiles.cuh>
#include <mgpu/exec/cuda/kernels/split_tiles.cuh>

#include MGPU_VERB_RANGE_HEADER

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

template <class Policy>
template <class Core>
auto cuda_executor<Policy>::run(const Core& core) const {
  static_assert(is_path_core<Core>() && runs_on_gpu<Core>(), "run(core) takes a path core");
  MGPU_ASSERT(core.size() > 0);
  [[maybe_unused]] const verb_range<Core> range("run");
  using block_type = block::block_of<Core, block::path_block>;
  const launch_plan plan = exec::current_launch_plan<Core, block_type, run_tiles<Core>>();
  const offset tiles = base::ceil_div(core.size(), offset{plan.items_per_tile});
  const bool is_small = tiles <= plan.single_launch_tiles;
  const workspace<typename Core::split, Policy> splits(policy_, is_small ? 0 : tiles + 1);
  if (!is_small)
    exec::launch(grid(plan, split_blocks(tiles), split_threads), split_tiles<Core>, core, splits.data(), nullptr,
                 tiles);
  exec::launch(grid(plan, tiles), run_tiles<Core>, core, is_small ? nullptr : splits.data());
  exec::check_cuda(thrust_cuda::synchronize_optional(policy_), "the synchronisation after run_tiles");
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
