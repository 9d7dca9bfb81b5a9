// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

#include <cuda_runtime_api.h>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// Allows setup while a stream is captured. The first call of a program may be captured into a CUDA graph. What it sets
/// up once, such as a memory pool, is not work of the stream; but CUDA refuses it to a capturing thread that does not
/// allow it so.
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

/// Keeps the captures of other threads out of a call. While another thread captures a stream in the mode global, CUDA
/// refuses to wait for any stream or to allocate memory, and the attempt ends that capture. So the thread's own mode is
/// thread-local while it has one of these objects: then only its own captures count. A thread that is relaxed stays so.
class apart_from_other_captures {
 public:
  apart_from_other_captures() { enter(); }
  apart_from_other_captures(const apart_from_other_captures&) { enter(); }
  apart_from_other_captures& operator=(const apart_from_other_captures&) { return *this; }
  ~apart_from_other_captures() { leave(); }

 private:
  /// Counts the objects of a thread: they may end in any order, as copies of an executor do.
  struct thread_state {
    int objects = 0;
    cudaStreamCaptureMode found = cudaStreamCaptureModeGlobal;
  };
  static thread_state& of_thread() {
    static thread_local thread_state state;
    return state;
  }
  static void enter() {
    thread_state& state = of_thread();
    if (state.objects++ > 0) return;
    state.found = exchanged(cudaStreamCaptureModeThreadLocal);
    if (state.found == cudaStreamCaptureModeRelaxed) exchanged(state.found);
  }
  static void leave() {
    thread_state& state = of_thread();
    if (--state.objects == 0) exchanged(state.found);
  }
  /// The mode before. The call that follows reports why CUDA cannot be asked.
  static cudaStreamCaptureMode exchanged(cudaStreamCaptureMode mode) {
    if (cudaThreadExchangeStreamCaptureMode(&mode) != cudaSuccess) cudaGetLastError();
    return mode;
  }
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
