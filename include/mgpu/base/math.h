// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

#include <cstdint>

MGPU_NAMESPACE_BEGIN

/// A position or a count across tiles. Inside a tile positions are int; tile::range is the border between the two.
using offset = std::int64_t;

namespace detail::base {

template <class T>
MGPU_HOST_DEVICE constexpr T min(T x, T y) {
  return y < x ? y : x;
}

template <class T>
MGPU_HOST_DEVICE constexpr T max(T x, T y) {
  return x < y ? y : x;
}

/// The value of [low, high] that is nearest to x. Requires: low <= high.
template <class T>
MGPU_HOST_DEVICE constexpr T clamp(T x, T low, T high) {
  return base::min(base::max(x, low), high);
}

template <class T>
MGPU_HOST_DEVICE constexpr T ceil_div(T x, T y) {
  return (x + y - 1) / y;
}

/// The greatest offset. Where sums saturate, it says that there are so many or more.
inline constexpr offset max_offset = INT64_MAX;

/// x + y, or max_offset if that is less. Requires: neither is negative.
MGPU_HOST_DEVICE constexpr offset saturated_sum(offset x, offset y) {
  const std::uint64_t sum = static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y);
  return static_cast<offset>(base::min(sum, static_cast<std::uint64_t>(max_offset)));
}

/// x * y, or max_offset if that is less. Requires: neither is negative.
MGPU_HOST_DEVICE constexpr offset saturated_product(offset x, offset y) {
  return x > 0 && y > max_offset / x ? max_offset : x * y;
}

/// x, rounded up to a multiple of `unit`. Requires: unit is a power of two.
template <class T>
MGPU_HOST_DEVICE constexpr T align_up(T x, T unit) {
  return (x + unit - 1) & ~(unit - 1);
}

}  // namespace detail::base
MGPU_NAMESPACE_END
