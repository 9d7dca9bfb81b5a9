// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/base/iterator.h>
#include <mgpu/core/odd_even/merge_sort.h>
#include <mgpu/core/odd_even/pass.h>
#include <mgpu/tile/odd_even_network.h>
#include <mgpu/tile/range.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

using mgpu::offset;
using comparison = std::pair<int, int>;

namespace {

/// The network by the rule of its layers.
std::vector<comparison> comparisons_of(offset count) {
  std::vector<comparison> all;
  for (auto layer = mgpu::detail::tile::first_odd_even_layer; layer.stride() < count || layer.stride_log > 0;
       layer = layer.next()) {
    if (offset{1} << (layer.group_log - 1) >= count) break;
    for (offset i = 0; i + layer.stride() < count; ++i) {
      if (layer.is_left(i)) all.emplace_back(static_cast<int>(i), static_cast<int>(i + layer.stride()));
    }
  }
  return all;
}

/// Remembers what it is asked.
struct recorder {
  std::vector<comparison>* asked;
  bool operator()(int right, int left) const {
    asked->emplace_back(left, right);
    return false;
  }
};

/// Runs all passes, by tiles of so many elements.
template <class Compare>
void run(std::vector<int>& keys, std::vector<int>& values, int tile_items, const Compare& compare) {
  const auto count = static_cast<offset>(keys.size());
  mgpu::detail::core::for_each_odd_even_pass(count, 8, tile_items, [&](const mgpu::detail::core::odd_even_pass& pass) {
    const mgpu::detail::core::odd_even_merge_sort<int*, int*, Compare> core{keys.data(), values.data(), count, pass,
                                                                            compare};
    for (offset tile = 0; tile < pass.tiles(count); ++tile) core.run(mgpu::detail::tile::host_thread{}, tile);
  });
}

}  // namespace

TEST_CASE("the tiles of all passes run each comparison of the network once") {
  for (const int tile_items : {4, 8, 16, 32, 64}) {
    for (int count = 1; count < 300; count += count < 70 ? 1 : 7) {
      std::vector<int> keys, values(static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i) keys.push_back(i);
      std::vector<comparison> asked, expected = comparisons_of(count);
      run(keys, values, tile_items, recorder{&asked});
      std::sort(asked.begin(), asked.end());
      std::sort(expected.begin(), expected.end());
      INFO(count, " elements, tiles of ", tile_items);
      CHECK(asked == expected);
    }
  }
}

TEST_CASE("in the network's order: equal keys are where its layers leave them") {
  std::mt19937 random(61);
  for (const int tile_items : {4, 8, 16, 32, 64}) {
    for (int count = 1; count < 5000; count = count * 5 / 4 + 1) {
      std::vector<int> keys, values;
      for (int i = 0; i < count; ++i) {
        keys.push_back(static_cast<int>(random() % 20));
        values.push_back(i);
      }
      auto expected = keys, expected_values = values;
      for (const auto& [left, right] : comparisons_of(count)) {
        const auto l = static_cast<std::size_t>(left), r = static_cast<std::size_t>(right);
        if (expected[r] >= expected[l]) continue;
        std::swap(expected[l], expected[r]);
        std::swap(expected_values[l], expected_values[r]);
      }
      run(keys, values, tile_items, [](int x, int y) { return x < y; });
      INFO(count, " elements, tiles of ", tile_items);
      CHECK(keys == expected);
      CHECK(values == expected_values);
      CHECK(std::is_sorted(keys.begin(), keys.end()));
    }
  }
}
