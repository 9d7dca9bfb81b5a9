// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/number.h>
#include <mgpu/base/order.h>
#include <mgpu/tile/word.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// A number's bits, changed so that, as an unsigned integer, they ascend where numbers are in the order of Compare.
/// NaNs go to both ends, by their signs.
template <class Key, class Compare>
struct number_bits {
  static_assert(base::equivalents_are_equal<Compare, Key> && sizeof(Key) <= 8, "numbers in their natural order");
  using type = tile::unit<sizeof(Key)>;
  static constexpr bool is_descending = base::is_greater<Compare, Key>;
  static constexpr bool is_floating = base::is_floating<Key>;
  static constexpr int digit_bits = 8, digits = 1 << digit_bits, passes = sizeof(Key);

  static constexpr type sign = type{1} << (8 * sizeof(Key) - 1);
  static constexpr type reversal = is_descending ? static_cast<type>(~type{0}) : type{0};
  /// What goes behind all numbers.
  static constexpr type last = static_cast<type>(~type{0});

  static MGPU_HOST_DEVICE type in(type bits) {
    if constexpr (is_floating) bits ^= (bits & sign) != 0 ? static_cast<type>(~type{0}) : sign;
    else if constexpr (cuda::std::is_signed_v<Key>) bits ^= sign;
    return static_cast<type>(bits ^ reversal);
  }
  static MGPU_HOST_DEVICE type out(type bits) {
    bits ^= reversal;
    if constexpr (is_floating) bits ^= (bits & sign) == 0 ? static_cast<type>(~type{0}) : sign;
    else if constexpr (cuda::std::is_signed_v<Key>) bits ^= sign;
    return bits;
  }
  /// What in() has returned, where -0.0 is 0.0: equal for equal numbers.
  static MGPU_HOST_DEVICE type ordered(type bits) {
    if constexpr (is_floating) {
      constexpr type minus_zero = static_cast<type>((sign - 1) ^ reversal), zero = static_cast<type>(sign ^ reversal);
      if (bits == minus_zero) bits = zero;
    }
    return bits;
  }
  /// The digit of what in() has returned.
  static MGPU_HOST_DEVICE int digit(type bits, int pass) {
    return static_cast<int>(ordered(bits) >> (digit_bits * pass) & (digits - 1));
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
