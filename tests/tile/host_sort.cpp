// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/tile/host_sort.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace {

using mgpu::offset;

/// A key that is only compared by its high part, wider than what a merge keeps in registers.
struct wide_key {
  int high;
  int low[7];
};

struct less_high {
  bool operator()(const wide_key& x, const wide_key& y) const { return x.high < y.high; }
  bool operator()(int x, int y) const { return x / 2 < y / 2; }
};

int number_of(int key) { return key; }
int number_of(const wide_key& key) { return key.high; }

template <class Key, class Make>
void check(offset count, const Make& make) {
  constexpr offset margin = 3;
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<Key> keys(static_cast<std::size_t>(count + 2 * margin)), scratch(keys.size());
  for (Key& key : keys) key = make(static_cast<int>(random() % 50));
  std::vector<int> values(keys.size()), scratch_values(keys.size());
  std::iota(values.begin(), values.end(), 0);
  std::vector<int> order = values;
  std::stable_sort(order.begin() + margin, order.end() - margin, [&](int i, int j) {
    return less_high{}(keys[static_cast<std::size_t>(i)], keys[static_cast<std::size_t>(j)]);
  });
  const std::vector<Key> before = keys;
  auto alone = keys;
  const less_high compare;
  mgpu::tile::host_sort<Key, int, true, less_high>{
      {keys.data(), scratch.data()}, {values.data(), scratch_values.data()}, compare}
      .run(margin, margin + count);
  mgpu::tile::host_sort<Key, int, false, less_high>{{alone.data(), scratch.data()}, {nullptr, nullptr}, compare}.run(
      margin, margin + count);
  CHECK(values == order);
  bool right = true;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const int expected = number_of(before[static_cast<std::size_t>(order[i])]);
    right = right && number_of(keys[i]) == expected && number_of(alone[i]) == expected;
  }
  CHECK(right);
}

}  // namespace

TEST_CASE("host_sort sorts stably what it is given, and no more") {
  for (offset count = 0; count < 700; count += count < 120 ? 1 : 29) {
    check<int>(count, [](int x) { return x; });
    check<wide_key>(count, [](int x) { return wide_key{x, {}}; });
  }
  check<int>(100'003, [](int x) { return x; });
}
