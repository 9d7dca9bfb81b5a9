// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/address.h>
#include <mgpu/base/math.h>
#include <mgpu/block/search/search.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// What the threads of a block compute together.
template <int threads>
struct team {
  /// Searches by a warp.
  static MGPU_DEVICE warp_search searcher() { return {}; }

  /// The sum of `mine` over the threads before this one. `total` is that of all threads. `sums`, one for each warp,
  /// lies in shared memory. When it returns, every thread has called it. Between two calls with the same sums there
  /// must be a barrier.
  static MGPU_DEVICE offset sum_before(offset mine, offset* sums, offset& total) {
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    offset up_to_mine = mine;
    MGPU_UNROLL
    for (int step = 1; step < 32; step *= 2) {
      const offset other = __shfl_up_sync(~0u, up_to_mine, static_cast<unsigned>(step));
      if (lane >= step) up_to_mine += other;
    }
    if (lane == 31) sums[warp] = up_to_mine;
    __syncthreads();
    offset before = up_to_mine - mine;
    total = 0;
    MGPU_UNROLL
    for (int i = 0; i < threads / 32; ++i) {
      if (i < warp) before += sums[i];
      total += sums[i];
    }
    return before;
  }

  /// For how many threads of the block x is true.
  static MGPU_DEVICE int count_of_block(bool x) { return __syncthreads_count(x); }

  // By whole warps.

  /// For how many threads of the warp x is true.
  static MGPU_DEVICE int count_of_warp(bool x) { return __popc(__ballot_sync(~0u, x)); }

  /// What thread `lane` of the warp has; behind the last one come the first ones again.
  template <class T>
  static MGPU_DEVICE MGPU_FORCE_INLINE T of_lane(const T& x, int lane) {
    constexpr int count = (sizeof(T) + 3) / 4;
    unsigned words[count] = {};
    memcpy(words, base::address(x), sizeof(T));
    MGPU_UNROLL
    for (int i = 0; i < count; ++i) words[i] = __shfl_sync(~0u, words[i], lane);
    T result = x;
    memcpy(base::address(result), words, sizeof(T));
    return result;
  }
};

}  // namespace detail::block
MGPU_NAMESPACE_END
