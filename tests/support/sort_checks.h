// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What every family of sorts is checked for: types, comparators of every kind, and which elements are compared.

#include "check_sort.h"
#include "orders.h"
#include "sort_patterns.h"
#include "strays.h"

#include <cuda/std/functional>

#include <functional>
#include <type_traits>
#include <vector>

namespace test {

/// A key type that is sorted alone and with values of a type.
template <class Key, class Value>
struct pair_of {
  using key = Key;
  using value = Value;
};

template <class Key>
using less_of = std::conditional_t<std::is_same_v<Key, opaque>, less_opaque, cuda::std::less<>>;

template <class Value>
std::vector<Value> values_for(std::size_t count) {
  std::vector<Value> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(make_value<Value>(static_cast<int>(i)));
  return values;
}

/// Ordered by one of its members.
template <int Bytes>
struct wide_key {
  std::int32_t key, origin, rest[Bytes / 4 - 2];

  wide_key() = default;
  wide_key(std::int32_t key, std::int32_t origin) : key(key), origin(origin) {
    for (auto& x : rest) x = origin ^ static_cast<std::int32_t>(0x5bd1e995 * (&x - rest));
  }
  friend MGPU_HOST_DEVICE bool operator<(const wide_key& x, const wide_key& y) { return x.key < y.key; }
};

// For each of the following, check(compare, host_compare) sorts ints in [-5'000, 5'000) by `compare`, which is
// host_compare. Its type has a name: nvcc demands that of what encloses a lambda for the device.

template <class Check>
void check_descending_orders(const Check& check) {
  check(cuda::std::greater<>{}, std::greater<>{});
  if constexpr (has_more_kinds) check(cuda::std::greater<std::int32_t>{}, std::greater<>{});
  check(test::greater{}, test::greater{});
}

/// Comparators with state, without a default constructor, of the executor's side only.
template <class Check>
void check_unusual_comparators(const Check& check) {
  check(less_of_executor{}, std::less<>{});
  const less_shifted shifted(1234, 0.5);
  check(shifted, shifted);
}

template <class Check>
void check_lambdas(const Check& check) {
  const int turn = 777;
  const auto by_remainder = [turn] MGPU_HOST_DEVICE(std::int32_t x, std::int32_t y) {
    return (x + 5'000) % turn < (y + 5'000) % turn;
  };
  check(by_remainder, by_remainder);
  const auto descending = [] MGPU_HOST_DEVICE(std::int32_t x, std::int32_t y) { return y < x; };
  if constexpr (has_more_kinds) check(descending, descending);
}

/// Where less_by_table finds the places of bytes.
inline std::vector<int> permuted_bytes() {
  std::vector<int> place(256);
  for (int i = 0; i < 256; ++i) place[static_cast<std::size_t>(i)] = (i * 91 + 17) % 256;
  return place;
}

/// Only keys of the call are compared. The keys of `s` are ranks.
template <class Function, class Key, class Executor, class Segments>
void check_call_domain(Executor executor, const sorting<int>& s, const Segments& segments, std::uint32_t tag) {
  INFO(executor.name, ", ", Function::name, " of ", s.keys.size(), " elements of ", sizeof(Key), " bytes in ",
       s.cut.begins.size(), " segments");
  const auto unsorted = with_margins<Key>(s.keys, tag);
  const sorted_array keys(executor, unsorted, 1), pairs(executor, unsorted, 2);
  const sorted_array values(executor, numbers_below(s.keys.size()));
  const input<Executor, int> strays({0});
  const checked_less compare{tag, strays.begin()};
  Function::sort(executor.policy(), keys.begin() + margin, keys.end() - margin, segments, compare);
  Function::sort_by_key(executor.policy(), pairs.begin() + margin, pairs.end() - margin, values.begin(), segments,
                        compare);
  CHECK(strays.unchanged());
  const auto expected = with_margins<Key>(s.in_order(s.keys), tag);
  CHECK(keys.holds(expected));
  CHECK(pairs.holds(expected));
  CHECK((!Function::is_stable || values.holds(s.order)));
  CHECK(values.guards_untouched());
}

}  // namespace test
