// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::base {

/// Where x lies, also if T has its own operator&. std::addressof without <memory>, which every translation unit would
/// otherwise compile.
template <class T>
MGPU_HOST_DEVICE MGPU_FORCE_INLINE constexpr T* address(T& x) {
  return __builtin_addressof(x);
}

/// The first address from `room` on where a T may lie. Requires: `room` is a multiple of 16.
template <class T>
MGPU_HOST_DEVICE T* aligned(char* room) {
  if constexpr (alignof(T) <= 16) return reinterpret_cast<T*>(room);
  else return reinterpret_cast<T*>(base::align_up<std::uintptr_t>(reinterpret_cast<std::uintptr_t>(room), alignof(T)));
}

}  // namespace detail::base
MGPU_NAMESPACE_END
