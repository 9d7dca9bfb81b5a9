// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/address.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/tile/word.h>

#include <cuda/std/type_traits>

#include <cstring>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// -1 for yes, 0 for no. The compiler does not know where the number comes from, so it cannot turn it into a branch.
MGPU_FORCE_INLINE offset as_mask(bool yes) {
  offset mask = -offset{yes};
  MGPU_HIDE_VALUE(mask);
  return mask;
}

/// b if takes_b is -1, a if it is 0, chosen bit by bit. If the choice is written as ?:, g++ -O3 makes a branch of it
/// for doubles, for keys of two words, and for some steps that choose twice (merge_by_key, 2 x 2^22 f64 + u32: 52 ms,
/// like this 20).
/// Requires: T is trivially copyable.
template <class T>
MGPU_FORCE_INLINE T choose_bits(offset takes_b, const T& a, const T& b) {
  using bits = tile::unit<sizeof(T) % 8 == 0 ? 8 : sizeof(T) % 4 == 0 ? 4 : sizeof(T) % 2 == 0 ? 2 : 1>;
  constexpr int words = sizeof(T) / sizeof(bits);
  bits of_a[words], of_b[words];
  std::memcpy(of_a, base::address(a), sizeof(T));
  std::memcpy(of_b, base::address(b), sizeof(T));
  const bits mask = static_cast<bits>(takes_b);
  for (int i = 0; i < words; ++i) of_a[i] = static_cast<bits>(of_a[i] ^ ((of_a[i] ^ of_b[i]) & mask));
  T chosen = a;
  std::memcpy(static_cast<void*>(base::address(chosen)), of_a, sizeof(T));
  return chosen;
}

template <class A, class B>
inline constexpr bool are_arithmetic =
    cuda::std::is_arithmetic_v<base::value_type<A>>&& cuda::std::is_arithmetic_v<base::value_type<B>>;

/// True if the compiler compares several keys of A and B at once when no branch is between them. Other keys are faster
/// with branches.
///   set_intersection, equal inputs of 2^22, one thread, ms, at once / by branches: u32 1.7 / 1.9, u64 3.9 / 3.2,
///   16 bytes 11.7 / 8.1 (2026-11-22)
template <class A, class B>
inline constexpr bool are_compared_at_once = are_arithmetic<A, B> && sizeof(base::value_type<A>) <= 4 &&
                                             sizeof(base::value_type<B>) <= 4;

}  // namespace detail::tile
MGPU_NAMESPACE_END
