// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/address.h>

#include <cuda/std/type_traits>

#include <cstring>

MGPU_NAMESPACE_BEGIN
namespace detail::base {

/// The bytes of `from` as a value of another type. cuda::std::bit_cast is not in every CCCL that is supported.
template <class To, class From>
MGPU_HOST_DEVICE MGPU_FORCE_INLINE To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  static_assert(cuda::std::is_trivially_copyable_v<To> && cuda::std::is_trivially_copyable_v<From>);
  To to;
  std::memcpy(static_cast<void*>(base::address(to)), base::address(from), sizeof(To));
  return to;
}

}  // namespace detail::base
MGPU_NAMESPACE_END
