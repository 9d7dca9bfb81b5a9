// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/exec/cuda_error.cuh>

#include <map>
#include <mutex>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// A value that is made once for each device, on first use.
template <class T>
class per_device {
 public:
  /// The current device's value; make(device) is called where there is none yet.
  template <class Make>
  T get(const Make& make) {
    int device;
    check_cuda(cudaGetDevice(&device), "cudaGetDevice");
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = values_.find(device);
    return found != values_.end() ? found->second : values_.emplace(device, make(device)).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<int, T> values_;
};

}  // namespace exec
MGPU_NAMESPACE_END
