// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/block/grid_dependency.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// A block scans a tile at a time. There are at most as many blocks as threads in one, so that a block scans the sums
/// of the parts before its own at once.
inline constexpr int scan_threads = 256, scan_items = 4, scan_tile = scan_threads * scan_items;

enum class scan_step { add_up, put };

/// The sum of x over the threads of the block before this one, and of all. No two calls follow each other without a
/// barrier between them.
template <class Scan>
MGPU_DEVICE offset sum_of_threads_before(const Scan& scan, offset x, offset& total) {
  __shared__ offset warps[scan_threads / 32];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  MGPU_UNROLL
  for (int step = 1; step < 32; step *= 2) {
    const offset other = __shfl_up_sync(~0u, x, step);
    if (lane >= step) x = scan.sum(other, x);
  }
  if (lane == 31) warps[warp] = x;
  offset before = __shfl_up_sync(~0u, x, 1);
  if (lane == 0) before = Scan::zero;
  __syncthreads();
  offset warps_before = Scan::zero;
  total = Scan::zero;
  MGPU_UNROLL
  for (int w = 0; w < scan_threads / 32; ++w) {
    if (w == warp) warps_before = total;
    total = scan.sum(total, warps[w]);
  }
  return scan.sum(warps_before, before);
}

MGPU_PRIVATE_BEGIN

/// Scans values [0, count) in parts of `part` values, a block for each. The first step leaves the sum of each part, the
/// second one puts the results. A single part needs no first step.
template <class Scan>
MGPU_PRIVATE __global__ void __launch_bounds__(scan_threads)
    scan_parts(const __grid_constant__ Scan scan, offset count, offset part, offset* sums, scan_step step) {
  block::wait_for_last_kernel();
  const offset begin = offset{blockIdx.x} * part, end = base::min(begin + part, count);
  offset before = Scan::zero;
  if (step == scan_step::put && blockIdx.x > 0) {
    exec::sum_of_threads_before(scan, threadIdx.x < blockIdx.x ? sums[threadIdx.x] : Scan::zero, before);
    __syncthreads();
  }
  for (offset tile = begin; tile < end; tile += scan_tile) {
    const offset first = tile + offset{threadIdx.x} * scan_items;
    offset values[scan_items], sum = Scan::zero, total;
    MGPU_UNROLL
    for (int i = 0; i < scan_items; ++i) {
      values[i] = first + i < end ? scan.value_at(first + i) : Scan::zero;
      sum = scan.sum(sum, values[i]);
    }
    sum = scan.sum(before, exec::sum_of_threads_before(scan, sum, total));
    MGPU_UNROLL
    for (int i = 0; i < scan_items; ++i) {
      sum = scan.sum(sum, values[i]);
      if (step == scan_step::put && first + i < end) scan.put(first + i, sum);
    }
    before = scan.sum(before, total);
    __syncthreads();
  }
  if (step == scan_step::add_up && threadIdx.x == 0) sums[blockIdx.x] = before;
}

MGPU_PRIVATE_END

}  // namespace detail::exec
MGPU_NAMESPACE_END
