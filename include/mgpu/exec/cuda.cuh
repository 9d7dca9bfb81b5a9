// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/block/grid_dependency.cuh>
#include <mgpu/block/search.cuh>
#include <mgpu/block/tile_block.cuh>
#include <mgpu/exec/per_device.cuh>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/workspace.h>
#include <mgpu/tile/binary_search.h>

#include <thrust/system/cuda/detail/util.h>

MGPU_NAMESPACE_BEGIN
namespace exec {

template <class Core>
MGPU_DEVICE offset tile_diagonal(const Core& core, offset tile) {
  return base::min(tile * Core::shape(MGPU_DEVICE_CC).items_per_tile(), core.size());
}

inline constexpr int split_threads = 128;

MGPU_PRIVATE_BEGIN

/// Finds the splits of all tile borders, a thread each. A block first searches where its own borders begin and end, a warp
/// each; a thread then looks near its place between the two. The kernel is bound by the number of scattered reads:
/// u32 2^28 H200: a plain binary search per thread 42 us, 3 probes at once 56, a warp per border 186, coarse and fine 30,
/// with the guess 25 (2026-11-20).
template <class Core>
MGPU_PRIVATE __global__ void __launch_bounds__(split_threads) split_tiles(const __grid_constant__ Core core, offset* splits,
                                                              offset tiles) {
  block::wait_for_last_kernel();
  block::let_next_kernel_start();
  __shared__ offset ends[2];  // the splits of the block's first border and of the next block's
  const offset first = offset{blockIdx.x} * split_threads;
  const offset last = base::min(first + split_threads, tiles);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  if (warp < 2) {
    const auto path = core.path(tile_diagonal(core, warp == 0 ? first : last));
    ends[warp] = block::warp_partition_point(path.low(), path.high(), path);
  }
  __syncthreads();
  const offset tile = first + threadIdx.x;
  if (tile > last) return;
  const auto path = core.path(tile_diagonal(core, tile));
  const offset guess = ends[0] + (ends[1] - ends[0]) * threadIdx.x / base::max<offset>(1, last - first);
  const offset low = base::max(path.low(), ends[0]);
  splits[tile] = tile::partition_point_near(low, base::max(low, base::min(path.high(), ends[1])), guess, path);
}

/// Runs one tile of a core per block, between splits[tile] and splits[tile + 1], or searches them where there are none.
template <class Core>
MGPU_PRIVATE __global__ void __launch_bounds__(Core::shape(MGPU_DEVICE_CC).threads, Core::shape(MGPU_DEVICE_CC).blocks_per_sm)
    run_tiles(const __grid_constant__ Core core, const offset* splits) {
  extern __shared__ __align__(128) char shared[];
  block::tile_block<Core> block(shared);
  block::wait_for_last_kernel();
  const offset tile = blockIdx.x;
  const offset first = tile_diagonal(core, tile), last = tile_diagonal(core, tile + 1);
  offset first_split, last_split;
  if (splits == nullptr) {
    block.find_splits(core.path(first), core.path(last), first_split, last_split);
  } else {
    first_split = splits[tile];
    last_split = splits[tile + 1];
    block.sync();  // the block's counter of bulk copies is open; costs nothing while the splits are on their way
  }
  core.run(block, core.between(first, last, first_split, last_split));
  block.finish();
}

/// How run_tiles<Core> is launched on one device.
struct launch_plan {
  int threads;
  int items_per_tile;
  int shared_bytes;
  bool overlaps_launch;        // the kernels wait by themselves for the end of the one before them in the stream
  offset single_launch_tiles;  // at most so many tiles search their own splits
};

template <class Core>
MGPU_PRIVATE launch_plan make_launch_plan(int device) {
  cudaFuncAttributes attributes;
  check_cuda(cudaFuncGetAttributes(&attributes, run_tiles<Core>), "cudaFuncGetAttributes");
  const base::tile_shape shape = Core::shape(attributes.ptxVersion);  // the one that the loaded code was compiled for
  launch_plan plan{shape.threads, shape.items_per_tile(), 0, attributes.ptxVersion >= 90, 0};
  plan.shared_bytes = block::tile_block<Core>::own_bytes + Core::shared_bytes(shape);
  check_cuda(cudaFuncSetAttribute(run_tiles<Core>, cudaFuncAttributeMaxDynamicSharedMemorySize, plan.shared_bytes),
             "cudaFuncSetAttribute");
  int blocks_per_sm, sms;
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, run_tiles<Core>, plan.threads,
                                                           static_cast<std::size_t>(plan.shared_bytes)),
             "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  check_cuda(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
  plan.single_launch_tiles = offset{shape.single_launch_waves} * blocks_per_sm * sms;
  return plan;
}

/// The plan for the current device. Private to a shared library like the kernels it speaks of.
template <class Core>
MGPU_PRIVATE launch_plan current_launch_plan() {
  static per_device<launch_plan> plans;
  return plans.get(make_launch_plan<Core>);
}

MGPU_PRIVATE_END

/// Launches a kernel that waits by itself (block::wait_for_last_kernel), so that its launch overlaps the end of the kernel
/// before it, whoever launched that.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), offset blocks, int threads, int shared_bytes, bool overlaps_launch,
            cudaStream_t stream, const Arguments&... arguments) {
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = static_cast<unsigned>(blocks);
  config.blockDim = static_cast<unsigned>(threads);
  config.dynamicSmemBytes = static_cast<std::size_t>(shared_bytes);
  config.stream = stream;
  config.attrs = &overlap;
  config.numAttrs = overlaps_launch ? 1 : 0;
  check_cuda(cudaLaunchKernelEx(&config, kernel, arguments...), "cudaLaunchKernelEx");
}

/// The base of every CUDA policy and, in run, their executor.
template <class Derived, template <class> class ThrustBase>
struct cuda_policy : policy<Derived, ThrustBase> {
  using policy<Derived, ThrustBase>::policy;

  /// Runs a core on the policy's stream. Small inputs take one launch and no memory.
  template <class Core>
  void run(const Core& core) {
    const launch_plan plan = current_launch_plan<Core>();
    Derived& self = static_cast<Derived&>(*this);
    const cudaStream_t stream = THRUST_NS_QUALIFIER::cuda_cub::stream(self);
    const offset tiles = base::ceil_div(core.size(), offset{plan.items_per_tile});
    const auto run_all = [&](const offset* splits) {
      launch(run_tiles<Core>, tiles, plan.threads, plan.shared_bytes, plan.overlaps_launch, stream, core, splits);
    };
    if (tiles <= plan.single_launch_tiles) {
      run_all(nullptr);
    } else {
      const workspace<offset, Derived> splits(self, tiles + 1);
      const offset split_blocks = base::ceil_div<offset>(tiles + 1, split_threads);
      launch(split_tiles<Core>, split_blocks, split_threads, 0, plan.overlaps_launch, stream, core, splits.data(), tiles);
      run_all(splits.data());
    }
    check_cuda(THRUST_NS_QUALIFIER::cuda_cub::synchronize_optional(self), "the synchronisation after run_tiles");
  }
};

}  // namespace exec
MGPU_NAMESPACE_END
