// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/order.h>

MGPU_NAMESPACE_BEGIN
namespace detail::base {

/// Whether an element of the searched range lies before the lower bound of a value.
template <class Compare>
struct lower_bound_order {
  order<Compare> compare;

  MGPU_EXEC_CHECK_DISABLE
  template <class X, class Value>
  MGPU_HOST_DEVICE MGPU_FORCE_INLINE bool operator()(X&& x, Value&& value) const {
    return compare(static_cast<X&&>(x), static_cast<Value&&>(value));
  }
};

/// Whether an element of the searched range lies before the upper bound of a value.
template <class Compare>
struct upper_bound_order {
  order<Compare> compare;

  MGPU_EXEC_CHECK_DISABLE
  template <class X, class Value>
  MGPU_HOST_DEVICE MGPU_FORCE_INLINE bool operator()(X&& x, Value&& value) const {
    return !compare(static_cast<Value&&>(value), static_cast<X&&>(x));
  }
};

template <class Compare>
inline constexpr bool is_natural_order<lower_bound_order<Compare>> = is_natural_order<Compare>;
template <class Compare>
inline constexpr bool is_natural_order<upper_bound_order<Compare>> = is_natural_order<Compare>;

}  // namespace detail::base
MGPU_NAMESPACE_END
