// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <support/timing.cuh>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace bench {

/// Keeps what is freed in stream order for the next allocation, as those do who care for time.
inline void keep_freed_memory() {
  int device;
  cudaMemPool_t pool;
  std::uint64_t everything = ~std::uint64_t{0};
  check(cudaGetDevice(&device));
  check(cudaDeviceGetDefaultMemPool(&pool, device));
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &everything));
}

/// The temporary storage of one of CUB's functions, allocated at its first call and freed behind the last, both in the
/// order of the default stream.
class cub_storage {
 public:
  cub_storage() = default;
  cub_storage(const cub_storage&) = delete;
  cub_storage& operator=(const cub_storage&) = delete;
  ~cub_storage() {
    if (memory_) cudaFreeAsync(memory_, nullptr);
  }

  /// run(storage, bytes) calls the function.
  template <class Run>
  void operator()(const Run& run) {
    if (!memory_) {
      check(run(nullptr, bytes_));
      check(cudaMallocAsync(&memory_, bytes_, nullptr));
    }
    std::size_t bytes = bytes_;
    check(run(memory_, bytes));
  }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace bench
