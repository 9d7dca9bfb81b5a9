// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/address.h>
#include <mgpu/base/math.h>
#include <mgpu/tile/word.h>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// One function for all places that exchange two elements. 2^28 bytes of keys of 24, 48, 100 and 1,000 bytes take 16,
/// 29, 40 and 56 ms. Chosen in each place as smaller ones are, they took 70, 655, 179 and 113 ms (H200, 2026-11-24).
template <class T>
MGPU_HOST_DEVICE MGPU_NO_INLINE void exchange_wide(T& x, T& y) {
  if constexpr (MGPU_DEVICE_CC > 0 && sizeof(T) > 64) {  // registers do not hold a whole element
    using unit = tile::unit<base::min<int>(alignof(T), 8)>;
    constexpr int count = sizeof(T) / sizeof(unit), batch = 4;
    const auto a = reinterpret_cast<unit*>(base::address(x)), b = reinterpret_cast<unit*>(base::address(y));
    MGPU_UNROLL_1
    for (int i = 0; i < count; i += batch) {
      unit from_a[batch], from_b[batch];
      MGPU_UNROLL
      for (int k = 0; k < batch; ++k) {
        if (i + k >= count) break;
        from_a[k] = a[i + k];
        from_b[k] = b[i + k];
      }
      MGPU_UNROLL
      for (int k = 0; k < batch; ++k) {
        if (i + k >= count) break;
        a[i + k] = from_b[k];
        b[i + k] = from_a[k];
      }
    }
  } else {
    const T low = y;
    y = x;
    x = low;
  }
}

/// Exchanges x and y, or leaves them as they are.
template <class T>
MGPU_HOST_DEVICE MGPU_FORCE_INLINE void exchange_if(bool exchanges, T& x, T& y) {
  if constexpr (sizeof(T) > 16) {
    if (exchanges) core::exchange_wide(x, y);
  } else {
    const T low = exchanges ? y : x, high = exchanges ? x : y;
    x = low;
    y = high;
  }
}

}  // namespace detail::core
MGPU_NAMESPACE_END
