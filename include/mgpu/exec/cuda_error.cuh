// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

#include <cuda_runtime_api.h>

#include <new>
#include <stdexcept>
#include <string>

MGPU_NAMESPACE_BEGIN

/// A CUDA call of the library failed. code() is the runtime's error, what() names the call and the reason.
class cuda_error : public std::runtime_error {
 public:
  cuda_error(cudaError_t code, const char* call)
      : std::runtime_error(std::string("mgpu: ") + call + ": " + cudaGetErrorString(code)), code_(code) {}
  cudaError_t code() const noexcept { return code_; }

 private:
  cudaError_t code_;
};

namespace exec {

/// Throws where `code` is an error: std::bad_alloc for lack of memory, cuda_error otherwise. The runtime's last error is
/// cleared, so that the caller's next check does not find ours.
inline void check_cuda(cudaError_t code, const char* call) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  if (code == cudaErrorMemoryAllocation) throw std::bad_alloc();
  throw cuda_error(code, call);
}

}  // namespace exec
MGPU_NAMESPACE_END
