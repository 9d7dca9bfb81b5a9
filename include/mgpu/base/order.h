// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/bit_cast.h>
#include <mgpu/base/compared.h>
#include <mgpu/base/config.h>
#include <mgpu/base/number.h>

#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/type_traits>

#include MGPU_STD_LESS_HEADER

MGPU_NAMESPACE_BEGIN
namespace detail::base {

/// True if nobody can specialize std::less<T> and std::greater<T>.
template <class T>
inline constexpr bool has_std_order = cuda::std::is_void_v<T> || is_number<T>;

/// What is called for a comparator. std::less and std::greater are functions of the host: nvcc would leave out of a
/// kernel all that follows from their answer, without a word. Those of classes stay, since a user may specialize them.
template <class Compare, class = void>
struct callable {
  using type = Compare;
};
template <class T>
struct callable<std::less<T>, cuda::std::enable_if_t<has_std_order<T>>> {
  using type = cuda::std::less<T>;
};
template <class T>
struct callable<std::greater<T>, cuda::std::enable_if_t<has_std_order<T>>> {
  using type = cuda::std::greater<T>;
};

/// True if Compare is a std::less or std::greater that only the host can call. A specialization for the device cannot
/// be told from others and counts as well.
template <class Compare>
inline constexpr bool is_host_order = false;
template <class T>
inline constexpr bool is_host_order<std::less<T>> = !has_std_order<T> && !MGPU_RELAXED_CONSTEXPR;
template <class T>
inline constexpr bool is_host_order<std::greater<T>> = !has_std_order<T> && !MGPU_RELAXED_CONSTEXPR;

/// A caller's comparator as the library calls it. It is const, and its answer is a bool, whatever convertible type the
/// comparator returns. A comparator whose operator() is not const is copied for each call: threads never share one that
/// changes.
template <class Compare>
struct order {
  Compare compare;

  MGPU_EXEC_CHECK_DISABLE
  template <class X, class Y>
  MGPU_HOST_DEVICE MGPU_FORCE_INLINE bool operator()(X&& x, Y&& y) const {
    auto&& left = base::compared(x);
    auto&& right = base::compared(y);
    if constexpr (!cuda::std::is_same_v<Compare, typename callable<Compare>::type>) {
      return static_cast<bool>(typename callable<Compare>::type{}(left, right));
    } else if constexpr (cuda::std::is_invocable_v<const Compare&, decltype((left)), decltype((right))>) {
      return static_cast<bool>(compare(left, right));
    } else {
      Compare copy(compare);
      return static_cast<bool>(copy(left, right));
    }
  }
};
template <class Compare>
MGPU_HOST_DEVICE order(Compare)->order<Compare>;

/// In a kernel, a compile error for a comparator that takes an X and a Y on the host only. Elsewhere nvcc says nothing
/// of it, and leaves out what follows from its answer. It is never called.
template <class X, class Y, class Compare>
MGPU_DEVICE void must_compare_on_device(const order<Compare>& of, [[maybe_unused]] const X* x = nullptr,
                                        [[maybe_unused]] const Y* y = nullptr) {
  if constexpr (cuda::std::is_same_v<Compare, typename callable<Compare>::type>) {
    if constexpr (cuda::std::is_invocable_v<const Compare&, const X&, const Y&>) {
      static_cast<void>(of.compare(*x, *y));
    } else if constexpr (cuda::std::is_invocable_v<Compare&, const X&, const Y&>) {
      Compare copy(of.compare);
      static_cast<void>(copy(*x, *y));
    }
  }
}
/// The library's own comparators.
template <class X, class Y, class Compare>
MGPU_DEVICE void must_compare_on_device(const Compare&) {}

/// True for comparators that are known to be one instruction on arithmetic keys.
template <class Compare>
inline constexpr bool is_natural_order = false;
template <class Compare>
inline constexpr bool is_natural_order<order<Compare>> = is_natural_order<Compare>;
template <class T>
inline constexpr bool is_natural_order<cuda::std::less<T>> = true;
template <class T>
inline constexpr bool is_natural_order<cuda::std::greater<T>> = true;
template <class T>
inline constexpr bool is_natural_order<std::less<T>> = true;
template <class T>
inline constexpr bool is_natural_order<std::greater<T>> = true;

/// True for less and greater of T, or of whatever they are given.
template <class Compare, class T>
inline constexpr bool is_less =
    cuda::std::is_same_v<Compare, cuda::std::less<>> || cuda::std::is_same_v<Compare, cuda::std::less<T>> ||
    cuda::std::is_same_v<Compare, std::less<>> || cuda::std::is_same_v<Compare, std::less<T>>;
template <class Compare, class T>
inline constexpr bool is_less<order<Compare>, T> = is_less<Compare, T>;
template <class Compare, class T>
inline constexpr bool is_greater =
    cuda::std::is_same_v<Compare, cuda::std::greater<>> || cuda::std::is_same_v<Compare, cuda::std::greater<T>> ||
    cuda::std::is_same_v<Compare, std::greater<>> || cuda::std::is_same_v<Compare, std::greater<T>>;
template <class Compare, class T>
inline constexpr bool is_greater<order<Compare>, T> = is_greater<Compare, T>;

/// True if keys of type T that are equivalent by Compare are also equal by ==.
template <class Compare, class T>
inline constexpr bool equivalents_are_equal = is_number<T> && (is_less<Compare, T> || is_greater<Compare, T>);

/// Less, or greater, of numbers. NaNs go last: a strict weak ordering of them, too, without a branch. With one, 2^10
/// floats take 19 us instead of 10 (H200, 2026-11-22).
template <class Key, bool is_ascending>
struct number_order {
  MGPU_HOST_DEVICE MGPU_FORCE_INLINE bool operator()(const Key& x, const Key& y) const {
    if constexpr (!is_floating<Key>) return is_ascending ? x < y : y < x;
    else return static_cast<bool>(static_cast<int>(!(is_ascending ? x >= y : y >= x)) & static_cast<int>(x == x));
  }
};

/// The same of numbers without NaNs. A comparison is one instruction; with NaNs it is two, one after the other. A tile
/// of 2^10 floats then takes 10.5 us instead of 13.7 (H200, 2026-11-26).
template <class Key, bool is_ascending>
struct order_without_nans {
  MGPU_HOST_DEVICE MGPU_FORCE_INLINE bool operator()(const Key& x, const Key& y) const {
    return is_ascending ? x < y : y < x;
  }
};

/// Numbers as unsigned integers that ascend in an order: equal for equal numbers, the greatest one for NaNs.
template <class Compare>
struct ordered_bits {
  static constexpr bool exist = false, are_words = false;
};
template <class Key, bool is_ascending>
struct ordered_bits_of_numbers {
  static_assert(sizeof(Key) <= 8);
  static constexpr bool exist = true, are_words = sizeof(Key) <= 4;
  using type = cuda::std::conditional_t<are_words, cuda::std::uint32_t, cuda::std::uint64_t>;
  static constexpr type all = ~type{0}, sign = type{1} << (8 * sizeof(Key) - 1), used = sign | (sign - 1);

