// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/slot.h>
#include <mgpu/block/grid_dependency.cuh>
#include <mgpu/block/group_split.cuh>
#include <mgpu/block/search.cuh>
#include <mgpu/block/sorting_block.cuh>

MGPU_NAMESPACE_BEGIN
namespace exec {

inline constexpr int each_threads = 128;

MGPU_PRIVATE_BEGIN

/// Calls f(i) for every i in [0, count), a thread each.
template <class Function>
MGPU_PRIVATE __global__ void __launch_bounds__(each_threads)
    call_each(const __grid_constant__ Function f, offset count) {
  block::wait_for_last_kernel();
  const offset i = offset{blockIdx.x} * each_threads + threadIdx.x;
  if (i < count) f(i);
}

/// Runs core.run(block, tile) for every tile, a block each.
template <class Core>
MGPU_PRIVATE __global__ void __launch_bounds__(Core::shape(MGPU_DEVICE_CC).threads,
                                               Core::shape(MGPU_DEVICE_CC).blocks_per_sm)
    run_each_tile(const __grid_constant__ Core core) {
  extern __shared__ __align__(128) char shared[];
  block::sorting_block<Core> block(shared);
  block::wait_for_last_kernel();
  core.run(block, offset{blockIdx.x});
  block.finish();
}

inline constexpr int search_block_threads = 256;

/// Searches at the borders of tiles, a warp each.
template <class Core, bool splits_four_runs = Core::splits_four_runs>
struct border_search {
  static constexpr int threads = 32;
  MGPU_DEVICE static typename Core::probe find(const Core& core, offset tile) {
    return core.find(tile, block::warp_search{});
  }
};
/// Or half a warp each.
template <class Core>
struct border_search<Core, true> {
  using group = block::group_split<typename Core::key>;
  static constexpr int threads = group::threads;
  MGPU_DEVICE static typename Core::probe find(const Core& core, offset tile) {
    __shared__ base::slot<typename Core::key> samples[search_block_threads];
    return core.find(tile, group(samples + threadIdx.x / threads * threads));
  }
};

/// What one block of queue_jobs plans: the last one who searches does so for the one before.
template <class Core>
inline constexpr int planned_tiles = search_block_threads / border_search<Core>::threads - 1;

/// Queues the jobs of a core: those of merges from the front, those of copies from the back.
template <class Core>
MGPU_PRIVATE __global__ void __launch_bounds__(search_block_threads) queue_jobs(const __grid_constant__ Core core) {
  block::wait_for_last_kernel();
  block::let_next_kernel_start();
  if (!core.is_needed()) return;
  using search = border_search<Core>;
  constexpr int planned = planned_tiles<Core>;
  __shared__ typename Core::probe probes[planned + 1];
  const int number = static_cast<int>(threadIdx.x) / search::threads;
  const offset tile = offset{blockIdx.x} * planned + number + 1;
  const typename Core::probe own = search::find(core, tile);
  const bool is_first = threadIdx.x % search::threads == 0;
  if (is_first) probes[number] = own;
  __syncthreads();
  if (!is_first || number == planned || tile >= core.tiles) return;
  core.plan(tile, probes[number], probes[number + 1], [&](const typename Core::job& job) {
    if (job.is_copy()) core.jobs[core.capacity() - 1 - atomicAdd(&core.progress->copied[core.pass()], 1)] = job;
    else core.jobs[atomicAdd(&core.progress->merged[core.pass()], 1)] = job;
  });
}

/// Runs what queue_jobs has queued.
template <class Core>
MGPU_PRIVATE __global__ void __launch_bounds__(Core::shape(MGPU_DEVICE_CC).threads,
                                               Core::shape(MGPU_DEVICE_CC).blocks_per_sm)
    run_jobs(const __grid_constant__ Core core) {
  extern __shared__ __align__(128) char shared[];
  block::sorting_block<Core> block(shared);
  block::wait_for_last_kernel();
  block::let_next_kernel_start();
  const int merged = core.progress->merged[core.pass()], count = merged + core.progress->copied[core.pass()];
  // A warp takes the next job while one is run.
  constexpr int words = sizeof(typename Core::job) / sizeof(int);
  static_assert(words <= 32 && sizeof(typename Core::job) % sizeof(int) == 0, "a warp fetches a job");
  __shared__ __align__(16) int job_words[words];
  __shared__ int job_number;
  const auto fetched = [&](int i) {
    if (i >= count || block.thread() >= words) return 0;
    return reinterpret_cast<const int*>(core.jobs +
                                        (i < merged ? i : core.capacity() - 1 - (i - merged)))[block.thread()];
  };
  char* const room = block.take(0);
  int next = static_cast<int>(blockIdx.x), next_word = fetched(next);  // of the first warp
  for (;;) {
    if (block.thread() < words) job_words[block.thread()] = next_word;
    if (block.thread() == 0) job_number = next;
    block.sync();  // nobody reads the last job's elements any more
    if (job_number >= count) break;
    const auto& job = *reinterpret_cast<const typename Core::job*>(job_words);
    if (block.thread() < 32) {
      if (block.thread() == 0) next = static_cast<int>(gridDim.x) + atomicAdd(&core.progress->taken[core.pass()], 1);
      next = __shfl_sync(~0u, next, 0);
      next_word = fetched(next);
    }
    block.take_from(room);
    core.run(block, job);
    block.finish();
    block.publish();  // the next job's bulk loads may come to where threads have put
  }
}

MGPU_PRIVATE_END

}  // namespace exec
MGPU_NAMESPACE_END
