// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/assert.h>
#include <mgpu/base/math.h>
#include <mgpu/exec/core_kinds.h>
#include <mgpu/block/block_of.cuh>
#include <mgpu/block/stage/staging_block.cuh>
#include <mgpu/exec/cuda/executor.cuh>
#include <mgpu/exec/cuda/kernels/run_jobs.cuh>

#include MGPU_VERB_RANGE_HEADER

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

template <class Policy>
template <class Core>
auto cuda_executor<Policy>::run_planned(const Core& core) const {
  static_assert(is_planned_core<Core>(), "run_planned(core) takes a planned core");
  MGPU_ASSERT(core.tiles > 1);
  [[maybe_unused]] const verb_range<Core> range("run_planned");
  using block_type = block::block_of<Core, block::staging_block>;
  const launch_plan plan = exec::current_launch_plan<Core, block_type, run_jobs<Core>>();
  const offset blocks = base::ceil_div<offset>(core.tiles - 1, planned_tiles<Core>);
  exec::launch(grid(plan, blocks, search_block_threads), queue_jobs<Core>, core);
  exec::launch(grid(plan, base::min(core.queue().capacity(), plan.resident_blocks)), run_jobs<Core>, core);
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
