// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/exec/cuda/error.cuh>
#include <mgpu/exec/cuda/executor.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

template <class Policy>
auto cuda_executor<Policy>::can_access(const volatile void* memory) const {
  cudaPointerAttributes attributes;
  exec::check_cuda(cudaPointerGetAttributes(&attributes, const_cast<const void*>(memory)), "cudaPointerGetAttributes");
  if (attributes.type != cudaMemoryTypeUnregistered) return true;
  int device, reads_pageable_memory;
  exec::check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  exec::check_cuda(cudaDeviceGetAttribute(&reads_pageable_memory, cudaDevAttrPageableMemoryAccess, device),
                   "cudaDeviceGetAttribute");
  return reads_pageable_memory != 0;
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
