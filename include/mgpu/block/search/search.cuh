// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// tile::partition_point by a whole warp with 32 probes at once. It takes log32(high - low) round trips.
template <class Index, class Predicate>
MGPU_DEVICE Index warp_partition_point(Index low, Index high, const Predicate& predicate) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  while (low < high) {
    const Index step = (high - low + 31) / 32;
    const Index probe = base::min(low + (lane + 1) * step - 1, high - 1);
    // Lanes whose probes coincide at the end of the range agree. So the ballot is a run of ones if the input is sorted.
    const unsigned passed = __ballot_sync(~0u, predicate(probe));
    const int count = __ffs(static_cast<int>(~passed)) - 1;  // -1: all passed
    if (count < 0) return high;
    const Index next_high = base::min(low + (count + 1) * step - 1, high - 1);
    if (count > 0) low = base::min(low + count * step, next_high);
    high = next_high;
  }
  return low;
}

/// warp_partition_point that first probes around `guess`, at distances that double from 2048 on. A bad guess costs one
/// more round trip.
template <class Index, class Predicate>
MGPU_DEVICE Index warp_partition_point_around(Index low, Index high, Index guess, const Predicate& predicate) {
  constexpr Index nearest = 2048;  // four standard deviations for random inputs of 2^26 elements
  if (low < high) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const Index wanted = lane < 16 ? guess - (nearest << (15 - lane)) : guess + (nearest << (lane - 16));
    const Index probe = base::clamp(wanted, low, high - 1);
    const unsigned passed = __ballot_sync(~0u, predicate(probe));
    const int count = passed == ~0u ? 32 : __ffs(static_cast<int>(~passed)) - 1;
    const Index last_passed = __shfl_sync(~0u, probe, base::max(count - 1, 0));
    const Index first_failed = __shfl_sync(~0u, probe, base::min(count, 31));
    if (count > 0) low = last_passed + 1;
    if (count < 32) high = base::max(low, first_failed);
  }
  return warp_partition_point(low, high, predicate);
}

/// tile::serial_search by a whole warp, whose threads call it with the same arguments. All threads get the same
/// answers, whatever the predicate is.
struct warp_search {
  template <class Predicate>
  MGPU_DEVICE unsigned which(int count, const Predicate& predicate) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    return __ballot_sync(~0u, lane < count && predicate(lane));
  }
  template <class Index, class Predicate>
  MGPU_DEVICE Index partition_point(Index low, Index high, const Predicate& predicate) const {
    return warp_partition_point(low, high, predicate);
  }
  /// The first index in [low, high) at which the predicate is true, or high; and the last one, or low - 1. A thread has
  /// four probes under way.
  template <class Index, class Predicate>
  MGPU_DEVICE Index find_first(Index low, Index high, const Predicate& predicate) const {
    for (; low < high; low += probes) {
      const int found = first_probe([&](int i) { return low + i < high && predicate(low + i); });
      if (found < probes) return low + found;
    }
    return high;
  }
  template <class Index, class Predicate>
  MGPU_DEVICE Index find_last(Index low, Index high, const Predicate& predicate) const {
    for (; low < high; high -= probes) {
      const int found = first_probe([&](int i) { return high - 1 - i >= low && predicate(high - 1 - i); });
      if (found < probes) return high - 1 - found;
    }
    return low - 1;
  }

 private:
  static constexpr int probes = 4 * 32;

  /// The first i in [0, probes) for which f(i) is true, or `probes`.
  template <class Function>
  MGPU_DEVICE int first_probe(const Function& f) const {
    unsigned found[4];
    MGPU_UNROLL
    for (int k = 0; k < 4; ++k) found[k] = f(32 * k + static_cast<int>(threadIdx.x) % 32) ? 1u : 0u;
    MGPU_UNROLL
    for (int k = 0; k < 4; ++k) {
      const unsigned lanes = __ballot_sync(~0u, found[k] != 0);
      if (lanes != 0) return 32 * k + __ffs(static_cast<int>(lanes)) - 1;
    }
    return probes;
  }
};

}  // namespace detail::block
MGPU_NAMESPACE_END
