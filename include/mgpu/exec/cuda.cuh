// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/launch.cuh>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/read_back.cuh>
#include <mgpu/exec/run_tiles.cuh>
#include <mgpu/exec/split_tiles.cuh>
#include <mgpu/exec/workspace.h>

#include <thrust/system/cuda/detail/util.h>

MGPU_NAMESPACE_BEGIN
namespace exec {

namespace thrust_cuda = THRUST_NS_QUALIFIER::cuda_cub;

/// The base of every CUDA policy and, in run and compact, their executor.
template <class Derived, template <class> class ThrustBase>
struct cuda_policy : policy<Derived, ThrustBase> {
  using policy<Derived, ThrustBase>::policy;

  /// Runs a core on the policy's stream. Small inputs take one launch and no memory.
  template <class Core>
  void run(const Core& core) {
    const launch_plan plan = current_launch_plan<Core, block::tile_block<Core>, run_tiles<Core>>();
    const offset tiles = base::ceil_div(core.size(), offset{plan.items_per_tile});
    const auto run_all = [&](const typename Core::split* splits) {
      launch(run_tiles<Core>, tiles, plan.threads, plan.shared_bytes, plan.overlaps_launch, own_stream(), core, splits);
    };
    if (tiles <= plan.single_launch_tiles) {
      run_all(nullptr);
    } else {
      const workspace<typename Core::split, Derived> splits(self(), tiles + 1);
      split(core, plan, tiles, splits.data(), nullptr);
      run_all(splits.data());
    }
    check_cuda(thrust_cuda::synchronize_optional(self()), "the synchronisation after run_tiles");
  }

  /// Runs a core whose tiles emit some of their elements, packed in tile order; their number goes to *size_out.
  template <class Core, class SizeOut>
  void compact_into(const Core& core, SizeOut size_out) {
    start_compact(core, size_out);
    check_cuda(thrust_cuda::synchronize_optional(self()), "the synchronisation after compact_tiles");
  }

  /// compact_into that waits for the number and returns it.
  template <class Core>
  offset compact(const Core& core) {
    const read_back<offset> size;
    start_compact(core, size.device());
    check_cuda(thrust_cuda::synchronize(self()), "the synchronisation after compact_tiles");
    return size.get();
  }

  /// The number of elements that compact would emit.
  template <class Core>
  offset count(const Core& core) {
    const read_back<offset> size;
    const launch_plan plan = current_launch_plan<Core, block::counting_block<Core>, count_tiles<Core>>();
    const offset tiles = base::ceil_div(core.size(), offset{plan.items_per_tile});
    const tile_memory<Core> memory(self(), tiles);
    split(core, plan, tiles, memory.splits(), memory.states());
    launch(count_tiles<Core>, tiles, plan.threads, plan.shared_bytes, plan.overlaps_launch, own_stream(), core, memory.splits(),
           reinterpret_cast<unsigned long long*>(memory.states()), size.device());
    check_cuda(thrust_cuda::synchronize(self()), "the synchronisation after count_tiles");
    return size.get();
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
  cudaStream_t own_stream() { return thrust_cuda::stream(self()); }

  template <class Core>
  void split(const Core& core, const launch_plan& plan, offset tiles, typename Core::split* splits, block::tile_state* states) {
    const offset blocks = base::ceil_div<offset>(tiles + 1, split_threads);
    launch(split_tiles<Core>, blocks, split_threads, 0, plan.overlaps_launch, own_stream(), core, splits, states, tiles);
  }

  /// A split for each border of the tiles and a state for each tile, all cleared by split_tiles.
  template <class Core>
  class tile_memory {
    struct record {
      typename Core::split split;
      block::tile_state state;
    };

   public:
    tile_memory(Derived& p, offset tiles) : memory_(p, tiles + 1), tiles_(tiles) {}
    typename Core::split* splits() const { return reinterpret_cast<typename Core::split*>(memory_.data()); }
    block::tile_state* states() const { return reinterpret_cast<block::tile_state*>(splits() + tiles_ + 1); }

   private:
    workspace<record, Derived> memory_;
    offset tiles_;
  };

  template <class Core, class SizeOut>
  void start_compact(const Core& core, SizeOut size_out) {
    const launch_plan plan = current_launch_plan<Core, block::compacting_block<Core>, compact_tiles<Core, SizeOut>>();
    const offset tiles = base::max(offset{1}, base::ceil_div(core.size(), offset{plan.items_per_tile}));
    const tile_memory<Core> memory(self(), tiles);
    split(core, plan, tiles, memory.splits(), memory.states());
    launch(compact_tiles<Core, SizeOut>, base::min(tiles, plan.resident_blocks), plan.threads, plan.shared_bytes,
           plan.overlaps_launch, own_stream(), core, memory.splits(), memory.states(),
           reinterpret_cast<unsigned long long*>(memory.states() + tiles), tiles, size_out);
  }
};

}  // namespace exec
MGPU_NAMESPACE_END
