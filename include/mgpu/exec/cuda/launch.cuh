// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/exec/cuda/error.cuh>
#include <mgpu/exec/cuda/per_device.cuh>

#include <cstddef>
#include <limits>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

MGPU_PRIVATE_BEGIN

/// How a kernel that runs tiles is launched on one device.
struct launch_plan {
  int cc;  // that the kernel is compiled for
  int threads;
  int items_per_tile;
  int shared_bytes;
  bool asks_for_shared_memory;  // for more than a kernel has unasked; a reset of the device forgets it
  bool overlaps_launch;         // the kernels wait by themselves for the end of the one before them in the stream
  int multiprocessors;          // of the device
  offset resident_blocks;       // that run at once on an otherwise idle device
  offset single_launch_tiles;   // at most so many tiles search their own splits
};

/// What a kernel has without asking: static and dynamic shared memory together, on every architecture.
inline constexpr std::size_t unasked_shared_bytes = 48 << 10;

template <class Core, class Block, auto kernel>
MGPU_PRIVATE launch_plan make_launch_plan(int device) {
  cudaFuncAttributes attributes;
  exec::check_cuda(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
  const base::tile_shape shape = Core::shape(attributes.ptxVersion);  // the one that the loaded code was compiled for
  const int shared_bytes = Block::shared_bytes(shape);
  launch_plan plan{attributes.ptxVersion,
                   shape.threads,
                   shape.items_per_tile(),
                   shared_bytes,
                   false,
                   attributes.ptxVersion >= 90,
                   0,
                   0,
                   0};
  plan.asks_for_shared_memory =
      attributes.sharedSizeBytes + static_cast<std::size_t>(shared_bytes) > unasked_shared_bytes;
  exec::check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, plan.shared_bytes),
                   "cudaFuncSetAttribute");
  int blocks_per_sm;
  exec::check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, kernel, plan.threads,
                                                                 static_cast<std::size_t>(plan.shared_bytes)),
                   "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  exec::check_cuda(cudaDeviceGetAttribute(&plan.multiprocessors, cudaDevAttrMultiProcessorCount, device),
                   "cudaDeviceGetAttribute");
  plan.resident_blocks = offset{blocks_per_sm} * plan.multiprocessors;
  plan.single_launch_tiles = shape.single_launch_waves * plan.resident_blocks;
  return plan;
}

/// The plan for the current device. Private to a shared library, as its kernels are.
template <class Core, class Block, auto kernel>
MGPU_PRIVATE launch_plan current_launch_plan() {
  static auto& plans = *new per_device<launch_plan>;
  return plans.get(make_launch_plan<Core, Block, kernel>,
                   [](const launch_plan& plan) { return plan.asks_for_shared_memory; });
}

struct launch_grid {
  offset blocks;
  int threads;
  int shared_bytes;
  bool overlaps_launch;
  cudaStream_t stream;
};

inline constexpr offset max_blocks = std::numeric_limits<int>::max();  // of a grid

/// Launches a kernel that waits by itself (block::wait_for_last_kernel). So its launch overlaps the end of the kernel
/// before it, whoever launched that. Private to a shared library: another one's CUDA runtime does not know the kernel.
template <class... Parameters, class... Arguments>
MGPU_PRIVATE void launch(const launch_grid& grid, void (*kernel)(Parameters...), const Arguments&... arguments) {
  if (grid.blocks > max_blocks) exec::check_cuda(cudaErrorInvalidConfiguration, "a grid of over 2^31 blocks");
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = static_cast<unsigned>(grid.blocks);
  config.blockDim = static_cast<unsigned>(grid.threads);
  config.dynamicSmemBytes = static_cast<std::size_t>(grid.shared_bytes);
  config.stream = grid.stream;
  config.attrs = &overlap;
  config.numAttrs = grid.overlaps_launch ? 1 : 0;
  exec::check_cuda(cudaLaunchKernelEx(&config, kernel, arguments...), "cudaLaunchKernelEx");
}

MGPU_PRIVATE_END

}  // namespace detail::exec
MGPU_NAMESPACE_END
