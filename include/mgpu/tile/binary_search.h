// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace tile {

/// The first index in [low, high) at which `predicate` is false, or high. Requires true ... true false ... false; for any
/// other predicate the result is still in [low, high] and the predicate is called on indices in [low, high) only.
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

/// partition_point by three calls at once: half as many round trips to memory, 1.5 times as many calls.
MGPU_EXEC_CHECK_DISABLE
template <class Index, class Predicate>
MGPU_HOST_DEVICE Index partition_point_by_three(Index low, Index high, const Predicate& predicate) {
  while (high - low >= 8) {
    const Index quarter = (high - low) >> 2;
    const Index first = low + quarter, second = first + quarter, third = second + quarter;
    const bool past_first = predicate(first), past_second = predicate(second), past_third = predicate(third);
    low = past_third ? third + 1 : past_second ? second + 1 : past_first ? first + 1 : low;
    high = !past_first ? first : !past_second ? second : !past_third ? third : high;
  }
  return tile::partition_point(low, high, predicate);
}

/// partition_point where `guess` is probably near: its neighbourhood is tried first. A bad guess costs two probes.
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

}  // namespace tile
MGPU_NAMESPACE_END
