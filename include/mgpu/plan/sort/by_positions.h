// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sorts of elements that tiles do not take: on the CPU those that cannot be copied as bytes, on the GPU those that have
// no room in a tile. A sort of their positions reads the elements where they are. Then each element moves to its place.

#include <mgpu/base/address.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/base/requirements.h>
#include <mgpu/base/slot.h>
#include <mgpu/core/sort/item.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/workspace.h>
#include <mgpu/plan/sort/arrays.h>

#include MGPU_CUDA_VERB_HEADER(each)

#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Whether tiles of a merge sort take the elements: they copy them as bytes, on the GPU in shared memory.
template <class Policy, class Keys, class Values>
constexpr bool fit_sort_tiles() {
  using key = base::value_type<Keys>;
  using value = base::value_type<Values>;
  return base::can_be_kept<key> && base::can_be_kept<value> &&
         (!exec::executor_of<Policy>::has_shared_memory || core::fits_sort_tile<key, value>);
}

/// Compares the elements at two positions.
template <class Keys, class Order>
struct order_at_positions {
  using key = base::value_type<Keys>;
  // A proxy is read before it is compared, as in other sorts.
  using read_key =
      cuda::std::conditional_t<cuda::std::is_same_v<base::element<Keys>, key&>, key&, cuda::std::add_const_t<key>>;

  Keys keys;
  Order order;

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE bool operator()(offset x, offset y) const {
    read_key left(keys[x]), right(keys[y]);
    return order(left, right);
  }
};

struct set_position {
  offset* positions;
  MGPU_HOST_DEVICE void operator()(offset i) const { positions[i] = i; }
};
/// The same on the GPU. A comparator that only the host can call does not compile.
template <class Key, class Order>
struct set_position_on_device {
  offset* positions;
  Order order;
  MGPU_DEVICE void operator()(offset i) const {
    if (false) base::must_compare_on_device<Key, Key>(order);
    positions[i] = i;
  }
};

/// Moves the element at positions[i] to room[i]. The position is inverted as long as an element is there.
template <class Array>
struct move_to_room {
  Array array;
  offset* positions;
  base::value_type<Array>* room;

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void operator()(offset i) const {
    base::construct(room + i, cuda::std::move(array[positions[i]]));
    positions[i] = ~positions[i];
  }
};
/// Moves the element from room[i] to place i.
template <class Array>
struct move_from_room {
  using value = base::value_type<Array>;

  Array array;
  offset* positions;
  value* room;

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void operator()(offset i) const {
    array[i] = cuda::std::move(room[i]);
    room[i].~value();
    positions[i] = ~positions[i];
  }
};

/// Moves each element to the place of its position. If moving one throws, the array has elements of unspecified values.
template <class Policy, class Array>
void move_to_positions(Policy& p, const Array& array, offset* positions, offset count, void* memory) {
  using value = base::value_type<Array>;
  auto* const room = static_cast<value*>(memory);
  const auto executor = exec::executor(p);
  const auto move = [&] {
    executor.each(count, move_to_room<Array>{array, positions, room});
    executor.each(count, move_from_room<Array>{array, positions, room});
  };
  if constexpr (exec::executor_of<Policy>::can_throw) {
    try {
      move();
    } catch (...) {
      for (offset i = 0; i < count; ++i) {
        if (positions[i] < 0) room[i].~value();
      }
      throw;
    }
  } else {
    move();
  }
}

/// Memory for a key, or for a value. An allocator need not know its alignment.
template <class Key, class Value>
struct element_room {
  char bytes[base::max(sizeof(Key), sizeof(Value))];

  static unsigned char* aligned(const element_room* first) {
    constexpr std::uintptr_t unit = base::max(alignof(Key), alignof(Value));
    return reinterpret_cast<unsigned char*>(base::align_up(reinterpret_cast<std::uintptr_t>(first), unit));
  }
};

/// Whether each position is there once. After a sort by a comparator that is no order it may not be.
///   seen  [count], memory without objects
inline bool are_permuted(const offset* positions, offset count, unsigned char* seen) {
  for (offset i = 0; i < count; ++i) seen[i] = 0;
  for (offset i = 0; i < count; ++i) {
    if (seen[positions[i]]++ != 0) return false;
  }
  return true;
}

/// Sorts a range by `sort`, which sorts a range of positions by a comparator of positions.
template <class Policy, class Keys, class Values, class Compare, class Sort>
void sort_by_positions(const Policy& policy, const sort_range<Keys, Values>& range, const Compare& compare,
                       const Sort& sort) {
  Policy& p = exec::mutable_policy(policy);
  const offset count = range.checked_count();
  if (count == 0) return;
  const auto arrays = plan::checked_arrays(p, range, count);
  using keys_type = typename cuda::std::remove_const_t<decltype(arrays)>::keys_type;
  using key = base::value_type<Keys>;
  using value = base::value_type<Values>;
  using order = base::order<Compare>;
  using executor = exec::executor_of<Policy>;

  const exec::workspace<offset, Policy> memory(p, count);
  offset* const positions = memory.data();
  if constexpr (executor::calls_host_functions) exec::executor(p).each(count, set_position{positions});
  else exec::executor(p).each(count, set_position_on_device<key, order>{positions, {compare}});
  sort(sort_range{positions, positions + count, base::no_values{}},
       order_at_positions<keys_type, order>{arrays.keys, {compare}});
  const exec::workspace<element_room<key, value>, Policy> room(p, count + 1);  // one for an alignment
  auto* const first = element_room<key, value>::aligned(room.data());
  if constexpr (!cuda::std::is_trivially_copyable_v<key> || !cuda::std::is_trivially_copyable_v<value>) {
    // An element must not move twice: then all stay where they are.
    if (!plan::are_permuted(positions, count, first)) return;
  }
  plan::move_to_positions(p, arrays.keys, positions, count, first);
  if constexpr (base::has_values<Values>) plan::move_to_positions(p, arrays.values, positions, count, first);
  exec::executor(p).complete();
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
