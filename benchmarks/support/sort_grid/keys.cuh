// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The types, the orders and the distributions of the grid of sorts.

#include <support/data.cuh>

#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cuda/std/functional>

#include <cuda_fp16.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace bench {

using u8 = std::uint8_t;
using i16 = std::int16_t;
using i128 = __int128;
using f16 = __half;
using f32 = float;
using f64 = double;
using zip = thrust::tuple<u32, u32>;  // the element of a zip_iterator of two columns

/// Structs are sorted by their keys. The number is that of the element in the input.
struct s12 {
  u32 key, number, rest;
};
struct s16 {
  u64 key, number;
};
struct s32 {
  u64 key, number, rest[2];
};
struct no_values {};

template <class Key>
inline constexpr bool is_struct = std::is_same_v<Key, s12> || std::is_same_v<Key, s16> || std::is_same_v<Key, s32>;
/// True for the keys that CUB sorts by their digits.
template <class Key>
inline constexpr bool has_digits = !is_struct<Key> && !std::is_same_v<Key, zip>;

template <class T>
std::string name_of() {
  if constexpr (std::is_same_v<T, u8>) return "u8";
  else if constexpr (std::is_same_v<T, i16>) return "i16";
  else if constexpr (std::is_same_v<T, u32>) return "u32";
  else if constexpr (std::is_same_v<T, u64>) return "u64";
  else if constexpr (std::is_same_v<T, i128>) return "i128";
  else if constexpr (std::is_same_v<T, f16>) return "f16";
  else if constexpr (std::is_same_v<T, f32>) return "f32";
  else if constexpr (std::is_same_v<T, f64>) return "f64";
  else if constexpr (std::is_same_v<T, zip>) return "zip_u32_u32";
  else return "s" + std::to_string(sizeof(T));
}

/// The names of the types of keys and values.
template <class Key, class Value>
std::string names_of() {
  if constexpr (std::is_same_v<Value, no_values>) return name_of<Key>();
  else return name_of<Key>() + "_" + name_of<Value>();
}

/// An element of which more bits do not make a smaller one.
template <class Key>
__device__ Key key_of_bits(u64 bits, [[maybe_unused]] u64 number) {
  constexpr u64 sign = u64{1} << 63;
  if constexpr (is_struct<Key>) {
    Key result{};
    result.key = static_cast<decltype(result.key)>(sizeof(result.key) == 4 ? bits >> 32 : bits);
    result.number = static_cast<decltype(result.number)>(number);
    return result;
  } else if constexpr (std::is_same_v<Key, zip>) {
    return {static_cast<u32>(bits >> 48), static_cast<u32>(bits >> 16)};
  } else if constexpr (std::is_same_v<Key, i128>) {
    return static_cast<i128>(static_cast<std::int64_t>(bits ^ sign)) * (i128{1} << 64) + random_bits{0}(bits);
  } else if constexpr (std::is_same_v<Key, f16>) {
    return __float2half(static_cast<float>(static_cast<int>(bits >> 48) - (1 << 15)));
  } else if constexpr (std::is_same_v<Key, f32>) {
    return static_cast<f32>(static_cast<std::int64_t>(bits ^ sign) >> 32);
  } else if constexpr (std::is_same_v<Key, f64>) {
    return static_cast<f64>(static_cast<std::int64_t>(bits ^ sign));
  } else if constexpr (std::is_signed_v<Key>) {
    return static_cast<Key>(static_cast<std::int64_t>(bits ^ sign) >> (64 - 8 * sizeof(Key)));
  } else {
    return static_cast<Key>(bits >> (64 - 8 * sizeof(Key)));
  }
}

// The orders.

/// The natural order, which no library can know.
struct user_order {
  static constexpr const char* name = "user";
  template <class Key>
  __host__ __device__ bool operator()(const Key& x, const Key& y) const {
    return x < y;
  }
};

/// An order that costs more than reading a key.
struct remainder_order {
  static constexpr const char* name = "mod1000";
  __host__ __device__ bool operator()(u32 x, u32 y) const { return x % 1000 < y % 1000; }
};

struct key_order {
  static constexpr const char* name = "by_key";
  template <class Key>
  __host__ __device__ bool operator()(const Key& x, const Key& y) const {
    return x.key < y.key;
  }
};

template <class Compare>
std::string name_of_order() {
  if constexpr (std::is_same_v<Compare, cuda::std::less<>>) return "less";
  else return Compare::name;
}

// The distributions.

enum class key_kind { random, displaced, reversed, few, saw_teeth };

struct distribution {
  const char* name;
  key_kind kind;
  u32 distance = 0;  // of a displaced key from its place, at most
};

inline constexpr distribution random_keys{"random", key_kind::random};
inline constexpr distribution few_keys{"few", key_kind::few};
inline constexpr distribution reversed_keys{"reversed", key_kind::reversed};
inline constexpr distribution all_distributions[] = {
    random_keys,   {"sorted", key_kind::displaced, 0}, {"nearly_sorted", key_kind::displaced, 100},
    reversed_keys, {"saw_teeth", key_kind::saw_teeth}, few_keys};
inline constexpr distribution local_distributions[] = {{"within_25", key_kind::displaced, 25},
                                                       {"within_1000", key_kind::displaced, 1000}};

/// The bits of the keys of an array.
struct bits_of_keys {
  distribution keys;
  u64 count;

  __device__ u64 operator()(u64 i) const {
    const u64 some = random_bits{u64{7} << 40}(i);
    switch (keys.kind) {
      case key_kind::random:
        return some;
      case key_kind::displaced:
        return spread(i + some % (keys.distance + 1), count + keys.distance);
      case key_kind::reversed:
        return spread(count - 1 - i, count);
      case key_kind::few:
        return spread(some % 7, 7);
      default:
        return spread(i % 1000, 1000);
    }
  }

 private:
  /// Spreads the numbers below `end` over all bits.
  static __device__ u64 spread(u64 i, u64 end) { return i * (~u64{0} / end); }
};

// Columns.

/// The iterator to `count` keys in memory that begins there.
template <class Key>
auto keys_at(void* memory, std::size_t count) {
  if constexpr (std::is_same_v<Key, zip>) {
    u32* const first = static_cast<u32*>(memory);
    return thrust::make_zip_iterator(thrust::make_tuple(first, first + count));
  } else {
    return static_cast<Key*>(memory);
  }
}

template <class Key>
using keys_iterator = decltype(keys_at<Key>(nullptr, 0));

}  // namespace bench
