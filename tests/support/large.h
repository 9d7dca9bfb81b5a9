// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Tests of sizes that the host could not hold: everything is made and checked on the device.

#include "executors.h"
#include "skip.h"

#include <doctest/doctest.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace test {

/// Memory of the device.
template <class T>
class room {
 public:
  explicit room(offset elements) { require_cuda(cudaMalloc(&data_, static_cast<std::size_t>(elements) * sizeof(T))); }
  ~room() { cudaFree(data_); }
  room(const room&) = delete;
  room& operator=(const room&) = delete;
  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

/// Elements of the device between guards.
template <class T>
class guarded {
 public:
  explicit guarded(offset count) : count_(count), room_(count + 2 * guard) { clear(); }
  void clear() const {
    require_cuda(cudaMemset(room_.data(), 0x5a, static_cast<std::size_t>(count_ + 2 * guard) * sizeof(T)));
  }
  T* data() const { return room_.data() + guard; }
  T* end() const { return data() + count_; }
  bool are_guards_whole() const { return is_whole(room_.data()) && is_whole(end()); }

 private:
  static constexpr offset guard = 256;

  static bool is_whole(const T* first) {
    unsigned char bytes[guard * sizeof(T)];
    require_cuda(cudaMemcpy(bytes, first, sizeof(bytes), cudaMemcpyDeviceToHost));
    for (const auto byte : bytes) {
      if (byte != 0x5a) return false;
    }
    return true;
  }

  offset count_;
  room<T> room_;
};

inline bool has_memory(std::size_t bytes) {
  std::size_t free = 0, total = 0;
  require_cuda(cudaMemGetInfo(&free, &total));
  if (free >= bytes) return true;
  test::has_skipped_a_test = true;
  MESSAGE("skipped: needs ", bytes >> 30, " GiB of free device memory");
  return false;
}

inline constexpr offset two_31 = offset{1} << 31, two_32 = offset{1} << 32;

inline constexpr int blocks = 4096, threads = 256;

/// Calls f(i) for the numbers from 0 to count - 1.
template <class F>
__global__ void for_numbers(offset count, F f) {
  const offset step = offset{gridDim.x} * blockDim.x;
  for (offset i = offset{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) f(i);
}

/// For for_numbers(): x[i] = by(i), or i itself.
template <class By, class T>
struct fill_elements {
  By by;
  T* out;
  MGPU_DEVICE void operator()(offset i) const { out[i] = by(i); }
};
template <class By, class T>
fill_elements(By, T*) -> fill_elements<By, T>;
template <class T>
struct fill_positions {
  T* out;
  MGPU_DEVICE void operator()(offset i) const { out[i] = static_cast<T>(i); }
};

/// The sequence f(0), f(1) and so on.
template <class F>
auto computed(const F& f) {
  return thrust::make_transform_iterator(thrust::counting_iterator<offset>(0), f);
}

/// Launches a kernel that counts what is wrong.
template <class F>
unsigned long long wrong(const F& launch) {
  const room<unsigned long long> counter(1);
  require_cuda(cudaMemset(counter.data(), 0, sizeof(unsigned long long)));
  launch(counter.data());
  require_cuda(cudaGetLastError());
  unsigned long long result = 0;
  require_cuda(cudaMemcpy(&result, counter.data(), sizeof(result), cudaMemcpyDeviceToHost));
  return result;
}

}  // namespace test
