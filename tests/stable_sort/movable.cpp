// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Elements that cannot be copied as bytes.
#include "support/movable.h"
#include "check_stable_sort.h"

#include <utility>

namespace {

using namespace test;

sorting<int> sorted(const std::vector<int>& numbers) {
  return {numbers, one_segment(static_cast<offset>(numbers.size())), cuda::std::less<>{}};
}

}  // namespace

TEST_CASE("strings, and elements that can only be moved") { check_movable_arrays<stable_whole>(sorted); }

TEST_CASE("numbers with strings as values, and pairs of the standard library") {
  const sorting<int> s = sorted(numbers_with_ties(10'000));
  for_each_executor([&](auto executor) {
    check_movable<stable_whole, int, std::string>(executor, s, whole_array);
    std::vector<std::pair<int, std::string>> pairs;
    for (const int number : s.keys) pairs.emplace_back(number, std::to_string(number));
    mgpu::stable_sort(executor.policy(), pairs.begin(), pairs.end());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const int expected = s.keys[static_cast<std::size_t>(s.order[i])];
      if (pairs[i].first != expected || pairs[i].second != std::to_string(expected)) FAIL_CHECK("at ", i);
    }
  });
}
