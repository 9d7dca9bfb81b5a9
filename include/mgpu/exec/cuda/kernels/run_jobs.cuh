// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/block/block_of.cuh>
#include <mgpu/block/grid_dependency.cuh>
#include <mgpu/block/search/border_searcher.cuh>
#include <mgpu/block/stage/staging_block.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

inline constexpr int search_block_threads = 256;

MGPU_PRIVATE_BEGIN

template <class Core>
using searcher_of = block::border_searcher<typename Core::searcher>;

/// The tiles that one block of queue_jobs plans. One more searcher finds the split behind the last of them.
template <class Core>
inline constexpr int planned_tiles = search_block_threads / searcher_of<Core>::threads - 1;

/// Queues the jobs of a planned core.
template <class Core>
MGPU_PRIVATE __global__ void __launch_bounds__(search_block_threads) queue_jobs(const __grid_constant__ Core core) {
  block::wait_for_last_kernel();
  block::let_next_kernel_start();
  if (!core.is_needed()) return;
  using searcher = searcher_of<Core>;
  constexpr int planned = planned_tiles<Core>;
  __shared__ typename Core::split splits[planned + 1];
  const int number = static_cast<int>(threadIdx.x) / searcher::threads;
  const offset tile = offset{blockIdx.x} * planned + number + 1;
  const typename Core::split own = core.find_split(tile, searcher::template of_thread<search_block_threads>());
  const bool is_first = threadIdx.x % searcher::threads == 0;
  if (is_first) splits[number] = own;
  __syncthreads();
  if (!is_first || number == planned || tile >= core.tiles) return;
  const auto queue = core.queue();
  core.plan(tile, splits[number], splits[number + 1], [&](const typename Core::job& job) { queue.push(job); });
}

/// Runs the jobs that queue_jobs has queued.
template <class Core>
MGPU_PRIVATE __global__ void __launch_bounds__(Core::shape(MGPU_DEVICE_CC).threads,
                                               Core::shape(MGPU_DEVICE_CC).blocks_per_sm)
    run_jobs(const __grid_constant__ Core core) {
  extern __shared__ __align__(128) char shared[];
  block::block_of<Core, block::staging_block> block(shared);
  block::wait_for_last_kernel();
  block::let_next_kernel_start();
  using job_type = typename Core::job;
  const auto queue = core.queue();
  const int merges = queue.merges(), count = merges + queue.copies();
  // The first warp takes the next job while the block runs one.
  constexpr int words = sizeof(job_type) / sizeof(int);
  static_assert(words <= 32 && sizeof(job_type) % sizeof(int) == 0, "a warp fetches a job");
  __shared__ __align__(16) int job_words[words];
  __shared__ int job_number;
  const auto fetched = [&](int i) {
    if (i >= count || block.thread() >= words) return 0;
    return reinterpret_cast<const int*>(i < merges ? queue.merge(i) : queue.copy(i - merges))[block.thread()];
  };
  char* const room = block.take(0);
  int next = static_cast<int>(blockIdx.x), next_word = fetched(next);  // used by the first warp
  for (;;) {
    if (block.thread() < words) job_words[block.thread()] = next_word;
    if (block.thread() == 0) job_number = next;
    block.sync();  // nobody reads the last job's elements any more
    if (job_number >= count) break;
    const auto& job = *reinterpret_cast<const job_type*>(job_words);
    if (block.thread() < 32) {
      if (block.thread() == 0) next = static_cast<int>(gridDim.x) + queue.take();
      next = __shfl_sync(~0u, next, 0);
      next_word = fetched(next);
    }
    block.take_from(room);
    core.run(block, job);
    block.finish();
    block.publish();  // before the next job's bulk loads write where threads have put
  }
}

MGPU_PRIVATE_END

}  // namespace detail::exec
MGPU_NAMESPACE_END