  static MGPU_HOST_DEVICE MGPU_FORCE_INLINE type of(Key x) {
    if constexpr (is_floating<Key>) {
      using bits_of_key = cuda::std::conditional_t<sizeof(Key) == 2, cuda::std::uint16_t, type>;
      if (x != x) return all;
      const type bits = base::bit_cast<bits_of_key>(x == Key{} ? Key{} : x);
      return bits ^ ((bits & sign) != 0 ? used : sign) ^ (is_ascending ? 0 : all);
    } else {
      return (static_cast<type>(x) & used) ^ (cuda::std::is_signed_v<Key> ? sign : 0) ^ (is_ascending ? 0 : all);
    }
  }
  /// The integer with such bits.
  static MGPU_HOST_DEVICE MGPU_FORCE_INLINE Key integer(type bits) {
    return static_cast<Key>(bits ^ (cuda::std::is_signed_v<Key> ? sign : 0) ^ (is_ascending ? 0 : all));
  }
};
/// Wider numbers, __int128 and long double, have no such integer.
template <class Key, bool is_ascending>
using ordered_bits_if_narrow =
    cuda::std::conditional_t<sizeof(Key) <= 8, ordered_bits_of_numbers<Key, is_ascending>, ordered_bits<void>>;
template <class Key, bool is_ascending>
struct ordered_bits<number_order<Key, is_ascending>> : ordered_bits_if_narrow<Key, is_ascending> {};
template <class Key, bool is_ascending>
struct ordered_bits<order_without_nans<Key, is_ascending>> : ordered_bits_if_narrow<Key, is_ascending> {};

/// What compares keys faster than Compare if there is no NaN among them.
template <class Compare>
struct without_nans {
  static constexpr bool is_faster = false;
};
template <class Key, bool is_ascending>
struct without_nans<number_order<Key, is_ascending>> {
  static constexpr bool is_faster = is_floating<Key>;
  using type = order_without_nans<Key, is_ascending>;
};

/// True for comparators that are known to be strict weak orderings of all keys there can be.
template <class Compare>
inline constexpr bool is_strict_weak_order = false;
template <class Key, bool is_ascending>
inline constexpr bool is_strict_weak_order<number_order<Key, is_ascending>> = true;

}  // namespace detail::base
MGPU_NAMESPACE_END
