// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/assert.h>
#include <mgpu/base/math.h>
#include <mgpu/exec/core_kinds.h>
#include <mgpu/exec/workspace.h>
#include <mgpu/exec/cuda/executor.cuh>
#include <mgpu/exec/cuda/kernels/rank_samples.cuh>
#include <mgpu/exec/cuda/kernels/run_ways.cuh>

#include MGPU_VERB_RANGE_HEADER

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// The plan of the kernel of this translation unit, which is one of the parameters for that.
template <class Core, auto kernel = exec::run_ways<Core>>
launch_plan plan_of_run_ways() {
  static_assert(is_core_of_runs<Core>() && runs_on_gpu<Core>(), "run_ways(core) takes a core of runs");
  return exec::current_launch_plan<Core, block::ways_block<Core>, kernel>();
}

template <class Policy>
template <class Core>
auto cuda_executor<Policy>::run_ways(const Core& core) const {
  MGPU_ASSERT(core.size() > 0);
  [[maybe_unused]] const verb_range<Core> range("run_ways");
  const launch_plan plan = exec::plan_of_run_ways<Core>();
  const offset tiles = base::ceil_div(core.size(), offset{core.tile_items});
  const bool is_small = tiles <= plan.single_launch_tiles && core.runs.total <= block::most_items_of_own_splits;
  const workspace<offset, Policy> splits(policy_, is_small ? 0 : core.splits());
  if (!is_small) {
    const offset blocks = base::ceil_div(tiles + 1, offset{split_ways_borders(Core::most_ways)});
    exec::launch(grid(plan, blocks, split_ways_threads), split_ways<Core>, core, splits.data(), tiles);
  }
  exec::launch(grid(plan, tiles), exec::run_ways<Core>, core, is_small ? nullptr : splits.data());
  exec::check_cuda(thrust_cuda::synchronize_optional(policy_), "the synchronisation after run_ways");
}

template <class Policy>
template <class Core>
auto cuda_executor<Policy>::limits_of_ways() {
  const launch_plan plan = exec::plan_of_run_ways<Core>();
  const base::tile_shape shape = Core::shape(plan.cc);
  return limits{Core::most_items(shape), plan.resident_blocks, shape};
}

template <class Policy>
template <class Core>
auto cuda_executor<Policy>::run_sampled_ways(const Core& core, offset* splits) const {
  MGPU_ASSERT(core.size() > 0);
  [[maybe_unused]] const verb_range<Core> range("run_sampled_ways");
  const launch_plan plan = exec::plan_of_run_ways<Core>();
  const offset tiles = base::ceil_div(core.size(), offset{core.tile_items});
  const offset searches = base::ceil_div(core.runs.total, offset{core.runs.sample_items}) + tiles + 1;
  const offset blocks = base::ceil_div(searches, offset{rank_samples_threads / core.cut.width});
  exec::launch(grid(plan, blocks, rank_samples_threads), rank_samples<Core>, core, splits, static_cast<int>(tiles));
  exec::launch(grid(plan, tiles), exec::run_ways<Core>, core, splits);
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
