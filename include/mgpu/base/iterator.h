// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

#include <cuda/std/iterator>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

MGPU_NAMESPACE_BEGIN
namespace detail::base {

template <class Iterator>
using value_type = typename cuda::std::iterator_traits<Iterator>::value_type;

/// *out = number, converted if that is of another arithmetic type.
MGPU_EXEC_CHECK_DISABLE
template <class Out>
MGPU_HOST_DEVICE void write_number_to(const Out& out, offset number) {
  using T = cuda::std::remove_reference_t<decltype(*out)>;
  if constexpr (cuda::std::is_arithmetic_v<T>) *out = static_cast<T>(number);
  else *out = number;
}

/// Bytes of an element; of several ranges, of the largest.
template <class... Iterators>
inline constexpr int element_bytes = 0;
template <class First, class... Rest>
inline constexpr int element_bytes<First, Rest...> = max(int{sizeof(value_type<First>)}, element_bytes<Rest...>);

/// True if elements can be copied as bytes to other memory and back. A member that is const forbids that.
template <class T>
inline constexpr bool can_be_kept =
    cuda::std::is_trivially_copyable_v<T>&& cuda::std::is_copy_constructible_v<T>&& cuda::std::is_copy_assignable_v<T>;

/// True for a raw pointer whose elements may be moved as bytes. Public headers unwrap every contiguous iterator to a
/// pointer.
template <class Iterator>
inline constexpr bool is_byte_range =
    cuda::std::is_pointer_v<Iterator>&& cuda::std::is_trivially_copyable_v<cuda::std::remove_pointer_t<Iterator>> &&
    !cuda::std::is_volatile_v<cuda::std::remove_pointer_t<Iterator>>;

/// What an iterator is moved by: an offset, or its difference_type if that is a shorter integer.
template <class Iterator, class Difference = typename cuda::std::iterator_traits<Iterator>::difference_type>
using step = cuda::std::conditional_t<cuda::std::is_integral_v<Difference> && (sizeof(Difference) < sizeof(offset)),
                                      Difference, offset>;

/// first + n.
MGPU_EXEC_CHECK_DISABLE
template <class Iterator>
MGPU_HOST_DEVICE Iterator advanced(const Iterator& first, offset n) {
  return first + static_cast<step<Iterator>>(n);
}

/// An iterator that takes offsets, made of one that takes shorter steps.
template <class Iterator>
struct by_offsets {
  using iterator_category = cuda::std::random_access_iterator_tag;
  using value_type = base::value_type<Iterator>;
  using difference_type = offset;
  using pointer = void;
  using reference = decltype(*cuda::std::declval<const Iterator&>());

  Iterator at;

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE decltype(auto) operator[](offset i) const { return at[static_cast<step<Iterator>>(i)]; }
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE decltype(auto) operator*() const { return *at; }
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE by_offsets operator+(offset n) const { return {base::advanced(at, n)}; }
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE by_offsets& operator++() { return *this = *this + 1; }
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE offset operator-(const by_offsets& other) const { return at - other.at; }
};

/// The same iterator if it takes offsets, or else one that does.
MGPU_EXEC_CHECK_DISABLE
template <class Iterator>
MGPU_HOST_DEVICE auto with_offsets(const Iterator& first) {
  if constexpr (cuda::std::is_same_v<step<Iterator>, offset>) return first;
  else return by_offsets<Iterator>{first};
}

/// Stands for the values of a keys-only call: never read, never written, takes no memory.
struct no_values {
  using iterator_category = cuda::std::random_access_iterator_tag;
  using value_type = struct nothing {};
  using difference_type = offset;
  using pointer = void;
  using reference = void;
  MGPU_HOST_DEVICE no_values operator+(offset) const { return {}; }
};

/// The numbers 0, 1, 2, ...
struct counting {
  using iterator_category = cuda::std::random_access_iterator_tag;
  using value_type = offset;
  using difference_type = offset;
  using pointer = void;
  using reference = offset;
  MGPU_HOST_DEVICE offset operator[](offset i) const { return i; }
};

/// An array that lies in two memories: elements before `border` in one, elements from `border` on in the other. Both
/// memories begin at the same place of a 16-byte word.
template <class T>
struct spliced {
  using iterator_category = cuda::std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = offset;
  using pointer = T*;
  using reference = T&;

  T* before;
  T* after;
  offset border;

  MGPU_HOST_DEVICE T& operator[](offset i) const { return (i < border ? before : after)[i]; }
  MGPU_HOST_DEVICE T& operator*() const { return (*this)[0]; }
  MGPU_HOST_DEVICE spliced& operator++() { return *this = *this + 1; }
  MGPU_HOST_DEVICE spliced operator+(offset n) const { return {before + n, after + n, border - n}; }
  MGPU_HOST_DEVICE offset operator-(const spliced& other) const { return other.border - border; }
};

/// Which of two memories elements lie in: those before the border in one, those from the border on in the same or the
/// other.
struct splice {
  offset border;     // negative where all elements lie in one memory
  int before, from;  // the memories' numbers; no padding, so that it can be copied by words
};

/// A spliced array that reads how it is spliced only when it is used. It takes no registers until then.
template <class T>
struct spliced_later {
  using iterator_category = cuda::std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = offset;
  using pointer = T*;
  using reference = T&;

  const splice* how;
  T* memories[2];
  offset first;  // where it begins in the memories

  MGPU_HOST_DEVICE bool is_one_array() const { return how->before == how->from; }
  /// Where the elements before the border lie.
  MGPU_HOST_DEVICE T* array() const { return (how->before != 0 ? memories[1] : memories[0]) + first; }
  MGPU_HOST_DEVICE spliced<T> operator+(offset n) const {
    T* const rest = how->from != 0 ? memories[1] : memories[0];
    return spliced<T>{array() + n, rest + first + n, how->border - first - n};
  }
};

/// True if a range can go as bytes from global to shared memory, by bulk copies.
template <class Iterator>
inline constexpr bool is_bulk_loadable = is_byte_range<Iterator>;
template <class T>
inline constexpr bool is_bulk_loadable<spliced_later<T>> = is_byte_range<T*>;

template <class Values>
inline constexpr bool has_values = !cuda::std::is_same_v<Values, no_values>;

/// True if the elements of A, B and Out have one type and can be written to Out as bytes.
template <class A, class B, class Out>
inline constexpr bool is_bytewise_output = cuda::std::is_same_v<value_type<A>, value_type<B>>&&
    cuda::std::is_same_v<value_type<A>, value_type<Out>>&& is_bulk_loadable<Out>;

}  // namespace detail::base
MGPU_NAMESPACE_END
