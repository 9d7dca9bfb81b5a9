// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

#include <cuda/std/iterator>
#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace base {

template <class Iterator>
using value_type = typename cuda::std::iterator_traits<Iterator>::value_type;

/// Bytes of an element, of the larger one where two ranges meet.
template <class... Iterators>
inline constexpr int element_bytes = 0;
template <class First, class... Rest>
inline constexpr int element_bytes<First, Rest...> = max(int{sizeof(value_type<First>)}, element_bytes<Rest...>);

/// True for a raw pointer whose elements may be moved as bytes. Public headers unwrap every contiguous iterator to one.
template <class Iterator>
inline constexpr bool is_byte_range =
    cuda::std::is_pointer_v<Iterator> &&
    cuda::std::is_trivially_copyable_v<cuda::std::remove_pointer_t<Iterator>> &&
    !cuda::std::is_volatile_v<cuda::std::remove_pointer_t<Iterator>>;

/// Stands for the values of a keys-only call: never read, never written, takes no memory.
struct no_values {
  using iterator_category = cuda::std::random_access_iterator_tag;
  using value_type = struct nothing {};
  using difference_type = offset;
  using pointer = void;
  using reference = void;
  MGPU_HOST_DEVICE no_values operator+(offset) const { return {}; }
};

template <class Values>
inline constexpr bool has_values = !cuda::std::is_same_v<Values, no_values>;

/// True where elements of A and B are one type, lie as bytes in memory, and go to an array of the same type.
template <class A, class B, class Out>
inline constexpr bool are_byte_ranges = false;
template <class T>
inline constexpr bool are_byte_ranges<const T*, const T*, T*> = is_byte_range<T*>;
template <class T>
inline constexpr bool are_byte_ranges<T*, const T*, T*> = is_byte_range<T*>;
template <class T>
inline constexpr bool are_byte_ranges<const T*, T*, T*> = is_byte_range<T*>;
template <class T>
inline constexpr bool are_byte_ranges<T*, T*, T*> = is_byte_range<T*>;

}  // namespace base
MGPU_NAMESPACE_END
