// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

MGPU_NAMESPACE_BEGIN
namespace base {

/// Where x lies, also if T has its own operator&. std::addressof without <memory>, which every translation unit would
/// otherwise compile.
template <class T>
MGPU_HOST_DEVICE MGPU_FORCE_INLINE constexpr T* address(T& x) {
  return __builtin_addressof(x);
}

}  // namespace base
MGPU_NAMESPACE_END
