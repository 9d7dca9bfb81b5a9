// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/address.h>
#include <mgpu/base/config.h>

#include <new>

MGPU_NAMESPACE_BEGIN
namespace detail::base {

/// Constructs a T from x in raw memory, also if T has its own operator new or operator&.
MGPU_EXEC_CHECK_DISABLE
template <class T, class From>
MGPU_HOST_DEVICE MGPU_FORCE_INLINE void construct(T* to, From&& x) {
  ::new (static_cast<void*>(to)) T(static_cast<From&&>(x));
}

/// Room for a T in a register. T needs no default constructor.
template <class T>
union slot {
  T value;

  MGPU_HOST_DEVICE slot() {}
  MGPU_HOST_DEVICE ~slot() {}
  template <class From>
  MGPU_HOST_DEVICE MGPU_FORCE_INLINE void put(From&& x) {
    base::construct(base::address(value), static_cast<From&&>(x));
  }
};

}  // namespace detail::base
MGPU_NAMESPACE_END
