// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Batcher's odd-even merge sort as it is published, one layer after the other, and the function that has to do the
// same.

#include "support/check_sort.h"

#include <mgpu/odd_even_merge_sort.h>

#include <algorithm>
#include <vector>

namespace test {

/// As the checks of all sorts call it.
struct odd_even {
  inline static const std::string name = "odd_even_merge_sort";
  static constexpr bool is_stable = true;  // for the checks: equal keys have one order only, which is the network's

  template <class Policy, class Keys, class Segments, class Compare>
  static void sort(const Policy& policy, Keys first, Keys last, const Segments&, const Compare& compare) {
    mgpu::odd_even_merge_sort(policy, first, last, compare);
  }
  template <class Policy, class Keys, class Values, class Segments, class Compare>
  static void sort_by_key(const Policy& policy, Keys first, Keys last, Values values, const Segments&,
                          const Compare& compare) {
    mgpu::odd_even_merge_sort_by_key(policy, first, last, values, compare);
  }
};

/// Calls f(group_log, stride_log) for the layers of the network of `count` elements.
template <class F>
void for_each_network_layer(offset count, const F& f) {
  for (int group_log = 1; offset{1} << (group_log - 1) < count; ++group_log) {
    for (int stride_log = group_log - 1; stride_log >= 0; --stride_log) f(group_log, stride_log);
  }
}

/// Whether element i is the left one of two that the layer compares: the published shader's is_left_index.
MGPU_HOST_DEVICE constexpr bool is_left_index(offset i, int group_log, int stride_log) {
  const offset inner = i >> stride_log, last = (offset{1} << (group_log - stride_log)) - 1;
  return inner % 2 == (stride_log == group_log - 1 ? 0 : 1) && (inner & last) < last;
}

/// Calls f(left, right) for the places that the network of `count` elements compares, one layer after the other.
template <class F>
void for_each_comparison(offset count, const F& f) {
  for_each_network_layer(count, [&](int group_log, int stride_log) {
    const offset stride = offset{1} << stride_log;
    for (offset i = 0; i + stride < count; ++i) {
      if (is_left_index(i, group_log, stride_log)) f(i, i + stride);
    }
  });
}

/// The numbers of the elements as the network leaves them. `compare` may be anything.
template <class Key, class Compare>
std::vector<int> order_by_network(const std::vector<Key>& keys, const Compare& compare) {
  struct element {
    Key key;
    int number;
  };
  std::vector<element> x;
  x.reserve(keys.size());
  for (const auto& key : keys) x.push_back({key, static_cast<int>(x.size())});
  element* const at = x.data();
  for_each_comparison(static_cast<offset>(keys.size()), [&](offset left, offset right) {
    if (compare(at[right].key, at[left].key)) std::swap(at[left], at[right]);
  });
  std::vector<int> order;
  order.reserve(x.size());
  for (const auto& e : x) order.push_back(e.number);
  return order;
}

/// An array, and the order in which the network leaves it.
template <class Key, class Compare>
sorting<Key> network_sorting(const std::vector<Key>& keys, const Compare& compare) {
  const auto count = static_cast<offset>(keys.size());
  sorting<Key> s(keys, {count, {}, {}}, compare);
  s.cut = one_segment(count);
  s.order = order_by_network(keys, compare);
  return s;
}

/// Whether the elements are there, each once, and ascend.
template <class Key, class Compare>
bool is_sorted(const sorting<Key>& s, const Compare& compare) {
  auto numbers = s.order;
  std::sort(numbers.begin(), numbers.end());
  const auto keys = s.in_order(s.keys);
  return numbers == numbers_below(keys.size()) && std::is_sorted(keys.begin(), keys.end(), compare);
}

/// Keys alone, and with their numbers, are where the network leaves them.
template <class Key, class Compare, class HostCompare>
void check_network(const std::vector<Key>& keys, const Compare& compare, const HostCompare& host_compare, int number) {
  INFO("number ", number);
  const auto s = network_sorting(keys, host_compare);
  CHECK(is_sorted(s, host_compare));
  const auto values = numbers_below(keys.size());
  for_each_executor([&](auto executor) {
    check_keys<odd_even>(executor, s, whole_array, compare, number % 4);
    check_pairs<odd_even>(executor, s, values, whole_array, compare, number % 16);
  });
}

}  // namespace test
