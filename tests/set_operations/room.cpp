// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Outputs with less room than the result needs, as parts of an operation over ranks have them: what fits is written and
// nothing else. Inputs that are disjoint, which the CPU copies, and others.
#include "set_patterns.h"
#include "support/executors.h"

#include <doctest/doctest.h>

#include <mgpu/plan/set_operation.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace {

using namespace test;

std::vector<int> numbers(int first, int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), first);
  return all;
}

template <class Operation, class Algorithm>
void check_room(const std::vector<int>& a, const std::vector<int>& b, const Algorithm& algorithm) {
  std::vector<int> expected;
  algorithm(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
  const auto most = static_cast<offset>(a.size() + b.size()), size = static_cast<offset>(expected.size());
  for_each_executor([&](auto executor) {
    for (const offset room : {offset{0}, offset{1}, size / 3, size - 1, size, size + 1, most}) {
      if (room < 0) continue;
      std::vector<int> keys(static_cast<std::size_t>(most + 1), -1), values = keys;
      const mgpu::detail::plan::set_inputs in{a.data(), a.data() + a.size(), b.data(), b.data() + b.size(), a.data(),
                                              b.data()};
      const mgpu::detail::plan::set_outputs out{keys.data(), values.data(), room};
      const auto ends = mgpu::detail::plan::set_operation<Operation>(executor.policy(), in, out, cuda::std::less<>{});
      const offset written = std::min(room, size);
      INFO(executor.name, ", room for ", room, " of ", size);
      CHECK(ends.first - keys.data() == written);
      for (const auto& found : {keys, values}) {
        CHECK(std::equal(expected.begin(), expected.begin() + written, found.begin()));
        CHECK(std::count(found.begin() + written, found.end(), -1) == most + 1 - written);
      }
    }
  });
}

}  // namespace

TEST_CASE("an output with less room than the result gets what fits") {
  for (const int count : {5, 3000, 200'000}) {
    const auto low = numbers(0, count), high = numbers(count, count / 2 + 1), middle = numbers(count / 2, count);
    for (const auto& [a, b] : {std::pair{low, high}, std::pair{high, low}, std::pair{low, middle}}) {
      check_room<mgpu::detail::tile::set_union>(a, b, [](auto... x) { return std::set_union(x...); });
      check_room<mgpu::detail::tile::set_difference>(a, b, [](auto... x) { return std::set_difference(x...); });
      check_room<mgpu::detail::tile::set_symmetric_difference>(
          a, b, [](auto... x) { return std::set_symmetric_difference(x...); });
      check_room<mgpu::detail::tile::set_intersection>(a, b, [](auto... x) { return std::set_intersection(x...); });
    }
  }
}
