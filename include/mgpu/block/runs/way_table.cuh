// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// The sum of x over the lanes of a warp.
template <class T>
MGPU_DEVICE T warp_sum(T x) {
  MGPU_UNROLL
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(~0u, x, step);
  return x;
}

/// The sum of x over the lanes of a warp before this one.
template <class T>
MGPU_DEVICE T warp_sum_before(T x) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  T inclusive = x;
  MGPU_UNROLL
  for (int step = 1; step < 32; step *= 2) {
    const T other = __shfl_up_sync(~0u, inclusive, step);
    if (lane >= step) inclusive += other;
  }
  return inclusive - x;
}

/// The ways of a tile: parts of sorted runs, in the order of the runs, none empty. It lies in shared memory. The first
/// warp fills it.
template <int most_ways>
struct way_table {
  int count;                 // of the ways
  int begin[most_ways + 1];  // of way w's elements in the tile; behind the last way the tile's size
  int start[most_ways];      // where they lie in shared memory
  /// The first thread of each pair of neighbours, for the pairs of each round: first half of most_ways, then a quarter.
  int first_thread[most_ways];
  MGPU_DEVICE int items() const { return begin[most_ways]; }

  /// Lane w brings run w: `items` elements of it, which lie at `start`. Runs with none are left out. Returns the way of
  /// this lane's run.
  ///   before: the elements of the lanes before this one
  MGPU_DEVICE int put(int items, int before, int start_of_items) {
    const int lane = static_cast<int>(threadIdx.x);
    const unsigned used = __ballot_sync(~0u, items > 0);
    const int total = __shfl_sync(~0u, before + items, 31);
    const int way = __popc(used & ((1u << lane) - 1)), used_count = __popc(used);
    if (lane >= used_count && lane <= most_ways) begin[lane] = total;
    if (lane >= used_count && lane < most_ways) start[lane] = 0;
    if (items > 0) {
      begin[way] = before;
      start[way] = start_of_items;
    }
    if (lane == 0) {
      begin[most_ways] = total;
      count = used_count;
    }
    __syncwarp();
    return way;
  }

  /// Gives each pair of each round the threads that it takes. A thread merges `share` elements.
  MGPU_DEVICE void give_threads(int share) {
    const int lane = static_cast<int>(threadIdx.x);
    MGPU_UNROLL
    for (int round = 0; 2 << round <= most_ways; ++round) {
      const bool has_pair = lane < most_ways >> (round + 1);
      const int items = has_pair ? begin[(lane + 1) << (round + 1)] - begin[lane << (round + 1)] : 0;
      const int before = block::warp_sum_before(base::ceil_div(items, share));
      if (has_pair) first_threads(round)[lane] = before;
    }
  }

  /// The way of an element of the tile, by its place in `firsts`: begin, or where ways were staged.
  template <class Firsts>
  MGPU_DEVICE static int way_at(const Firsts& firsts, int place) {
    int way = 0;
    MGPU_UNROLL
    for (int step = most_ways / 2; step > 0; step /= 2) {
      if (firsts[way + step] <= place) way += step;
    }
    return way;
  }

  /// The first threads of the pairs of a round, the first round being 0.
  MGPU_DEVICE int* first_threads(int round) { return first_thread + (most_ways - (most_ways >> round)); }
};

}  // namespace detail::block
MGPU_NAMESPACE_END
