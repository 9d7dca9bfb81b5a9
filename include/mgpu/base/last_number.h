// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/order.h>

#include <cuda/std/limits>
#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::base {

/// A number that less, or greater, puts before no other: not before NaNs, either. Behind an array's end it stays there.
template <class Number, class Compare>
MGPU_HOST_DEVICE constexpr Number last_number() {
  static_assert(cuda::std::is_arithmetic_v<Number> && equivalents_are_equal<Compare, Number>);
  using limits = cuda::std::numeric_limits<Number>;
  constexpr bool is_ascending = is_less<Compare, Number>;
  if constexpr (limits::has_infinity) return is_ascending ? limits::infinity() : -limits::infinity();
  else return is_ascending ? limits::max() : limits::lowest();
}

}  // namespace detail::base
MGPU_NAMESPACE_END
