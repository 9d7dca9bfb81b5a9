// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "arrays.h"
#include "keys.h"

#include <doctest/doctest.h>

#include <mgpu/merge.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace test {

/// What std::merge does with the elements' numbers, a's before b's: the definition of the stable merge.
template <class KeyA, class KeyB, class Compare>
std::vector<int> merged_order(const std::vector<KeyA>& a, const std::vector<KeyB>& b, const Compare& compare) {
  struct by_key {
    const std::vector<KeyA>& a;
    const std::vector<KeyB>& b;
    const Compare& compare;
    bool operator()(int of_b, int of_a) const { return compare(b[of_b - a.size()], a[of_a]); }
  };
  std::vector<int> numbers(a.size() + b.size()), order(a.size() + b.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto middle = numbers.begin() + static_cast<offset>(a.size());
  std::merge(numbers.begin(), middle, middle, numbers.end(), order.begin(), by_key{a, b, compare});
  return order;
}

/// The elements of a and b in the order of their numbers in `order`.
template <class T, class A, class B>
std::vector<T> in_order(const std::vector<int>& order, const std::vector<A>& a, const std::vector<B>& b) {
  std::vector<T> result;
  result.reserve(order.size());
  const int a_count = static_cast<int>(a.size());
  for (const int i : order) result.push_back(i < a_count ? static_cast<T>(a[i]) : static_cast<T>(b[i - a_count]));
  return result;
}

/// Elements in front of each range, which take it off its alignment.
struct skips {
  int a, b, a_values, b_values, keys_out, values_out;

  /// A different combination for every number.
  static skips number(int n) { return {n & 3, n >> 2 & 3, (n >> 1) % 4, (n >> 3) % 4, (n + 1) % 4, (n >> 1 & 3) ^ 2}; }
};

/// Merges raw ranges on an executor and compares everything with std::merge.
template <class Executor, class Key, class Compare>
void check_merge(Executor, const std::vector<Key>& a, const std::vector<Key>& b, const Compare& compare,
                 skips skip = {}) {
  const auto expected = in_order<Key>(merged_order(a, b, compare), a, b);
  const input<Executor, Key> a_in(a, skip.a), b_in(b, skip.b);
  const output<Executor, Key> out(static_cast<offset>(expected.size()), skip.keys_out);
  const Key* const a_begin = a_in.begin();
  const Key* const b_begin = b_in.begin();
  const Key* const end =
      mgpu::merge(Executor::policy(), a_begin, a_begin + a.size(), b_begin, b_begin + b.size(), out.begin(), compare);
  CHECK(end == out.end());
  CHECK(out.first_difference(expected) == -1);
  CHECK(a_in.unchanged());
  CHECK(b_in.unchanged());
}

template <class Value, class Executor, class Key, class Compare>
void check_merge_by_key(Executor, const std::vector<Key>& a, const std::vector<Key>& b,
                        const std::vector<Value>& a_values, const std::vector<Value>& b_values, const Compare& compare,
                        skips skip = {}) {
  const auto order = merged_order(a, b, compare);
  const auto count = static_cast<offset>(order.size());
  const input<Executor, Key> a_in(a, skip.a), b_in(b, skip.b);
  const input<Executor, Value> a_values_in(a_values, skip.a_values), b_values_in(b_values, skip.b_values);
  const output<Executor, Key> keys_out(count, skip.keys_out);
  const output<Executor, Value> values_out(count, skip.values_out);
  const Key* const a_begin = a_in.begin();
  const Key* const b_begin = b_in.begin();
  const Value* const a_values_begin = a_values_in.begin();
  const Value* const b_values_begin = b_values_in.begin();
  const auto ends = mgpu::merge_by_key(Executor::policy(), a_begin, a_begin + a.size(), b_begin, b_begin + b.size(),
                                       a_values_begin, b_values_begin, keys_out.begin(), values_out.begin(), compare);
  CHECK(ends.first == keys_out.end());
  CHECK(ends.second == values_out.end());
  CHECK(keys_out.first_difference(in_order<Key>(order, a, b)) == -1);
  CHECK(values_out.first_difference(in_order<Value>(order, a_values, b_values)) == -1);
  CHECK(a_in.unchanged());
  CHECK(b_in.unchanged());
  CHECK(a_values_in.unchanged());
  CHECK(b_values_in.unchanged());
}

/// The core that mgpu::merge or merge_by_key makes of raw pointers.
template <class Key, class Value>
struct core_of {
  using type =
      mgpu::detail::core::merge<const Key*, const Key*, const Value*, const Value*, Key*, Value*, cuda::std::less<>>;
};
template <class Key>
struct core_of<Key, void> {
  using type =
      mgpu::detail::core::merge<const Key*, const Key*, mgpu::detail::base::no_values, mgpu::detail::base::no_values,
                                Key*, mgpu::detail::base::no_values, cuda::std::less<>>;
};

/// The sizes of the two inputs of a case.
struct sizes {
  int a, b;
};

/// Sizes around the tile's, each divided in every way that matters.
inline std::vector<sizes> sizes_around_tile(int tile) {
  std::vector<sizes> result{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {17, 16}};
  for (const int total : {tile - 1, tile, tile + 1, 3 * tile, 4 * tile + 19}) {
    for (const int a : {0, 1, total / 3, total / 2, total - 1, total}) {
      if (a >= 0 && a <= total) result.push_back({a, total - a});
    }
  }
  return result;
}

}  // namespace test
