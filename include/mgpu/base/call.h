// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

MGPU_NAMESPACE_BEGIN
namespace base {

/// f(x, y). For lambdas, in which nvcc asks whether a caller's function is one of the device, too.
MGPU_EXEC_CHECK_DISABLE
template <class Function, class X, class Y>
MGPU_HOST_DEVICE MGPU_FORCE_INLINE bool call(const Function& f, X&& x, Y&& y) {
  return f(static_cast<X&&>(x), static_cast<Y&&>(y));
}

}  // namespace base
MGPU_NAMESPACE_END
