// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Tests of sizes that the host could not hold: everything is made and checked on the device.

#include "executors.h"
#include "skip.h"

#include <doctest/doctest.h>

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

inline bool has_memory(std::size_t bytes) {
  std::size_t free = 0, total = 0;
  require_cuda(cudaMemGetInfo(&free, &total));
  if (free >= bytes) return true;
  test::has_skipped_a_test = true;
  MESSAGE("skipped: needs ", bytes >> 30, " GiB of free device memory");
  return false;
}

inline constexpr int blocks = 4096, threads = 256;

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
