// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/address.h>

#include <cstring>

MGPU_NAMESPACE_BEGIN
namespace detail::base {

/// The bytes of `from` as a value of another type. cuda::std::bit_cast is not in every CCCL that is supported.
template <class To, class From>
MGPU_HOST_DEVICE MGPU_FORCE_INLINE To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(base::address(to), base::address(from), sizeof(To));
  return to;
}

}  // namespace detail::base
MGPU_NAMESPACE_END
