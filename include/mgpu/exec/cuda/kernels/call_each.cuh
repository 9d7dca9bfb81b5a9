// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/block/grid_dependency.cuh>

MGPU_NAMESPACE_BEGIN
namespace exec {

inline constexpr int each_threads = 128;

MGPU_PRIVATE_BEGIN

/// Calls f(i) for every i in [0, count), one thread each.
template <class Function>
MGPU_PRIVATE __global__ void __launch_bounds__(each_threads)
    call_each(const __grid_constant__ Function f, offset count) {
  block::wait_for_last_kernel();
  const offset i = offset{blockIdx.x} * each_threads + threadIdx.x;
  if (i < count) f(i);
}

MGPU_PRIVATE_END

}  // namespace exec
MGPU_NAMESPACE_END
