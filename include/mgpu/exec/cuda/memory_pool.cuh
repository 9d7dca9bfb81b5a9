// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/cuda/capture.cuh>
#include <mgpu/exec/cuda/per_device.cuh>

#include <cstddef>
#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// The library's own stream-ordered memory pools; null for a device without pools (some virtual GPUs, some Tegras). The
/// device's default pool gives all memory back at every synchronization, which costs more than a small merge. To change
/// its threshold would change the caller's program.
inline per_device<cudaMemPool_t>& memory_pools() {
  static auto& pools = *new per_device<cudaMemPool_t>;
  return pools;
}

inline cudaMemPool_t make_memory_pool(int device) {
  int has_pools;
  exec::check_cuda(cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, device),
                   "cudaDeviceGetAttribute");
  if (has_pools == 0) return nullptr;
  exec::device_life(device);  // which is asked for next, and may throw: then no pool is lost
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  cudaMemPool_t pool;
  exec::check_cuda(cudaMemPoolCreate(&pool, &properties), "cudaMemPoolCreate");
  std::uint64_t kept_bytes = 32 << 20;  // kept between calls; more returns to the device
  const cudaError_t code = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept_bytes);
  if (code != cudaSuccess) cudaMemPoolDestroy(pool);
  exec::check_cuda(code, "cudaMemPoolSetAttribute");
  return pool;
}

/// Memory of a device without pools. A graph cannot contain cudaMalloc: its kernels would find memory that has been
/// freed.
inline void* allocate_without_pool(std::size_t bytes, cudaStream_t stream) {
  cudaStreamCaptureStatus status;
  exec::check_cuda(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing");
  if (status != cudaStreamCaptureStatusNone)
    throw cuda_error(cudaErrorStreamCaptureUnsupported,
                     "scratch memory during capture, on a device without memory pools (pass an allocator of your own)");
  void* memory = nullptr;
  exec::check_cuda(cudaMalloc(&memory, bytes), "cudaMalloc");
  return memory;
}

/// The pool of the current device.
inline cudaMemPool_t current_memory_pool() {
  return memory_pools().get(make_memory_pool, [](cudaMemPool_t p) { return p != nullptr; });
}

inline void* allocate_async(offset bytes, cudaStream_t stream) {
  const auto size = static_cast<std::size_t>(bytes);
  const cudaMemPool_t pool = exec::current_memory_pool();
  const apart_from_other_captures apart;
  if (pool == nullptr) return exec::allocate_without_pool(size, stream);
  void* memory = nullptr;
  exec::check_cuda(cudaMallocFromPoolAsync(&memory, size, pool, stream), "cudaMallocFromPoolAsync");
  return memory;
}

inline void free_async(void* memory, cudaStream_t stream) {
  const apart_from_other_captures apart;
  if (memory_pools().last() != nullptr) return exec::check_cuda(cudaFreeAsync(memory, stream), "cudaFreeAsync");
  // Wait for the kernels that use the memory: cudaFree does not promise to.
  const cudaError_t waited = cudaStreamSynchronize(stream);
  exec::check_cuda(cudaFree(memory), "cudaFree");
  exec::check_cuda(waited, "the synchronisation before cudaFree");
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
