// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/bit_cast.h>
#include <mgpu/base/config.h>
#include <mgpu/base/number.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace test {

__extension__ typedef __int128 wide_integer;
__extension__ typedef unsigned __int128 wide_unsigned;

/// 12 bytes, ordered by two of its three members.
struct key12 {
  std::uint32_t high, low, origin;

  friend MGPU_HOST_DEVICE bool operator<(const key12& x, const key12& y) {
    return x.high < y.high || (x.high == y.high && x.low < y.low);
  }
};

/// 16 bytes, ordered by one of its two members.
struct key16 {
  std::int64_t key, origin;

  friend MGPU_HOST_DEVICE bool operator<(const key16& x, const key16& y) { return x.key < y.key; }
};

/// 32 bytes that have to lie at a multiple of 32.
struct alignas(32) key32 {
  std::int32_t key, origin, rest[6];

  friend MGPU_HOST_DEVICE bool operator<(const key32& x, const key32& y) { return x.key < y.key; }
};

/// Has no order, no default constructor and no comparison: only less_opaque below knows what is inside.
class opaque {
 public:
  explicit MGPU_HOST_DEVICE opaque(std::uint32_t weight) : weight_(weight) {}

 private:
  friend struct less_opaque;
  std::uint32_t weight_;
};

struct less_opaque {
  MGPU_HOST_DEVICE bool operator()(const opaque& x, const opaque& y) const {
    return (x.weight_ >> 8) < (y.weight_ >> 8);
  }
};

/// Not trivially copyable, and without a default constructor: may be moved by its copies only.
class copied {
 public:
  MGPU_HOST_DEVICE copied(std::int32_t key, std::int32_t origin) : key_(key), origin_(origin) {}
  MGPU_HOST_DEVICE copied(const copied& x) : key_(x.key_), origin_(x.origin_) {}
  MGPU_HOST_DEVICE copied& operator=(const copied& x) {
    key_ = x.key_;
    origin_ = x.origin_;
    return *this;
  }

  friend MGPU_HOST_DEVICE bool operator<(const copied& x, const copied& y) { return x.key_ < y.key_; }

 private:
  std::int32_t key_, origin_;
};

/// Keys are made of a rank in [0, ranks<Key>) that grows with the order, and the number of the element in its input.
template <class Key>
inline constexpr int ranks = 1 << 30;
template <>
inline constexpr int ranks<std::uint8_t> = 1 << 8;
template <>
inline constexpr int ranks<std::int16_t> = 1 << 16;
template <>
inline constexpr int ranks<float> = 1 << 23;
template <>
inline constexpr int ranks<__half> = 1 << 15;
template <>
inline constexpr int ranks<__nv_bfloat16> = 1 << 15;
template <>
inline constexpr int ranks<opaque> = 1 << 24;

/// A number of two bytes: with most exponents, those of numbers that are not normalized too.
template <class Key>
Key make_short_float(int rank) {
  const int number = rank % ranks<Key> - ranks<Key> / 2, magnitude = (number < 0 ? -number : number) * 7 / 4;
  const auto bits = static_cast<std::uint16_t>(number < 0 ? magnitude | 0x8000 : magnitude);
  return mgpu::detail::base::bit_cast<Key>(bits);
}

/// An integer of 16 bytes, of any sign. Four neighbours differ in their lower halves alone.
template <class Key>
Key make_wide(int rank) {
  const Key unit = Key{1} << 100, middle = std::is_same_v<Key, wide_integer> ? ranks<Key> / 8 : 0;
  return (static_cast<Key>(rank / 4) - middle) * unit + static_cast<Key>(rank % 4) * 0x3123456789ABCDEF;
}

template <class Key>
Key make_key(int rank, [[maybe_unused]] int origin) {
  if constexpr (mgpu::detail::base::is_short_float<Key>) return make_short_float<Key>(rank);
  else if constexpr (std::is_same_v<Key, wide_integer> || std::is_same_v<Key, wide_unsigned>)
    return make_wide<Key>(rank);
  else if constexpr (std::is_floating_point_v<Key>) return static_cast<Key>(rank) - ranks<Key> / 2 + Key(0.5);
  else if constexpr (std::is_same_v<Key, std::int64_t>) return (std::int64_t{rank} - ranks<Key> / 2) * 0x123456789;
  else if constexpr (std::is_same_v<Key, std::uint32_t>) return 3u * static_cast<std::uint32_t>(rank);
  else if constexpr (std::is_integral_v<Key>) return static_cast<Key>(rank + std::numeric_limits<Key>::min());
  else if constexpr (std::is_same_v<Key, key12>) {
    return key12{static_cast<std::uint32_t>(rank >> 3), static_cast<std::uint32_t>(rank & 7),
                 static_cast<std::uint32_t>(origin)};
  } else if constexpr (std::is_same_v<Key, key16>) return key16{rank - (std::int64_t{1} << 40), origin};
  else if constexpr (std::is_same_v<Key, key32>) return key32{rank, origin, {1, 2, 3, 4, 5, ~origin}};
  else if constexpr (std::is_same_v<Key, opaque>) return opaque(static_cast<std::uint32_t>(rank) << 8 | (origin & 255));
  else return Key(rank, origin);
}

/// Values of any size, made of the number of their element: equal numbers give equal values and, where the bytes are
/// enough, different numbers different ones.
template <int Bytes>
struct value_bytes {
  std::uint8_t byte[Bytes];
};

template <class Value>
Value make_value(int number) {
  if constexpr (std::is_arithmetic_v<Value>) {
    if constexpr (sizeof(Value) < 4) return static_cast<Value>(number * 0x9E3779B9u >> 16);
    else return static_cast<Value>(number);
  } else {
    std::uint8_t bytes[sizeof(Value)];
    for (unsigned i = 0; i < sizeof(Value); ++i) bytes[i] = static_cast<std::uint8_t>((number >> i % 4 * 8) + i / 4);
    Value value;
    std::memcpy(static_cast<void*>(&value), bytes, sizeof(Value));
    return value;
  }
}

}  // namespace test
