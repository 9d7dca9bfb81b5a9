// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/compared.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>

#include <cuda/std/type_traits>
#include <cuda/std/utility>

MGPU_NAMESPACE_BEGIN
namespace detail::base {

// What a caller's types can do. Nothing is called, so that the answers cover device-only functors and proxy references.

/// An element as its iterator gives it; perhaps a proxy.
template <class Iterator>
using element = decltype(cuda::std::declval<const Iterator&>()[cuda::std::declval<const offset&>()]);

/// An element that has been read.
template <class Iterator>
using read_element = const value_type<Iterator>&;

/// True if [] reaches elements by their number.
template <class Iterator, class = void>
inline constexpr bool is_random_access = false;
template <class Iterator>
inline constexpr bool is_random_access<Iterator, cuda::std::void_t<value_type<Iterator>, element<Iterator>>> = true;
template <>
inline constexpr bool is_random_access<no_values, void> = true;

/// True if `to = from` compiles.
template <class To, class From, class = void>
inline constexpr bool is_assignable = false;
template <class To, class From>
inline constexpr bool
    is_assignable<To, From, cuda::std::void_t<decltype(cuda::std::declval<To>() = cuda::std::declval<From>())>> = true;

/// True if *out = x compiles for an x of type T.
template <class Out, class T, class = void>
inline constexpr bool is_writable_with = false;
template <class Out, class T>
inline constexpr bool is_writable_with<
    Out, T, cuda::std::void_t<decltype(*cuda::std::declval<const Out&>() = cuda::std::declval<const T&>())>> = true;

/// True if elements of In can be written to those of Out, or if either is base::no_values.
template <class Out, class In>
constexpr bool is_writable_from() {
  if constexpr (!has_values<In> || !has_values<Out>) return true;
  else if constexpr (is_assignable<element<Out>, element<In>>) return true;
  else return is_assignable<element<Out>, read_element<In>>;
}

/// True if elements of an array can be moved to other places of it, or if it is base::no_values.
template <class Iterator>
constexpr bool is_writable_by_moves() {
  if constexpr (is_writable_from<Iterator, Iterator>()) return true;
  else return is_assignable<element<Iterator>, value_type<Iterator>>;
}

/// True if compare(x, y) converts to bool. compare may have a non-const operator().
template <class Compare, class X, class Y, class = void>
inline constexpr bool is_comparison = false;
template <class Compare, class X, class Y>
inline constexpr bool is_comparison<Compare, X, Y,
                                    cuda::std::void_t<decltype(static_cast<bool>(cuda::std::declval<Compare&>()(
                                        cuda::std::declval<X>(), cuda::std::declval<Y>())))>> = true;

/// True if Compare takes elements as iterators of X and of Y give them.
template <class Compare, class X, class Y>
inline constexpr bool compares_elements =
    is_comparison<Compare, compared_type<element<X>>&, compared_type<element<Y>>&>;

/// True if Compare takes an element of X and one of Y. The searches for splits compare what iterators give. These types
/// come first, because a generic lambda without a return type may compile with no others.
template <class Compare, class X, class Y>
constexpr bool is_comparator() {
  if constexpr (compares_elements<Compare, X, Y>) return true;
  else return is_comparison<Compare, read_element<X>, read_element<Y>>;
}

/// True if f(x...) compiles for a variable f. Not for a const f: in host code nvcc gives a device lambda a non-const
/// operator().
template <class Function, class Arguments, class = void>
inline constexpr bool is_callable = false;
template <class Function, class... X>
inline constexpr bool is_callable<
    Function, void(X...), cuda::std::void_t<decltype(cuda::std::declval<Function&>()(cuda::std::declval<X>()...))>> =
    true;

}  // namespace detail::base
MGPU_NAMESPACE_END
