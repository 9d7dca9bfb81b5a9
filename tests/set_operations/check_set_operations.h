// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "set_operations.h"
#include "set_patterns.h"
#include "support/arrays.h"
#include "support/check_merge.h"
#include "support/keys.h"

#include <doctest/doctest.h>

#include <iterator>
#include <numeric>
#include <type_traits>
#include <vector>

namespace test {

/// What the operation of std:: does with the elements' numbers, a's before b's. It compares an element of a with
/// one of b only, so that they may differ in type.
template <class Operation, class KeyA, class KeyB, class Compare>
std::vector<int> emitted_numbers(const std::vector<KeyA>& a, const std::vector<KeyB>& b, const Compare& compare) {
  const int a_count = static_cast<int>(a.size());
  const auto less = [&](int x, int y) {
    return x < a_count ? compare(a[x], b[y - a_count]) : compare(b[x - a_count], a[y]);
  };
  std::vector<int> numbers(a.size() + b.size()), emitted(a.size() + b.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto middle = numbers.begin() + a_count;
  const auto end = Operation::by_definition(numbers.begin(), middle, middle, numbers.end(), emitted.begin(), less);
  emitted.resize(static_cast<std::size_t>(end - emitted.begin()));
  return emitted;
}

/// The most elements that an operation can emit.
template <class Operation, class KeyA, class KeyB>
offset room_for(const std::vector<KeyA>& a, const std::vector<KeyB>& b) {
  return mgpu::detail::tile::set_operation_max_size<typename Operation::tag>(static_cast<offset>(a.size()),
                                                                             static_cast<offset>(b.size()));
}

/// Runs the three forms of an operation without values on raw ranges and compares everything with std::.
template <class Operation, class Executor, class Key, class Compare, class... Options>
void check_keys(Operation, Executor, const std::vector<Key>& a, const std::vector<Key>& b, const Compare& compare,
                skips skip, const Options&... options) {
  INFO(Operation::name, " of keys");
  const auto expected = in_order<Key>(emitted_numbers<Operation>(a, b, compare), a, b);
  const auto expected_size = static_cast<offset>(expected.size());
  const auto room = room_for<Operation>(a, b);
  const input<Executor, Key> a_in(a, skip.a), b_in(b, skip.b);
  const output<Executor, Key> out(room, skip.keys_out), into_out(room, skip.values_out);
  const output<Executor, offset> size_out(1);
  const Key *const a_begin = a_in.begin(), *const a_end = a_in.end(), *const b_begin = b_in.begin(),
                   *const b_end = b_in.end();
  const auto& policy = Executor::policy();

  const Key* const end = Operation::keys(policy, a_begin, a_end, b_begin, b_end, out.begin(), options...);
  CHECK(end - out.begin() == expected_size);
  CHECK(out.first_difference(expected) == -1);
  CHECK(Operation::size(policy, a_begin, a_end, b_begin, b_end, options...) == expected_size);
  Operation::into(policy, a_begin, a_end, b_begin, b_end, into_out.begin(), size_out.begin(), options...);
  CHECK(into_out.first_difference(expected) == -1);
  CHECK(size_out.first_difference({expected_size}) == -1);
  CHECK(a_in.unchanged());
  CHECK(b_in.unchanged());
}

/// Runs the two forms of an operation with values.
template <class Operation, class Executor, class Key, class Value, class Compare, class... Options>
void check_by_key(Operation, Executor, const std::vector<Key>& a, const std::vector<Key>& b,
                  const std::vector<Value>& a_values, const std::vector<Value>& b_values, const Compare& compare,
                  skips skip, const Options&... options) {
  INFO(Operation::name, " by key");
  const auto numbers = emitted_numbers<Operation>(a, b, compare);
  const auto expected = in_order<Key>(numbers, a, b);
  const auto expected_values = in_order<Value>(numbers, a_values, b_values);
  const auto expected_size = static_cast<offset>(numbers.size());
  const auto room = room_for<Operation>(a, b);
  const input<Executor, Key> a_in(a, skip.a), b_in(b, skip.b);
  const input<Executor, Value> a_values_in(a_values, skip.a_values), b_values_in(b_values, skip.b_values);
  const output<Executor, Key> keys_out(room, skip.keys_out), into_keys_out(room, skip.b_values);
  const output<Executor, Value> values_out(room, skip.values_out), into_values_out(room, skip.a_values);
  const output<Executor, offset> size_out(1);
  const Key *const a_begin = a_in.begin(), *const a_end = a_in.end(), *const b_begin = b_in.begin(),
                   *const b_end = b_in.end();
  const Value *const a_values_begin = a_values_in.begin(), *const b_values_begin = b_values_in.begin();
  const auto& policy = Executor::policy();

  const auto ends = Operation::by_key(policy, a_begin, a_end, b_begin, b_end, a_values_begin, b_values_begin,
                                      keys_out.begin(), values_out.begin(), options...);
  CHECK(ends.first - keys_out.begin() == expected_size);
  CHECK(ends.second - values_out.begin() == expected_size);
  CHECK(keys_out.first_difference(expected) == -1);
  CHECK(values_out.first_difference(expected_values) == -1);
  Operation::by_key_into(policy, a_begin, a_end, b_begin, b_end, a_values_begin, b_values_begin, into_keys_out.begin(),
                         into_values_out.begin(), size_out.begin(), options...);
  CHECK(into_keys_out.first_difference(expected) == -1);
  CHECK(into_values_out.first_difference(expected_values) == -1);
  CHECK(size_out.first_difference({expected_size}) == -1);
  CHECK(a_in.unchanged());
  CHECK(b_in.unchanged());
  CHECK(a_values_in.unchanged());
  CHECK(b_values_in.unchanged());
}

/// The core of an operation on raw pointers; Value is void without values.
template <class Operation, class Key, class Value = void, bool Duplicates = true, class Compare = cuda::std::less<>>
struct set_core_of {
  using tag = typename Operation::tag;
  using none = mgpu::detail::base::no_values;
  using b_values = std::conditional_t<tag::emits_b, const Value*, none>;
  using type = mgpu::detail::core::set_operation<cuda::std::bool_constant<Duplicates>, tag, const Key*, const Key*,
                                                 const Value*, b_values, Key*, Value*, Compare>;
};
template <class Operation, class Key, bool Duplicates, class Compare>
struct set_core_of<Operation, Key, void, Duplicates, Compare> {
  using none = mgpu::detail::base::no_values;
  using type = mgpu::detail::core::set_operation<cuda::std::bool_constant<Duplicates>, typename Operation::tag,
                                                 const Key*, const Key*, none, none, Key*, none, Compare>;
};
template <class Operation, class Key, class Value = void>
using set_core = typename set_core_of<Operation, Key, Value>::type;

}  // namespace test
