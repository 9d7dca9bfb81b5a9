// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/assert.h>
#include <mgpu/base/bad_input_flag.h>
#include <mgpu/base/math.h>
#include <mgpu/exec/core_kinds.h>
#include <mgpu/exec/workspace.h>
#include <mgpu/block/compact/compacting_block.cuh>
#include <mgpu/block/compact/counting_block.cuh>
#include <mgpu/block/compact/look_back.cuh>
#include <mgpu/block/stage/staging_block.cuh>
#include <mgpu/exec/cuda/executor.cuh>
#include <mgpu/exec/cuda/kernels/compact_tiles.cuh>
#include <mgpu/exec/cuda/kernels/deferred_tiles.cuh>
#include <mgpu/exec/cuda/kernels/split_tiles.cuh>
#include <mgpu/exec/cuda/read_back.cuh>

#include MGPU_VERB_RANGE_HEADER

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// The splits of all borders of tiles, the states of all tiles, and counters. split_tiles writes them. A deferring core
/// has a word for each tile, too.
template <class Core, class Policy>
class tile_memory {
  using split = typename Core::split;
  struct record {
    split at;
    block::tile_state states[is_deferring_core<Core> ? 2 : 1];
  };

 public:
  tile_memory(Policy& p, offset tiles) : memory_(p, tiles + 1 + (is_deferring_core<Core> ? 1 : 0)), tiles_(tiles) {}
  split* splits() const { return reinterpret_cast<split*>(memory_.data()); }
  block::tile_state* states() const { return reinterpret_cast<block::tile_state*>(splits() + tiles_ + 1); }

 private:
  workspace<record, Policy> memory_;
  offset tiles_;
};

/// The core with its choice of tiles.
template <class Core>
Core with_tile_items(const Core& core, const launch_plan& plan) {
  Core chosen = core;
  if constexpr (is_deferring_core<Core>)
    chosen.choose_tile_items(plan.threads, plan.items_per_tile, plan.multiprocessors);
  return chosen;
}

/// How many tiles a core has. A deferring core has no more than the grid of the verb count. So a tile of a join has at
/// most 2^13 left rows, each with fewer than 2^44 partners, and its own count cannot overflow.
template <class Core>
offset tile_count(const Core& core, const launch_plan& plan) {
  if constexpr (is_deferring_core<Core>) {
    const offset tiles = base::ceil_div(core.size(), offset{core.tile_items});
    if (tiles > max_blocks) exec::check_cuda(cudaErrorInvalidConfiguration, "over 2^31 tiles");
    return tiles;
  } else {
    return base::ceil_div(core.size(), offset{plan.items_per_tile});
  }
}

template <class Policy>
template <class Core>
auto cuda_executor<Policy>::compact(const Core& core) const {
  check_can_wait();
  read_back<offset> size(stream());
  this->run_compact(core, size.device(), {nullptr}, [this] { return thrust_cuda::synchronize(policy_); });
  return size.get();
}

template <class Policy>
template <class Core, class SizeOut>
auto cuda_executor<Policy>::compact_into(const Core& core, SizeOut size_out, base::bad_input_flag overflow) const {
  this->run_compact(core, size_out, overflow, [this] { return thrust_cuda::synchronize_optional(policy_); });
}

/// Scratch memory is given back after `synchronize`, so the allocator need not know of streams.
template <class Policy>
template <class Core, class SizeOut, class Synchronize>
void cuda_executor<Policy>::run_compact(const Core& given, SizeOut size_out, base::bad_input_flag overflow,
                                        const Synchronize& synchronize) const {
  static_assert(is_compacting_core<Core>() && runs_on_gpu<Core, member::packed_tile, member::size_of_result>(),
                "compact(core) takes a compacting core");
  MGPU_ASSERT(given.size() >= 0);
  [[maybe_unused]] const verb_range<Core> range("compact");
  const launch_plan plan =
      exec::current_launch_plan<Core, block::compacting_block<Core>, compact_tiles<Core, SizeOut>>();
  Core core = exec::with_tile_items(given, plan);
  const offset tiles = base::max(offset{1}, exec::tile_count(core, plan));
  if constexpr (is_deferring_core<Core>) core.limit_jobs(deferred_tiles(nullptr, tiles).max_jobs() - tiles);
  const tile_memory<Core, Policy> memory(policy_, tiles);
  exec::launch(grid(plan, split_blocks(tiles), split_threads), split_tiles<Core>, core, memory.splits(),
               memory.states(), tiles);
  exec::launch(grid(plan, base::min(tiles, plan.resident_blocks)), compact_tiles<Core, SizeOut>, core, memory.splits(),
               memory.states(), tiles, size_out, overflow);
  if constexpr (is_deferring_core<Core>) {
    using deferred = typename Core::deferred;
    const launch_plan jobs_plan =
        exec::current_launch_plan<deferred, block::staging_block<deferred>, run_deferred_tiles<deferred>>();
    exec::launch(grid(jobs_plan, jobs_plan.resident_blocks), run_deferred_tiles<deferred>, deferred{core},
                 memory.splits(), memory.states(), tiles);
  }
  exec::check_cuda(synchronize(), "the synchronisation after compact_tiles");
}

template <class Policy>
template <class Core>
auto cuda_executor<Policy>::count(const Core& given) const {
  static_assert(is_compacting_core<Core>() && runs_on_gpu<Core, member::packed_tile, member::size_of_result>(),
                "count(core) takes a compacting core");
  MGPU_ASSERT(given.size() > 0);
  [[maybe_unused]] const verb_range<Core> range("count");
  check_can_wait();
  read_back<offset> size(stream());
  const launch_plan plan = exec::current_launch_plan<Core, block::counting_block<Core>, count_tiles<Core>>();
  const Core core = exec::with_tile_items(given, plan);
  const offset tiles = exec::tile_count(core, plan);
  const tile_memory<Core, Policy> memory(policy_, tiles);
  exec::launch(grid(plan, split_blocks(tiles), split_threads), split_tiles<Core>, core, memory.splits(),
               memory.states(), tiles);
  exec::launch(grid(plan, tiles), count_tiles<Core>, core, memory.splits(), memory.states(), size.device());
  exec::check_cuda(thrust_cuda::synchronize(policy_), "the synchronisation after count_tiles");
  return size.get();
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
