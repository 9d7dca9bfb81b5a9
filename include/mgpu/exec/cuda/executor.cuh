// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/block/compacting_block.cuh>
#include <mgpu/block/counting_block.cuh>
#include <mgpu/block/look_back.cuh>
#include <mgpu/block/sorting_block.cuh>
#include <mgpu/block/tile_block.cuh>
#include <mgpu/exec/cuda/launch.cuh>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/cuda/read_back.cuh>
#include <mgpu/exec/cuda/kernels/run_jobs.cuh>
#include <mgpu/exec/cuda/kernels/run_tiles.cuh>
#include <mgpu/exec/cuda/kernels/split_tiles.cuh>
#include <mgpu/exec/workspace.h>

#include <thrust/system/cuda/detail/util.h>

MGPU_NAMESPACE_BEGIN
namespace exec {

namespace thrust_cuda = THRUST_NS_QUALIFIER::cuda_cub;

/// A split for each border of the tiles and a state for each tile, written by split_tiles.
template <class Core, class Policy>
class tile_memory {
  using split = typename Core::split;
  struct record {
    split at;
    block::tile_state state;
  };

 public:
  tile_memory(Policy& p, offset tiles) : memory_(p, tiles + 1), tiles_(tiles) {}
  split* splits() const { return reinterpret_cast<split*>(memory_.data()); }
  block::tile_state* states() const { return reinterpret_cast<block::tile_state*>(splits() + tiles_ + 1); }

 private:
  workspace<record, Policy> memory_;
  offset tiles_;
};

/// Runs cores on a CUDA policy's stream. Its scratch memory is from the policy's allocator.
template <class Policy>
class cuda_executor {
 public:
  explicit cuda_executor(Policy& p) : policy_(p) {}

  /// Runs a core on the policy's stream. Small inputs take one launch and no memory.
  template <class Core>
  void run(const Core& core) {
    const launch_plan plan = exec::current_launch_plan<Core, block::tile_block<Core>, run_tiles<Core>>();
    const offset tiles = base::ceil_div(core.size(), offset{plan.items_per_tile});
    const bool is_small = tiles <= plan.single_launch_tiles;
    const workspace<typename Core::split, Policy> splits(policy_, is_small ? 0 : tiles + 1);
    if (!is_small) exec::launch(split_grid(plan, tiles), split_tiles<Core>, core, splits.data(), nullptr, tiles);
    exec::launch(grid(plan, tiles), run_tiles<Core>, core, is_small ? nullptr : splits.data());
    check_cuda(thrust_cuda::synchronize_optional(policy_), "the synchronisation after run_tiles");
  }

  /// Where a core's tiles say that their input is not what it has to be: nowhere, if run() does not wait for them.
  class fault {
   public:
    explicit fault(Policy& p)
        : report_(thrust_cuda::stream(p), thrust_cuda::must_perform_optional_synchronization(p)) {
      report_.set(0);
    }
    int* place() { return report_.device(); }
    bool is_set() { return report_.is_wanted() && report_.get() != 0; }

   private:
    read_back<int> report_;
  };

  /// Reads a value that work in the stream leaves in device memory.
  template <class T>
  T read(const T* value) {
    read_back<T> copy(stream());
    check_cuda(cudaMemcpyAsync(copy.device(), value, sizeof(T), cudaMemcpyDefault, stream()),
               "cudaMemcpyAsync");
    check_cuda(thrust_cuda::synchronize(policy_), "the synchronisation after cudaMemcpyAsync");
    return copy.get();
  }

  /// Whether the stream's work goes into a CUDA graph and does not run.
  bool is_captured() {
    cudaStreamCaptureStatus status;
    check_cuda(cudaStreamIsCapturing(stream(), &status), "cudaStreamIsCapturing");
    return status != cudaStreamCaptureStatusNone;
  }

  /// Runs a core whose tiles emit some of their elements, packed in tile order; returns their number.
  template <class Core>
  offset compact(const Core& core) {
    read_back<offset> size(stream());
    run_compact(core, size.device(), [this] { return thrust_cuda::synchronize(policy_); });
    return size.get();
  }

  /// compact that leaves the number in *size_out.
  template <class Core, class SizeOut>
  void compact_into(const Core& core, SizeOut size_out) {
    run_compact(core, size_out, [this] { return thrust_cuda::synchronize_optional(policy_); });
  }

