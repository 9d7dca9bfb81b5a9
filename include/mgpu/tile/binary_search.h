// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// The first index in [low, high) at which `predicate` is false, or high.
/// Requires: the predicate is true on a first part of [low, high) and false on the rest. For any other predicate the
///   result is still in [low, high]. The predicate is called for indices in [low, high) only.
MGPU_EXEC_CHECK_DISABLE
template <class Index, class Predicate>
MGPU_HOST_DEVICE Index partition_point(Index low, Index high, const Predicate& predicate) {
  while (low < high) {
    const Index middle = low + ((high - low) >> 1);
    if (predicate(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/// partition_point of a result that is probably near `low`: it probes 1, 2, 4, ... further. The number of calls grows
/// with the logarithm of the distance.
MGPU_EXEC_CHECK_DISABLE
template <class Index, class Predicate>
MGPU_HOST_DEVICE Index partition_point_from(Index low, Index high, const Predicate& predicate) {
  for (Index step = 1; low < high; step *= 2) {
    const Index probe = base::min(low + step - 1, high - 1);
    if (!predicate(probe)) {
      high = probe;
      break;
    }
    low = probe + 1;
  }
  return tile::partition_point(low, high, predicate);
}

/// partition_point that first tries the neighbourhood of `guess`. A bad guess costs two more calls of the predicate.
MGPU_EXEC_CHECK_DISABLE
template <class Index, class Predicate>
MGPU_HOST_DEVICE Index partition_point_near(Index low, Index high, Index guess, const Predicate& predicate) {
  constexpr Index margin = 1024;  // four standard deviations for random inputs and 128 tiles of 8,192 elements
  const Index left = guess - margin, right = guess + margin;
  const bool has_left = low <= left && left < high, has_right = low <= right && right < high;
  const bool past_left = has_left && predicate(left), past_right = has_right && predicate(right);
  if (past_left) low = left + 1;
  else if (has_left) high = left;
  if (past_right) low = base::max(low, right + 1);
  else if (has_right) high = base::min(high, right);
  return tile::partition_point(low, base::max(low, high), predicate);
}

/// partition_point that first tries `guess`, then further and further away from it. The number of calls grows with the
/// logarithm of the distance of the result from `guess`: two for each quadrupling, until the range ends. `step` is the
/// first distance.
/// Requires: 8 * (high - low) fits in Index.
MGPU_EXEC_CHECK_DISABLE
template <class Index, class Predicate>
MGPU_HOST_DEVICE Index partition_point_around(Index low, Index high, Index guess, const Predicate& predicate,
                                              Index step = 256) {
  if (low <= guess && guess < high) {
    const bool is_above = predicate(guess);
    if (is_above) low = guess + 1;
    else high = guess;
    // u32 2^28 H200, a merge in us: from 128 on 548.6, 256 548.3, 512 549.0; partition_point_near 551.7 (2026-11-22).
    for (; step < high - low; step *= 4) {
      const Index probe = is_above ? low + step : high - step;
      const bool passed = predicate(probe);
      if (passed) low = probe + 1;
      else high = probe;
      if (passed != is_above) break;
    }
  }
  return tile::partition_point(low, high, predicate);
}

/// Searches by one thread. A core takes its searcher as an argument: this one, or a warp's (block::warp_search).
struct serial_search {
  /// Bit i is predicate(i), for i in [0, count).
  MGPU_EXEC_CHECK_DISABLE
  template <class Predicate>
  MGPU_HOST_DEVICE unsigned which(int count, const Predicate& predicate) const {
    unsigned bits = 0;
    for (int i = 0; i < count; ++i) bits |= (predicate(i) ? 1u : 0u) << i;
    return bits;
  }
  MGPU_EXEC_CHECK_DISABLE
  template <class Index, class Predicate>
  MGPU_HOST_DEVICE Index partition_point(Index low, Index high, const Predicate& predicate) const {
    return tile::partition_point(low, high, predicate);
  }
  /// The splits of any number of runs at a diagonal: see tile/ways.h.
  MGPU_EXEC_CHECK_DISABLE
  template <class Path>
  MGPU_HOST_DEVICE auto split_ways(const Path& path) const {
    return path.split();
  }
};

}  // namespace detail::tile
MGPU_NAMESPACE_END
