// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/block/grid_dependency.cuh>
#include <mgpu/block/search/search.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

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

/// Calls f.store(i, f.find(i, search)) for every i in [0, count). A warp searches, and one of its threads stores.
template <class Function>
MGPU_PRIVATE __global__ void __launch_bounds__(each_threads)
    search_each_by_warp(const __grid_constant__ Function f, offset count) {
  block::wait_for_last_kernel();
  const offset i = offset{blockIdx.x} * (each_threads / 32) + threadIdx.x / 32;
  if (i >= count) return;
  const auto found = f.find(i, block::warp_search{});
  if (threadIdx.x % 32 == 0) f.store(i, found);
}

MGPU_PRIVATE_END

}  // namespace detail::exec
MGPU_NAMESPACE_END
