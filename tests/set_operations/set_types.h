// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Set operations of chosen types over sizes around the tile's and everything that two inputs can have in common.

#include "check_set_operations.h"

namespace test {

/// A key type, a value type (void: keys only), the order of the keys and the operations to check.
template <class Key, class Value, class Compare, class... Operations>
struct set_types {};

template <class Key, class... Operations>
using set_keys = set_types<Key, void, cuda::std::less<>, Operations...>;
template <class Key, class Value, class... Operations>
using set_pairs = set_types<Key, Value, cuda::std::less<>, Operations...>;

template <class Value, class Operation, class Key, class Compare, class... Options>
void check_case(Operation operation, const two_inputs<Key>& in, const Compare& compare, int number,
                const Options&... options) {
  const int a_count = static_cast<int>(in.a.size()), b_count = static_cast<int>(in.b.size());
  for_each_executor([&](auto executor) {
    INFO(executor.name, ", ", a_count, " and ", b_count, " elements, number ", number);
    if constexpr (std::is_void_v<Value>) {
      check_keys(operation, executor, in.a, in.b, compare, skips::number(number), options...);
    } else {
      const auto a_values = numbered_values<Value>(0, a_count), b_values = numbered_values<Value>(a_count, b_count);
      check_by_key(operation, executor, in.a, in.b, a_values, b_values, compare, skips::number(number), options...);
    }
  });
}

template <class Operation, class Key, class Value, class Compare>
void check_sizes(Operation operation, const Compare& compare) {
  const int tile = first_executor::items_per_tile<typename set_core_of<Operation, Key, Value, true, Compare>::type>();
  std::mt19937 random(7);
  int number = static_cast<int>(sizeof(Key)) + static_cast<int>(Operation::tag::emits_a);
  const auto next = [&](sizes size) {
    const auto o = all_overlaps[++number % std::size(all_overlaps)];
    check_case<Value>(operation, overlapping_keys<Key>(o, size.a, size.b, random), compare, number, compare);
  };
  for (const auto& size : {sizes{0, 0}, sizes{0, 5}, sizes{5, 0}, sizes{1, 1}, sizes{tile / 2, tile - tile / 2}})
    next(size);
  for (const int total : {tile - 1, tile + 1, 2 * tile, 3 * tile + 17}) {
    for (const int a : {total / 3, total / 2, total - 1}) {
      if (!takes_few_cases() || a == total / 2) next({a, total - a});
    }
  }
  if (takes_few_cases()) return;
  for (const auto o : {overlap::few_keys, overlap::some, overlap::same_after_one, overlap::lone_runs}) {
    check_case<Value>(operation, overlapping_keys<Key>(o, 20011, 19973, random), compare, ++number, compare);
  }
}

template <class Key, class Value, class Compare, class... Operations>
void check_types(set_types<Key, Value, Compare, Operations...>) {
  (check_sizes<Operations, Key, Value>(Operations{}, Compare{}), ...);
}

}  // namespace test
