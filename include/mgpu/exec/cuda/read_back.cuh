// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/exec/cuda/capture.cuh>
#include <mgpu/exec/cuda/error.cuh>
#include <mgpu/exec/cuda/per_device.cuh>

#include <cstddef>
#include <mutex>
#include <vector>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// The library's places in pinned memory of a device, never given back: pinning memory costs more than most calls, and
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

/// One value that kernels of a stream write and the host reads after the next synchronisation of the stream, without a
/// copy.
template <class T>
class read_back {
 public:
  /// One that is not wanted has no place.
  explicit read_back(cudaStream_t stream, bool is_wanted = true)
      : stream_(stream),
        places_(is_wanted ? current_places() : nullptr),
        place_(is_wanted ? places_->take() : nullptr) {}

  /// A call that ends by an exception may leave a kernel behind that still writes: its place goes to nobody else before
  /// that has ended, and never where the stream cannot be waited for.
  ~read_back() {
    if (!is_wanted()) return;
    if (may_be_written_ && cudaStreamSynchronize(stream_) != cudaSuccess) {
      cudaGetLastError();
      return;
    }
    places_->give_back(place_);
  }
  read_back(const read_back&) = delete;
  read_back& operator=(const read_back&) = delete;

  bool is_wanted() const { return place_ != nullptr; }
  /// For kernels: the same address on the host and on every device.
  T* device() {
    may_be_written_ = is_wanted();
    return place_;
  }
  void set(const T& value) {
    if (is_wanted()) *place_ = value;
  }
  /// Requires that the stream has been synchronised since device() was passed to a kernel.
  T get() {
    may_be_written_ = false;
    return *place_;
  }

 private:
  /// Those of a device that has been reset are gone, and are left alone.
  static pinned_places<T>* current_places() {
    static auto& all = *new per_device<pinned_places<T>*>;
    return all.get([](int) { return new pinned_places<T>; }, [](const pinned_places<T>*) { return true; });
  }

  cudaStream_t stream_;
  pinned_places<T>* places_;
  T* place_;
  bool may_be_written_ = false;
};

}  // namespace exec
MGPU_NAMESPACE_END
