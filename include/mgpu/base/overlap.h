// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/requirements.h>

#include <cuda/std/type_traits>

#include <functional>
#include <iterator>
#include <memory>

MGPU_NAMESPACE_BEGIN
namespace detail::base {

/// True for two iterators of one type, and for an iterator and its const_iterator. For others == may not compile, even
/// where it seems to: Thrust's is there for any two.
template <class X, class Y>
inline constexpr bool is_interoperable = cuda::std::is_convertible_v<X, Y> || cuda::std::is_convertible_v<Y, X>;
template <class X, class Y>  // a reverse_iterator says that it converts to any other
inline constexpr bool is_interoperable<std::reverse_iterator<X>, std::reverse_iterator<Y>> = is_interoperable<X, Y>;

/// True if the range written from `out` on overlaps the range read from `in` on. Pointers: any overlap is found.
/// Iterators that give references, and interoperable ones: found if both ranges begin at the same element. Others:
/// never found. False if either range is empty.
template <class In, class Out>
bool overlaps(const In& in, offset in_count, const Out& out, offset out_count) {
  if (in_count <= 0 || out_count <= 0) return false;
  if constexpr (cuda::std::is_pointer_v<In> && cuda::std::is_pointer_v<Out>) {
    const std::less<const volatile void*> is_before;
    return is_before(out, in + in_count) && is_before(in, out + out_count);
  } else if constexpr (cuda::std::is_lvalue_reference_v<element<In>> &&
                       cuda::std::is_lvalue_reference_v<element<Out>>) {
    // Not by ==: iterators of two containers have none that may be called.
    const volatile void* const read = std::addressof(in[0]);
    const volatile void* const written = std::addressof(out[0]);
    return read == written;
  } else if constexpr (is_interoperable<In, Out>) {
    return static_cast<bool>(in == out);
  } else {
    return false;
  }
}

}  // namespace detail::base
MGPU_NAMESPACE_END
