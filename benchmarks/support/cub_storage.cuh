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

/// Memory that is allocated and freed in the order of the default stream, and grows.
class stream_ordered_memory {
 public:
  stream_ordered_memory() = default;
  stream_ordered_memory(const stream_ordered_memory&) = delete;
  stream_ordered_memory& operator=(const stream_ordered_memory&) = delete;
  ~stream_ordered_memory() {
    if (memory_) cudaFreeAsync(memory_, nullptr);
  }

  void* at_least(std::size_t bytes) {
    if (bytes > bytes_) {
      if (memory_) check(cudaFreeAsync(memory_, nullptr));
      check(cudaMallocAsync(&memory_, bytes, nullptr));
      bytes_ = bytes;
    }
    return memory_;
  }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

/// The temporary storage of one of CUB's functions, allocated at its first call and freed behind the last.
class cub_storage {
 public:
  /// run(storage, bytes) calls the function.
  template <class Run>
  void operator()(const Run& run) {
    if (bytes_ == 0) check(run(nullptr, bytes_));
    std::size_t bytes = bytes_;
    check(run(memory_.at_least(bytes), bytes));
  }

 private:
  stream_ordered_memory memory_;
  std::size_t bytes_ = 0;
};

}  // namespace bench
