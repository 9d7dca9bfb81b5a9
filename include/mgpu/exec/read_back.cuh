// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/exec/cuda_error.cuh>
#include <mgpu/exec/per_device.cuh>

#include <cstddef>
#include <mutex>
#include <vector>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// The library's places in pinned memory, never given back: pinning memory costs more than most calls, and
/// a static object of the program may still call the library from its destructor.
template <class T>
class pinned_places {
 public:
  T* take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty()) grow();
    T* const place = free_.back();
    free_.pop_back();
    return place;
  }
  void give_back(T* place) {
    const std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(place);  // no allocation: grow() has reserved room for all places
  }

 private:
  void grow() {
    constexpr int more = 64;
    all_ += more;
    free_.reserve(all_);
    void* memory;
    allow_setup_during_capture allowed;
    check_cuda(cudaHostAlloc(&memory, more * sizeof(T), cudaHostAllocPortable), "cudaHostAlloc");
    for (int i = 0; i < more; ++i) free_.push_back(static_cast<T*>(memory) + i);
  }

  std::mutex mutex_;
  std::vector<T*> free_;
  std::size_t all_ = 0;
};

/// One value that a kernel writes and the host reads after the next synchronisation of the stream, without a copy.
template <class T>
class read_back {
 public:
  /// One that is not wanted has no place.
  explicit read_back(bool is_wanted = true) : place_(is_wanted ? places().take() : nullptr) {}
  ~read_back() {
    if (place_ != nullptr) places().give_back(place_);
  }
  read_back(const read_back&) = delete;
  read_back& operator=(const read_back&) = delete;

  T* device() const { return place_; }  // the same address on the host and on every device
  T get() const { return *place_; }

 private:
  static pinned_places<T>& places() {
    static auto& all = *new pinned_places<T>;
    return all;
  }
  T* place_;
};

}  // namespace exec
MGPU_NAMESPACE_END
