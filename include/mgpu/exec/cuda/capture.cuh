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

}  // namespace detail::exec
MGPU_NAMESPACE_END
