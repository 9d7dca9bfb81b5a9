// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Elements that cannot be copied as bytes.
#include "support/movable.h"
#include "support/iterators.h"

#include <deque>

namespace {

using namespace test;

sorting<int> sorted(const std::vector<int>& numbers) {
  return {numbers, one_segment(static_cast<offset>(numbers.size())), cuda::std::less<>{}};
}

struct by_string {
  template <class Row>
  bool operator()(const Row& x, const Row& y) const {
    return thrust::get<0>(x) < thrust::get<0>(y);
  }
};

}  // namespace

TEST_CASE("strings, and elements that can only be moved") { check_movable_arrays<local>(sorted); }

TEST_CASE("statistics of a sort of strings") {
  const auto numbers = numbers_with_ties(30'000);
  for_each_executor([&](auto executor) {
    auto keys = made_of<std::string>(numbers);
    mgpu::sort_statistics statistics;
    statistics.tiles = -5;
    mgpu::locality_sort(executor.policy(), keys.begin(), keys.end(), cuda::std::less<>{}, statistics);
    CHECK(std::is_sorted(keys.begin(), keys.end()));
    CHECK(statistics.tiles > 1);
    CHECK(!statistics.passes.empty());
    mgpu::locality_sort(executor.policy(), keys.begin(), keys.begin(), cuda::std::less<>{}, statistics);
    CHECK(statistics.tiles == 0);
  });
}

TEST_CASE("iterators that are not contiguous: of a deque, and a zip of strings and numbers") {
  const sorting<int> s = sorted(numbers_with_ties(10'000));
  for_each_executor([&](auto executor) {
    auto moved = made_of<only_moved>(s.keys);
    std::deque<only_moved> keys(std::make_move_iterator(moved.begin()), std::make_move_iterator(moved.end()));
    mgpu::locality_sort(executor.policy(), keys.begin(), keys.end());
    CHECK(std::is_sorted(keys.begin(), keys.end()));
    CHECK(keys.back().number() == *std::max_element(s.keys.begin(), s.keys.end()));

    auto strings = made_of<std::string>(s.keys);
    auto rows = numbers_below(s.keys.size());
    const auto first = zip(strings.begin(), rows.begin());
    mgpu::locality_sort(executor.policy(), first, first + static_cast<offset>(rows.size()), by_string{});
    CHECK(numbers_of(strings) == s.in_order(s.keys));
    CHECK(rows == s.order);
  });
}
