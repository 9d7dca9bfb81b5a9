// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/assert.h>
#include <mgpu/base/math.h>
#include <mgpu/exec/core_kinds.h>
#include <mgpu/block/block_of.cuh>
#include <mgpu/block/stage/staging_block.cuh>
#include <mgpu/exec/cuda/executor.cuh>
#include <mgpu/exec/cuda/kernels/run_each_tile.cuh>

#include MGPU_VERB_RANGE_HEADER

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// The plan of the kernel of this translation unit, which is one of the parameters for that.
template <class Core, auto kernel = run_each_tile<Core>>
launch_plan plan_of_run_each() {
  static_assert(is_tile_core<Core>(), "run_each(core, tiles) takes a tile core");
  return exec::current_launch_plan<Core, block::block_of<Core, block::staging_block>, kernel>();
}

template <class Policy>
template <class Core>
auto cuda_executor<Policy>::run_each(const Core& core, offset tiles) const {
  MGPU_ASSERT(tiles > 0);
  [[maybe_unused]] const verb_range<Core> range("run_each");
  exec::launch(grid(exec::plan_of_run_each<Core>(), tiles), run_each_tile<Core>, core);
}

template <class Policy>
template <class Core>
auto cuda_executor<Policy>::items_per_tile() {
  return exec::plan_of_run_each<Core>().items_per_tile;
}

template <class Policy>
template <class Core>
auto cuda_executor<Policy>::facts() {
  const launch_plan plan = exec::plan_of_run_each<Core>();
  return kernel_facts{plan.cc, plan.multiprocessors, plan.resident_blocks};
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
