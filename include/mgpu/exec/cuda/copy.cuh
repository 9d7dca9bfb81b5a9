// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/cuda/capture.cuh>
#include <mgpu/exec/cuda/error.cuh>
#include <mgpu/exec/cuda/executor.cuh>

#include <cstddef>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

template <class Policy>
auto cuda_executor<Policy>::copy(void* to, const void* from, offset bytes) const {
  if (bytes > 0)
    exec::check_cuda(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDefault, stream()),
                     "cudaMemcpyAsync");
}

template <class Policy>
auto cuda_executor<Policy>::wait() const {
  exec::check_cuda(exec::wait_for_stream(stream()), "cudaStreamSynchronize");
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
