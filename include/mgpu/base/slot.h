// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

#include <new>

MGPU_NAMESPACE_BEGIN
namespace base {

/// Room for a T in a register, whose elements need no default constructor.
template <class T>
union slot {
  T value;

  MGPU_HOST_DEVICE slot() {}
  MGPU_HOST_DEVICE ~slot() {}
  MGPU_HOST_DEVICE void put(const T& x) { new (&value) T(x); }
};

}  // namespace base
MGPU_NAMESPACE_END
