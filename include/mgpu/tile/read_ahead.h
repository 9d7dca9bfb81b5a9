// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/address.h>
#include <mgpu/base/slot.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// True if copying a T runs no code of T's. It may then be copied from memory that holds no T.
template <class T>
inline constexpr bool copies_bytes = cuda::std::is_trivially_copyable_v<T> ||
                                     (cuda::std::is_trivially_copy_constructible_v<T> &&
                                      cuda::std::is_trivially_destructible_v<T>);

/// A next element that is assigned to.
template <class T>
struct assigned_ahead {
  T value;

  MGPU_HOST_DEVICE MGPU_FORCE_INLINE assigned_ahead(const T* from, const T*) : value(*from) {}
  MGPU_HOST_DEVICE MGPU_FORCE_INLINE void read(const T* from, const T*) { value = *from; }
  MGPU_HOST_DEVICE MGPU_FORCE_INLINE void set_if(bool is_set, const T& x) { value = is_set ? x : value; }
};

/// A next element that is constructed anew by each read. It holds no T if nothing was read.
template <class T>
union made_ahead {
  T value;

  MGPU_HOST_DEVICE MGPU_FORCE_INLINE made_ahead(const T* from, const T* end) { read(from, end); }
  MGPU_HOST_DEVICE MGPU_FORCE_INLINE ~made_ahead() {}
  MGPU_HOST_DEVICE MGPU_FORCE_INLINE void read(const T* from, const T* end) {
    if (copies_bytes<T> || from < end) base::construct(base::address(value), *from);
  }
  MGPU_HOST_DEVICE MGPU_FORCE_INLINE void set_if(bool is_set, const T& x) {
    const T chosen = is_set ? x : value;
    base::construct(base::address(value), chosen);
  }
};

/// The next element of a sequence, read before it is known whether there is one. Behind the last element lies memory
/// that holds anything. If copying a T runs code, it is read only if there is an element.
template <class T>
using read_ahead = cuda::std::conditional_t<cuda::std::is_trivially_copyable_v<T>, assigned_ahead<T>, made_ahead<T>>;

}  // namespace detail::tile
MGPU_NAMESPACE_END
