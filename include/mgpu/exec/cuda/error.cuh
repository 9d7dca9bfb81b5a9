// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

#include <cuda_runtime_api.h>

#include <new>
#include <stdexcept>
#include <string>

MGPU_NAMESPACE_BEGIN

/// A CUDA call of the library failed. code() is the runtime's error; what() names the call and the reason.
class cuda_error : public std::runtime_error {
 public:
  cuda_error(cudaError_t code, const char* call)
      : std::runtime_error(std::string("mgpu: ") + call + ": " + cudaGetErrorString(code)), code_(code) {}
  cudaError_t code() const noexcept { return code_; }

 private:
  cudaError_t code_;
};

/// A CUDA call of the library found no memory. A std::bad_alloc; what() names the call and the reason.
class cuda_bad_alloc : public std::bad_alloc {
 public:
  cuda_bad_alloc(cudaError_t code, const char* call) : error_(code, call) {}
  cudaError_t code() const noexcept { return error_.code(); }
  const char* what() const noexcept override { return error_.what(); }

 private:
  cuda_error error_;  // its copies share the message: copying an exception must not throw
};

namespace detail::exec {

/// Throws if `code` is an error: cuda_bad_alloc if memory is lacking, else cuda_error. Clears the runtime's last error,
/// so that the caller's next check does not find it. Private to a shared library, as a CUDA runtime may be.
MGPU_PRIVATE inline void check_cuda(cudaError_t code, const char* call) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  if (code == cudaErrorMemoryAllocation) throw cuda_bad_alloc(code, call);
  throw cuda_error(code, call);
}

/// Before a call of CUB, which takes an error that the caller has left for one of its own, and says that there is no
/// device. Throws the caller's error, and leaves it.
MGPU_PRIVATE inline void check_no_error_is_left() {
  const cudaError_t left = cudaPeekAtLastError();
  if (left != cudaSuccess) throw cuda_error(left, "an earlier CUDA call, whose error nobody has read");
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
