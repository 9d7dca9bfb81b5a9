// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

#include <thrust/detail/raw_reference_cast.h>

#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

MGPU_NAMESPACE_BEGIN
namespace detail::base {

template <class X>
inline constexpr bool is_tuple = false;
template <class... Members>
inline constexpr bool is_tuple<cuda::std::tuple<Members...>> = true;

/// An element as a comparator is given it: an lvalue; of a proxy of Thrust's, as device_reference, what it stands for.
/// What cuda::zip_iterator gives, a tuple of proxies, stays one, as with Thrust.
template <class X>
MGPU_HOST_DEVICE MGPU_FORCE_INLINE auto compared(X& x) -> decltype(auto) {
  using element = cuda::std::remove_cv_t<X>;
  using raw = typename THRUST_NS_QUALIFIER::detail::raw_reference<element>::type;
  if constexpr (cuda::std::is_same_v<raw, element&> || is_tuple<element>) return (x);
  else return THRUST_NS_QUALIFIER::raw_reference_cast(x);
}

template <class X>
using compared_type = decltype(base::compared(cuda::std::declval<cuda::std::remove_reference_t<X>&>()));

}  // namespace detail::base
MGPU_NAMESPACE_END
