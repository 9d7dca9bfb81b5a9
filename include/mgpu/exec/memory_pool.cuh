// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/per_device.cuh>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// The library's own stream-ordered memory pool of the current device. The device's default pool gives all memory back at
/// every synchronisation, which costs more than a small merge; changing its threshold would change the caller's program.
inline cudaMemPool_t memory_pool() {
  static auto& pools = *new per_device<cudaMemPool_t>;
  return pools.get([](int device) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    cudaMemPool_t pool;
    check_cuda(cudaMemPoolCreate(&pool, &properties), "cudaMemPoolCreate");
    std::uint64_t kept_bytes = 32 << 20;  // reserved between calls; what is larger returns to the device
    check_cuda(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept_bytes), "cudaMemPoolSetAttribute");
    return pool;
  });
}

inline void* allocate_async(offset bytes, cudaStream_t stream) {
  void* memory = nullptr;
  check_cuda(cudaMallocFromPoolAsync(&memory, static_cast<std::size_t>(bytes), memory_pool(), stream),
             "cudaMallocFromPoolAsync");
  return memory;
}

inline void free_async(void* memory, cudaStream_t stream) { check_cuda(cudaFreeAsync(memory, stream), "cudaFreeAsync"); }

}  // namespace exec
MGPU_NAMESPACE_END
