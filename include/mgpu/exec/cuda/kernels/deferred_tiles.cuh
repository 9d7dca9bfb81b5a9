// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a compaction adds for a deferring core (exec/core_kinds.h). compact_tiles counts every tile, and stores those
// that fit into shared memory. It lists the others with their jobs. Then run_deferred_tiles shares these jobs among as
// many blocks as run at once.

#include <mgpu/base/math.h>
#include <mgpu/exec/core_kinds.h>
#include <mgpu/block/compact/look_back.cuh>
#include <mgpu/block/grid_dependency.cuh>
#include <mgpu/block/stage/staging_block.cuh>
#include <mgpu/exec/cuda/kernels/split_tiles.cuh>

#include <cuda/std/bit>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

MGPU_PRIVATE_BEGIN

/// The list of deferred tiles. A word for each holds its number and, in the lower bits, how many jobs lie before it.
/// Behind the states of the tiles lie three counters: tiles taken by compact_tiles; deferred tiles and their jobs; jobs
/// taken. Then follow the words. Jobs have the bits that numbers of tiles leave: 42 beside up to 2^22 - 1 tiles.
class deferred_tiles {
 public:
  using word = unsigned long long;

  MGPU_HOST_DEVICE deferred_tiles(block::tile_state* states, offset tiles)
      : states_(states), tiles_(tiles), job_bits_(cuda::std::countl_zero(static_cast<word>(tiles))) {}

  MGPU_HOST_DEVICE offset max_jobs() const { return static_cast<offset>((word{1} << job_bits_) - 1); }

  MGPU_DEVICE void add(offset tile, offset jobs) const {
    if (jobs == 0) return;
    const word before = atomicAdd(states_[tiles_ + 1].counter(), packed(1, jobs));
    *states_[tiles_ + 3 + tile_of(before)].counter() = packed(tile, jobs_of(before));
  }

  /// How many tiles are deferred, as tile_of, and their jobs, as jobs_of.
  MGPU_DEVICE word all() const { return *states_[tiles_ + 1].counter(); }
  MGPU_DEVICE word at(offset i) const { return *states_[tiles_ + 3 + i].counter(); }
  MGPU_DEVICE offset tile_of(word w) const { return static_cast<offset>(w >> job_bits_); }
  MGPU_DEVICE offset jobs_of(word w) const { return static_cast<offset>(w) & max_jobs(); }
  MGPU_DEVICE offset take_job() const { return static_cast<offset>(atomicAdd(states_[tiles_ + 2].counter(), 1ull)); }

  /// Where the results of a tile end.
  MGPU_DEVICE offset end_of(offset tile) const { return states_[tile].sum(); }

 private:
  MGPU_DEVICE word packed(offset tile, offset jobs) const {
    return static_cast<word>(tile) << job_bits_ | static_cast<word>(jobs);
  }

  block::tile_state* states_;
  offset tiles_;
  int job_bits_;
};

/// Runs the jobs of deferred tiles. The core may cut them into parts, so that few jobs keep all blocks busy. If the
/// number of all results has saturated, the jobs have no places, and none is run.
template <class Core>
MGPU_PRIVATE __global__ void __launch_bounds__(Core::shape(MGPU_DEVICE_CC).threads,
                                               Core::shape(MGPU_DEVICE_CC).blocks_per_sm)
    run_deferred_tiles(const __grid_constant__ Core core, const typename Core::split* splits, block::tile_state* states,
                       offset tiles) {
  extern __shared__ __align__(128) char shared[];
  block::staging_block<Core> block(shared);
  block::wait_for_last_kernel();
  char* const room = block.take(0);
  const deferred_tiles list(states, tiles);
  const deferred_tiles::word all = list.all();
  const offset jobs = list.jobs_of(all), deferred = list.tile_of(all);
  if (jobs == 0 || list.end_of(tiles - 1) == base::max_offset) return;
  const int parts = core.parts_of_job(jobs, static_cast<int>(gridDim.x));
  __shared__ offset taken;
  for (;;) {
    if (block.thread() == 0) taken = list.take_job();
    block.publish();  // opens the counter of bulk copies, or ends the job before
    const offset next = taken, job = next / parts;
    if (job >= jobs) return;
    const auto part = static_cast<int>(next - job * parts);
    const auto begins = [&](offset i) { return list.jobs_of(list.at(i)) <= job; };
    const deferred_tiles::word found = list.at(block.searcher().partition_point(offset{0}, deferred, begins) - 1);
    const offset tile = list.tile_of(found);
    block.take_from(room);
    core.run_job(block, exec::tile_range(core, splits, tile), tile == 0 ? 0 : list.end_of(tile - 1), list.end_of(tile),
                 job - list.jobs_of(found), {part, parts});
  }
}

MGPU_PRIVATE_END

}  // namespace detail::exec
MGPU_NAMESPACE_END
