// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

#include <cuda/std/cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// Sorts the numbers of a warp in registers, `share` of each lane, by a bitonic network: the runs of 1, 2, 4, 8 and 16
/// lanes become one of twice as many each.
/// Source: K. E. Batcher, "Sorting Networks and Their Applications" (1968).
///   Number  std::uint32_t or std::uint64_t
template <class Number, int share>
class warp_sorter {
 public:
  /// Full warps call it. Loops stay loops: a tile runs this once, and instructions have to be fetched.
  static MGPU_DEVICE void sort(Number (&x)[share], int lane) {
    sort_share(x);
    MGPU_UNROLL_1
    for (int lanes = 1; lanes < 32; lanes *= 2) {
      exchange<true>(x, 2 * lanes - 1, (lane & lanes) != 0);
      MGPU_UNROLL_1
      for (int stride = lanes / 2; stride > 0; stride /= 2) exchange<false>(x, stride, (lane & stride) != 0);
      sort_share(x);
    }
  }

 private:
  static MGPU_DEVICE MGPU_FORCE_INLINE void sort_share(Number (&x)[share]) {
    MGPU_UNROLL
    for (int round = 0; round < share; ++round) {
      MGPU_UNROLL
      for (int i = round % 2; i + 1 < share; i += 2) put_in_order(x[i], x[i + 1]);
    }
  }

  static MGPU_DEVICE MGPU_FORCE_INLINE void put_in_order(Number& x, Number& y) {
    const Number low = x < y ? x : y;
    if constexpr (sizeof(Number) == 4) y = x < y ? y : x;
    else y = x ^ y ^ low;  // nvcc would compare once more
    x = low;
  }

  /// Of each two numbers of this lane and of lane ^ mask, the upper lane keeps the greater one. Where two sorted runs
  /// meet, one is read in reverse.
  template <bool is_reversed>
  static MGPU_DEVICE MGPU_FORCE_INLINE void exchange(Number (&x)[share], int mask, bool is_upper) {
    Number other[share];
    MGPU_UNROLL
    for (int i = 0; i < share; ++i) other[i] = of_lane(x[is_reversed ? share - 1 - i : i], mask);
    MGPU_UNROLL
    for (int i = 0; i < share; ++i) x[i] = (other[i] < x[i]) != is_upper ? other[i] : x[i];
  }

  static MGPU_DEVICE MGPU_FORCE_INLINE Number of_lane(Number x, int mask) {
    if constexpr (sizeof(Number) == 4) return __shfl_xor_sync(~0u, x, mask);
    else {
      const unsigned low = __shfl_xor_sync(~0u, static_cast<unsigned>(x), mask);
      const unsigned high = __shfl_xor_sync(~0u, static_cast<unsigned>(x >> 32), mask);
      return cuda::std::uint64_t{high} << 32 | low;
    }
  }
};

}  // namespace detail::block
MGPU_NAMESPACE_END
