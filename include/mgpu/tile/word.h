// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

#include <cuda/std/cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// The most that one load or store of a thread moves.
struct alignas(16) word {
  cuda::std::uint32_t part[4];
};
inline constexpr int word_bytes = 16;

/// A part of a word that is moved as it is: an integer of `bytes` bytes, or the whole word.
template <int bytes>
struct unit_of {
  static_assert(bytes == word_bytes);
  using type = word;
};
template <>
struct unit_of<1> {
  using type = cuda::std::uint8_t;
};
template <>
struct unit_of<2> {
  using type = cuda::std::uint16_t;
};
template <>
struct unit_of<4> {
  using type = cuda::std::uint32_t;
};
template <>
struct unit_of<8> {
  using type = unsigned long long;
};
template <int bytes>
using unit = typename unit_of<bytes>::type;

/// The word that begins `first_byte` bytes after the beginning of `low`; `high` follows `low`.
/// Requires: first_byte is 0 to 15 and a multiple of unit_bytes.
template <int unit_bytes>
MGPU_HOST_DEVICE word realigned(const word& low, const word& high, int first_byte) {
  using u32 = cuda::std::uint32_t;
  u32 x[8] = {low.part[0],  low.part[1],  low.part[2],  low.part[3],
              high.part[0], high.part[1], high.part[2], high.part[3]};
  if constexpr (unit_bytes <= 8) {
    const bool by_8 = first_byte & 8;
    MGPU_UNROLL
    for (int i = 0; i < 6; ++i) x[i] = by_8 ? x[i + 2] : x[i];
  }
  if constexpr (unit_bytes <= 4) {
    const bool by_4 = first_byte & 4;
    MGPU_UNROLL
    for (int i = 0; i < 5; ++i) x[i] = by_4 ? x[i + 1] : x[i];
  }
  if constexpr (unit_bytes <= 2) {
    const int bits = first_byte % 4 * 8;
    MGPU_UNROLL
    for (int i = 0; i < 4; ++i) {
      x[i] = static_cast<u32>((static_cast<cuda::std::uint64_t>(x[i + 1]) << 32 | x[i]) >> bits);  // a funnel shift
    }
  }
  return {{x[0], x[1], x[2], x[3]}};
}

}  // namespace detail::tile
MGPU_NAMESPACE_END
