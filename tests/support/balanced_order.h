// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace test {

/// One element on the balanced path of two inputs.
struct path_element {
  bool of_b;
  int place;  // in its input
  int rank;   // among the equal keys of its input
  bool is_paired;
};

/// The balanced path by its definition: the elements of both inputs in the order of (key, rank, a before b).
template <class Compare>
std::vector<path_element> balanced_order(const std::vector<int>& a, const std::vector<int>& b, const Compare& compare) {
  std::vector<path_element> order;
  order.reserve(a.size() + b.size());
  const auto add = [&](bool of_b, const std::vector<int>& mine, const std::vector<int>& other) {
    for (std::size_t i = 0; i < mine.size(); ++i) {
      const bool follows_equal = i > 0 && !compare(mine[i - 1], mine[i]);
      const int rank = follows_equal ? order.back().rank + 1 : 0;
      const auto equals = std::equal_range(other.begin(), other.end(), mine[i], compare);
      order.push_back({of_b, static_cast<int>(i), rank, rank < equals.second - equals.first});
    }
  };
  add(false, a, b);
  add(true, b, a);
  const auto key = [&](const path_element& x) { return x.of_b ? b[x.place] : a[x.place]; };
  std::sort(order.begin(), order.end(), [&](const path_element& x, const path_element& y) {
    if (compare(key(x), key(y))) return true;
    if (compare(key(y), key(x))) return false;
    if (x.rank != y.rank) return x.rank < y.rank;
    return x.of_b < y.of_b;
  });
  return order;
}

}  // namespace test
