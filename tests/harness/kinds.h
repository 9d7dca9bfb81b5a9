// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The types and iterators with which every function is called.

#include "call.h"
#include "support/half.h"
#include "support/keys.h"
#include "support/strays.h"
#include "support/unsorted.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cuda/std/functional>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace test::harness {

/// Arrays are raw pointers.
struct by_pointer {
  template <class T>
  static const std::vector<T>& stored(const std::vector<T>& x) {
    return x;
  }
  /// Where `size` elements written into a room begin in it.
  static offset first_of(offset, offset) { return 0; }
  template <class T>
  static const T* read(const array<T>& x, char* memory) {
    return x.in(memory);
  }
  template <class T>
  static T* write(const array<T>& x, char* memory) {
    return x.in(memory);
  }
};

/// Inputs are read by functions of positions; what is written lies backwards.
struct by_iterator {
  template <class T>
  static std::vector<T> stored(const std::vector<T>& x) {
    return {x.rbegin(), x.rend()};
  }
  static offset first_of(offset room, offset size) { return room - size; }
  template <class T>
  static auto read(const array<T>& x, char* memory) {
    return thrust::make_transform_iterator(thrust::counting_iterator<offset>(0), load_from<T>{x.in(memory)});
  }
  template <class T>
  static auto write(const array<T>& x, char* memory) {
    return thrust::make_reverse_iterator(x.in(memory) + x.count);
  }
};

/// An order, or answers that follow none.
struct order {
  enum class answers { ascending, descending, random };
  answers how = answers::ascending;
  std::uint32_t salt = 0;

  explicit order(source& s) {
    const int drawn = s.below(s.wanted.is_sound ? 2 : 4);
    how = drawn == 0 ? answers::ascending : drawn == 1 ? answers::descending : answers::random;
    salt = static_cast<std::uint32_t>(s.shape());
  }
  template <class Key>
  MGPU_HOST_DEVICE bool operator()(const Key& x, const Key& y) const {
    if (how == answers::random) return answer_at_random{}(x, y) ^ ((now() * 0x9E3779B9u ^ salt) >> 17 & 1);
    return how == answers::ascending ? x < y : y < x;
  }

 private:
  /// Another number every time.
  static MGPU_HOST_DEVICE std::uint32_t now() {
#ifdef __CUDA_ARCH__
    return static_cast<std::uint32_t>(clock64());
#else
    thread_local std::uint32_t calls = 0;
    return ++calls;
#endif
  }
};

template <class Compare>
Compare draw_compare(source& s) {
  if constexpr (std::is_same_v<Compare, order>) return order(s);
  else return Compare{};
}

/// Types and iterators of a call. The number says which of what has no type of its own: descriptors, tags.
template <int Number, class Key, class Value, class Access, class Compare>
struct kind {
  static constexpr int number = Number;
  using key = Key;
  using value = Value;
  using access = Access;
  using compare = Compare;
};

using kind0 = kind<0, std::uint32_t, std::int32_t, by_pointer, cuda::std::less<>>;
using kind1 = kind<1, std::uint8_t, value_bytes<16>, by_pointer, order>;
using kind2 = kind<2, key12, double, by_iterator, order>;
template <class Key>
using kind_of_numbers = kind<3, Key, std::uint16_t, by_pointer, cuda::std::less<>>;

template <class... Keys>
struct key_types {
  static constexpr std::size_t count = sizeof...(Keys);
  template <std::size_t Number>
  using at = std::tuple_element_t<Number, std::tuple<Keys...>>;
};
/// Numbers of which each function has one as its kind 3, by its name.
using number_types = key_types<double, wide_integer, double, wide_unsigned
#if MGPU_TEST_HAS_HALF
                               ,
                               __half, __nv_bfloat16
#endif
                               >;
/// With this factor every family has numbers of two bytes.
constexpr std::size_t number_of_name(std::string_view name, std::size_t count) {
  std::uint64_t sum = 0;
  for (const char c : name) sum = 870 * sum + static_cast<unsigned char>(c);
  return static_cast<std::size_t>(sum % count);
}

/// Whether that is ThreadSanitizer.
#ifdef MGPU_HARNESS_SEES_RACES
inline constexpr bool sees_races = true;
#else
inline constexpr bool sees_races = false;
#endif
/// Whether all functions have all kinds: in full tests, but not where a sanitizer looks on, for which the compiler
/// takes twice the time. On the GPU merges and set operations always have.
#ifdef MGPU_HARNESS_SANITIZED
inline constexpr bool has_all_kinds = false;
#else
inline constexpr bool has_all_kinds = has_more_kinds;
#endif
#ifdef MGPU_TEST_CUDA
inline constexpr bool on_gpu = true;
#else
inline constexpr bool on_gpu = false;
#endif
/// Where they have not, kinds 0 and 2 or kinds 1 and 3, and the CPU those that the GPU has not.
constexpr bool has_even_kinds(bool has_gpu_even_ones) { return has_gpu_even_ones == on_gpu; }

/// Without soundness some positions are anything, others near what they should be.
template <class Position>
std::vector<Position> with_wrong_positions(source& s, std::vector<Position> positions) {
  if (s.wanted.is_sound || positions.empty() || s.data() % 4 == 0) return positions;
  for (int i = 0; i < 3; ++i) {
    auto& x = positions[s.data() % positions.size()];
    const bool is_near = s.data() % 2 == 0;
    const auto wrong = is_near ? static_cast<offset>(x) + static_cast<offset>(s.data() % 99) - 50
                               : static_cast<offset>(s.data()) - 1'000'000;
    x = static_cast<Position>(wrong);
  }
  return positions;
}

/// f(args...) that returns nothing, with an answer that is right.
template <class F, class... Args>
bool has_called(const F& f, const Args&... args) {
  f(args...);
  return true;
}

}  // namespace test::harness
