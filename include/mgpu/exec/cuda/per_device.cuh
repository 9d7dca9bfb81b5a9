// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/exec/cuda/capture.cuh>
#include <mgpu/exec/cuda/device_life.cuh>
#include <mgpu/exec/cuda/device_table.cuh>
#include <mgpu/exec/cuda/error.cuh>

#include MGPU_STD_MUTEX_HEADER

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// A value that is made once for each device on first use, and again after the device was reset. Objects of this class
/// are never destroyed: a static object of the program may call the library from its destructor.
template <class T>
class per_device {
 public:
  /// The current device's value. Calls make(device) if there is none, or if the device was reset and
  /// ends_by_reset(value) is true.
  template <class Make, class EndsByReset>
  T get(const Make& make, const EndsByReset& ends_by_reset) {
    const int device = current_device();
    const std::lock_guard<std::mutex> lock(mutex_);
    entry* const found = values_.find(device);
    if (found != nullptr && is_valid(*found, device, ends_by_reset)) return found->value;
    allow_setup_during_capture allowed;
    const T value = make(device);
    const int life = ends_by_reset(value) ? device_life(device) : 0;
    if (found != nullptr) *found = {value, life};
    else values_.add(device, {value, life});
    return value;
  }

  /// What get() last returned for the current device, or T{}. No device is reset within one call of the library.
  T last() {
    const int device = current_device();
    const std::lock_guard<std::mutex> lock(mutex_);
    const entry* const found = values_.find(device);
    return found == nullptr ? T{} : found->value;
  }

 private:
  struct entry {
    T value;
    int life;  // of the device, if a reset ends the value
  };

  static int current_device() {
    int device;
    exec::check_cuda(cudaGetDevice(&device), "cudaGetDevice");
    return device;
  }
  template <class EndsByReset>
  static bool is_valid(const entry& e, int device, const EndsByReset& ends_by_reset) {
    return !ends_by_reset(e.value) || e.life == device_life(device);
  }

  std::mutex mutex_;
  device_table<entry> values_;
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
