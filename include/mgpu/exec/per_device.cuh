// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/exec/cuda_error.cuh>

#include <map>
#include <mutex>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// The first call of a program may be captured into a CUDA graph: what it sets up once, such as a memory pool, is no work of
/// the stream, but is refused to a capturing thread that does not say so.
class allow_setup_during_capture {
 public:
  allow_setup_during_capture() { exchange(); }
  ~allow_setup_during_capture() { exchange(); }
  allow_setup_during_capture(const allow_setup_during_capture&) = delete;
  allow_setup_during_capture& operator=(const allow_setup_during_capture&) = delete;

 private:
  void exchange() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

/// A value that is made once for each device, on first use. Objects of this class are never destroyed: a static object of the
/// program may still call the library from its destructor.
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
    if (found != values_.end()) return found->second;
    allow_setup_during_capture allowed;
    return values_.emplace(device, make(device)).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<int, T> values_;
};

}  // namespace exec
MGPU_NAMESPACE_END
