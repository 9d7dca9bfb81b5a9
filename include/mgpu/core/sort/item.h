// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/last_number.h>
#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/tile/word.h>
#include <mgpu/tuning/sort.h>

#include <cuda/std/cstdint>
#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// The bytes at the end of a struct of a key and what moves with it.
template <class Key, class With>
MGPU_HOST_DEVICE constexpr int unfilled_bytes() {
  constexpr int alignment = base::max<int>(alignof(Key), alignof(With));
  constexpr int end = base::align_up(int{sizeof(Key)}, int{alignof(With)}) + int{sizeof(With)};
  return base::align_up(end, alignment) - end;
}

/// Items of 8 or 16 bytes are read and written as a whole: 2^26 pairs of u32 and u32 in one segment take 4,710 us
/// instead of 5,000 (H200, 2026-11-24).
template <class Key, class With>
MGPU_HOST_DEVICE constexpr int item_alignment() {
  constexpr int bytes = base::align_up(int{sizeof(Key)}, int{alignof(With)}) + int{sizeof(With)};
  constexpr int alignment = base::max<int>(alignof(Key), alignof(With)), size = base::align_up(bytes, alignment);
  return size == 8 || size == 16 ? size : alignment;
}

/// A key, and what moves with it while a tile is sorted. Bytes that belong to no member would keep nvcc from holding it
/// in registers. They are members, each at its place: 2^25 pairs of u64 and u32 of segments of 32, 535 us instead of
/// 1,127 (H200, 2026-11-22).
template <class Key, class With, int unfilled = unfilled_bytes<Key, With>()>
struct alignas(item_alignment<Key, With>()) keyed {
  Key key;
  With with;
};
template <class Key, class With>
struct alignas(item_alignment<Key, With>()) keyed<Key, With, 1> {
  Key key;
  With with;
  cuda::std::uint8_t rest = 0;
};
template <class Key, class With>
struct alignas(item_alignment<Key, With>()) keyed<Key, With, 2> {
  Key key;
  With with;
  cuda::std::uint16_t rest = 0;
};
template <class Key, class With>
struct alignas(item_alignment<Key, With>()) keyed<Key, With, 3> {
  Key key;
  With with;
  cuda::std::uint8_t rest = 0;
  cuda::std::uint16_t rest_of_word = 0;
};
template <class Key, class With>
struct alignas(item_alignment<Key, With>()) keyed<Key, With, 4> {
  Key key;
  With with;
  cuda::std::uint32_t rest = 0;
};
template <class Key, class With>
struct alignas(item_alignment<Key, With>()) keyed<Key, With, 6> {
  Key key;
  With with;
  cuda::std::uint16_t rest_of_word = 0;
  cuda::std::uint32_t rest = 0;
};
template <class Key, class With>
struct alignas(item_alignment<Key, With>()) keyed<Key, With, 7> {
  Key key;
  With with;
  cuda::std::uint8_t rest_of_half = 0;
  cuda::std::uint16_t rest_of_word = 0;
  cuda::std::uint32_t rest = 0;
};

/// Whether a tile of the GPU has room for elements.
template <class Key, class Value>
inline constexpr bool fits_sort_tile = sizeof(Key) <= 1024 && sizeof(Value) <= 1024 &&
                                       sizeof(Key) + sizeof(Value) <= 1536;

/// A place in a tile.
template <class Key>
using tile_place = tile::unit<base::clamp<int>(alignof(Key), 2, 8)>;

/// What moves while a tile is sorted: keys alone, keys with their values if these are no wider than a place, or else
/// keys with the places of their values.
template <class Key, class Value>
struct sort_item {
  static constexpr bool has_values = !cuda::std::is_same_v<Value, base::no_values::value_type>;
  static constexpr bool carries_values =
      has_values &&
      (sizeof(keyed<Key, Value>) <= 8 || sizeof(keyed<Key, Value>) <= sizeof(keyed<Key, tile_place<Key>>));
  static constexpr bool carries_places = has_values && !carries_values;

  static_assert(sizeof(keyed<Key, Value>) == sizeof(keyed<Key, Value, 0>), "what fills an item makes it no larger");

  using type = cuda::std::conditional_t<
      !has_values, Key, cuda::std::conditional_t<carries_values, keyed<Key, Value>, keyed<Key, tile_place<Key>>>>;

  static MGPU_HOST_DEVICE const Key& key(const type& item) {
    if constexpr (has_values) return item.key;
    else return item;
  }
};

/// Whether the array itself is buffer 0 of the sort. Otherwise both buffers are scratch memory.
template <class Keys, class Values>
inline constexpr bool is_sorted_in_place = base::is_byte_range<Keys> &&
                                           (!base::has_values<Values> || base::is_byte_range<Values>);

/// The two buffers of a sort, of [count] keys and values each. Buffer 0 is where results belong, buffer 1 is scratch
/// memory.
template <class Key, class Value>
struct sort_buffers {
  Key* keys[2];
  Value* values[2];
};

/// What the shapes of all tiles of one sort depend on.
template <class Key, class Value>
MGPU_HOST_DEVICE constexpr tuning::sort_case sort_case() {
  using items = sort_item<Key, Value>;
  return {sizeof(Key), items::has_values ? int{sizeof(Value)} : 0, sizeof(typename items::type)};
}

/// Compares items by their keys.
template <class Item, class Compare>
struct compare_items {
  using key_bits = base::ordered_bits<Compare>;

  const Compare& compare;

  MGPU_EXEC_CHECK_DISABLE
  template <class T>
  MGPU_HOST_DEVICE bool operator()(const T& x, const T& y) const {
    return compare(Item::key(x), Item::key(y));
  }
  template <class T>
  static MGPU_DEVICE auto bits(const T& x) {
    return key_bits::of(Item::key(x));
  }
  /// The last of all integers by less or by greater.
  template <class T>
  static MGPU_HOST_DEVICE constexpr T last() {
    static_assert(cuda::std::is_integral_v<T>);
    return base::last_number<T, Compare>();
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