  /// The number of elements that compact would emit.
  template <class Core>
  offset count(const Core& core) {
    read_back<offset> size(stream());
    const launch_plan plan = exec::current_launch_plan<Core, block::counting_block<Core>, count_tiles<Core>>();
    const offset tiles = base::ceil_div(core.size(), offset{plan.items_per_tile});
    const tile_memory<Core, Policy> memory(policy_, tiles);
    exec::launch(split_grid(plan, tiles), split_tiles<Core>, core, memory.splits(), memory.states(), tiles);
    exec::launch(grid(plan, tiles), count_tiles<Core>, core, memory.splits(), memory.states(), size.device());
    check_cuda(thrust_cuda::synchronize(policy_), "the synchronisation after count_tiles");
    return size.get();
  }

  // What a plan may ask of the machine.
  static constexpr bool has_shared_memory = true;  // threads work on a tile together, in memory of their own
  static constexpr bool can_throw = false;         // a comparator's exception leaves a verb

  /// How many elements a tile has that run_each runs.
  template <class Core>
  static int items_per_tile() {
    return exec::current_launch_plan<Core, block::sorting_block<Core>, run_each_tile<Core>>().items_per_tile;
  }

  /// The compute capability that the loaded code of run_each was compiled for (90 for sm_90).
  template <class Core>
  static int compiled_cc() {
    return exec::current_launch_plan<Core, block::sorting_block<Core>, run_each_tile<Core>>().cc;
  }

  /// Calls f(i) for i in [0, count).
  template <class Function>
  void each(offset count, const Function& f) {
    exec::launch({base::ceil_div<offset>(count, each_threads), each_threads, 0, false, stream()},
                 call_each<Function>, f, count);
  }

  /// Runs tiles [0, tiles) of a core, each by its number.
  template <class Core>
  void run_each(const Core& core, offset tiles) {
    exec::launch(grid(exec::current_launch_plan<Core, block::sorting_block<Core>, run_each_tile<Core>>(), tiles), run_each_tile<Core>, core);
  }

  /// Runs the jobs that a core plans: their number is known on the device only.
  template <class Core>
  void run_planned(const Core& core) {
    const launch_plan plan = exec::current_launch_plan<Core, block::sorting_block<Core>, run_jobs<Core>>();
    const offset blocks = base::ceil_div<offset>(core.tiles - 1, planned_tiles<Core>);
    exec::launch({blocks, search_block_threads, 0, plan.overlaps_launch, stream()},
                 queue_jobs<Core>, core);
    exec::launch(grid(plan, base::min(core.queue().capacity(), plan.resident_blocks)), run_jobs<Core>, core);
  }

  /// Waits for the work of a call, if the policy does.
  void complete() { check_cuda(thrust_cuda::synchronize_optional(policy_), "the synchronisation at the end of a call"); }

 private:
  cudaStream_t stream() const { return thrust_cuda::stream(policy_); }

  launch_grid grid(const launch_plan& plan, offset blocks) {
    return {blocks, plan.threads, plan.shared_bytes, plan.overlaps_launch, stream()};
  }
  launch_grid split_grid(const launch_plan& plan, offset tiles) {
    const offset blocks = base::ceil_div<offset>(tiles + 1, split_threads);
    return {blocks, split_threads, 0, plan.overlaps_launch, stream()};
  }

  /// The memory is given back after `synchronize`: to an allocator that knows nothing of streams, too.
  template <class Core, class SizeOut, class Synchronize>
  void run_compact(const Core& core, SizeOut size_out, const Synchronize& synchronize) {
    const launch_plan plan = exec::current_launch_plan<Core, block::compacting_block<Core>, compact_tiles<Core, SizeOut>>();
    const offset tiles = base::max(offset{1}, base::ceil_div(core.size(), offset{plan.items_per_tile}));
    const tile_memory<Core, Policy> memory(policy_, tiles);
    exec::launch(split_grid(plan, tiles), split_tiles<Core>, core, memory.splits(), memory.states(), tiles);
    exec::launch(grid(plan, base::min(tiles, plan.resident_blocks)), compact_tiles<Core, SizeOut>, core, memory.splits(),
           memory.states(), tiles, size_out);
    check_cuda(synchronize(), "the synchronisation after compact_tiles");
  }

  Policy& policy_;
};

}  // namespace exec
MGPU_NAMESPACE_END
