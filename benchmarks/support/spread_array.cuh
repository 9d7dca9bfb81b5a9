// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Arrays that lie on several GPUs.

#include <support/timing.cuh>

#include <thrust/equal.h>
#include <thrust/execution_policy.h>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace bench {

/// Elements on one GPU.
template <class T>
class gpu_array {
 public:
  gpu_array(int device, std::size_t count) : device_(device), count_(count) {
    check(cudaSetDevice(device));
    check(cudaMalloc(&data_, std::max<std::size_t>(count, 1) * sizeof(T)));
  }
  ~gpu_array() {
    cudaSetDevice(device_);
    cudaFree(data_);
    cudaSetDevice(0);
  }
  gpu_array(const gpu_array&) = delete;
  gpu_array& operator=(const gpu_array&) = delete;

  T* begin() const { return static_cast<T*>(data_); }
  T* end() const { return begin() + count_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

 private:
  int device_;
  std::size_t count_;
  void* data_ = nullptr;
};

/// An array on each of several GPUs.
template <class T>
class spread_array {
 public:
  spread_array(int gpus, std::size_t count) : count_(count) {
    for (int g = 0; g < gpus; ++g) parts_.push_back(std::make_unique<gpu_array<T>>(g, count));
  }
  gpu_array<T>& operator[](int g) const { return *parts_[static_cast<std::size_t>(g)]; }
  int gpus() const { return static_cast<int>(parts_.size()); }

  /// All elements, on the first GPU.
  std::unique_ptr<gpu_array<T>> joined() const {
    auto all = std::make_unique<gpu_array<T>>(0, count_ * parts_.size());
    for (std::size_t g = 0; g < parts_.size(); ++g)
      check(cudaMemcpy(all->begin() + g * count_, parts_[g]->begin(), parts_[g]->bytes(), cudaMemcpyDefault));
    return all;
  }
  /// True if the first counts[g] elements of each GPU g are `all`, in their order.
  bool is(const T* all, std::size_t all_count, const std::vector<std::size_t>& counts) const {
    std::vector<const T*> parts;
    for (const auto& part : parts_) parts.push_back(part->begin());
    return is(parts, all, all_count, counts);
  }
  static bool is(const std::vector<const T*>& parts, const T* all, std::size_t all_count,
                 const std::vector<std::size_t>& counts) {
    std::size_t begin = 0;
    for (std::size_t g = 0; g < parts.size(); ++g) {
      if (begin + counts[g] > all_count) return false;
      const gpu_array<T> here(0, counts[g]);
      check(cudaMemcpy(here.begin(), parts[g], here.bytes(), cudaMemcpyDefault));
      if (!thrust::equal(thrust::cuda::par, here.begin(), here.end(), all + begin)) return false;
      begin += counts[g];
    }
    return begin == all_count;
  }

 private:
  std::size_t count_;
  std::vector<std::unique_ptr<gpu_array<T>>> parts_;
};

}  // namespace bench
