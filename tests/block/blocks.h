// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the tests of block/ share: how kernels are launched, and shared memory between guards.

#include "support/arrays.h"

#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>

#include <cstring>
#include <random>
#include <vector>

namespace test {

/// A number in the GPU's memory that kernels count up.
class counter {
 public:
  int* begin() const { return reinterpret_cast<int*>(memory_.data()); }
  int read() const {
    int result;
    std::memcpy(&result, memory_.read().data(), sizeof(result));
    return result;
  }

 private:
  memory<cuda_executor> memory_{std::vector<char>(sizeof(int))};
};

/// The dynamic shared memory of a block, between guards. All threads of the block make it, and check it.
class guarded {
 public:
  /// Reads of up to so many bytes behind the room are allowed.
  static constexpr int guard_bytes = 1024;
  static MGPU_HOST_DEVICE constexpr int launch_bytes(int room_bytes) { return room_bytes + 2 * guard_bytes; }

  __device__ explicit guarded(int room_bytes) : all_(dynamic_shared()), room_bytes_(room_bytes) {
    for (int i = thread(); i < launch_bytes(room_bytes); i += threads()) all_[i] = sentinel(i);
    __syncthreads();
  }

  /// At a multiple of 128 bytes.
  __device__ char* begin() const { return all_ + guard_bytes; }
  /// Whether a byte of the room is as it was at first.
  __device__ bool is_untouched(int byte) const { return begin()[byte] == sentinel(guard_bytes + byte); }
  /// Counts the bytes that have changed: those of the guards, and those of the room from `used` bytes on.
  __device__ void check(int* strays, int used) const {
    __syncthreads();
    for (int i = thread(); i < launch_bytes(room_bytes_); i += threads()) {
      if ((i < guard_bytes || i >= guard_bytes + used) && all_[i] != sentinel(i)) atomicAdd(strays, 1);
    }
    __syncthreads();
  }
  __device__ void check(int* strays) const { check(strays, room_bytes_); }

 private:
  static __device__ int thread() { return static_cast<int>(threadIdx.x); }
  static __device__ int threads() { return static_cast<int>(blockDim.x); }
  static __device__ char sentinel(int i) { return static_cast<char>(0x91 + 37 * i); }
  static __device__ char* dynamic_shared() {
    extern __shared__ __align__(128) char shared[];
    return shared;
  }

  char* all_;
  int room_bytes_;
};

/// Runs a kernel whose blocks make a `guarded` of room_bytes, and waits for its end.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), int blocks, int threads, int room_bytes, const Arguments&... arguments) {
  require_cuda(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, guarded::launch_bytes(room_bytes)));
  kernel<<<blocks, threads, guarded::launch_bytes(room_bytes)>>>(arguments...);
  require_cuda(cudaGetLastError());
  require_cuda(cudaDeviceSynchronize());
}

/// The least that blocks ask of a core: a shape, and room of `bytes` bytes.
template <int threads, int items, int bytes, class Split = offset>
struct least_core {
  using split = Split;

  static MGPU_HOST_DEVICE constexpr mgpu::detail::base::tile_shape shape(int) { return {threads, items, 1, 1}; }
  static MGPU_HOST_DEVICE constexpr int shared_bytes(const mgpu::detail::base::tile_shape&) { return bytes; }
};

/// Numbers of [low, high], the same ones for each seed.
template <class T>
std::vector<T> random_numbers(std::size_t count, T low, T high, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<T> number(low, high);
  std::vector<T> result(count);
  for (T& x : result) x = number(random);
  return result;
}

}  // namespace test
