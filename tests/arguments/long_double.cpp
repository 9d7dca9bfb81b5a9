// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys of long double: 16 bytes, of which six belong to no number and may be anything. They are compared as numbers.
#include "support/executors.h"

#include <doctest/doctest.h>

#include <mgpu/mgpu.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

namespace {

using namespace test;
using keys = std::vector<long double>;

/// Numbers that no double holds, with many ties and zeros of both signs.
keys random_keys(int count, unsigned seed) {
  std::mt19937 random(seed);
  keys x(static_cast<std::size_t>(count));
  for (auto& key : x) {
    key = static_cast<long double>(random() % 5000) - 2500;
    if (random() % 2 == 0) key = random() % 2 == 0 ? -0.0L : key + 0x1p-50L;
  }
  return x;
}
keys sorted_keys(int count, unsigned seed) {
  auto x = random_keys(count, seed);
  std::stable_sort(x.begin(), x.end());
  return x;
}

/// Each size once, alone and in several tiles.
constexpr int sizes[] = {1, 1000, 200'000};

}  // namespace

TEST_CASE("sorts of long double") {
  for_each_executor([](auto executor) {
    const auto& p = executor.policy();
    for (const int size : sizes) {
      const auto unsorted = random_keys(size, 1);
      auto ascending = unsorted, descending = unsorted;
      std::stable_sort(ascending.begin(), ascending.end());
      std::stable_sort(descending.begin(), descending.end(), std::greater<>{});
      const auto check = [&](const keys& expected, const auto& sort) {
        auto x = unsorted;
        std::vector<int> numbers(x.size());
        std::iota(numbers.begin(), numbers.end(), 0);
        sort(x, numbers);
        CHECK(x == expected);
        CHECK(std::equal(numbers.begin(), numbers.end(), x.begin(),
                         [&](int i, long double key) { return unsorted[static_cast<std::size_t>(i)] == key; }));
      };
      const std::vector<int> offsets{0, size};
      const mgpu::segment_offsets whole(offsets.begin(), 1);
      check(ascending, [&](auto& x, auto& v) { mgpu::stable_sort_by_key(p, x.begin(), x.end(), v.begin()); });
      check(descending, [&](auto& x, auto& v) {
        mgpu::locality_sort_by_key(p, x.begin(), x.end(), v.begin(), std::greater<long double>{});
      });
      check(ascending, [&](auto& x, auto& v) {
        mgpu::odd_even_merge_sort_by_key(p, x.begin(), x.end(), v.begin(), std::less<>{});
      });
      check(descending, [&](auto& x, auto& v) {
        mgpu::segmented_sort_by_key(p, x.begin(), x.end(), v.begin(), whole, cuda::std::greater<>{});
      });
    }
  });
}

TEST_CASE("merges and set operations of long double") {
  for_each_executor([](auto executor) {
    const auto& p = executor.policy();
    for (const int size : sizes) {
      const auto a = sorted_keys(size, 2), b = sorted_keys(size / 2 + 3, 3);
      const auto check = [&](const auto& call, const auto& of_std) {
        keys found(a.size() + b.size()), expected(a.size() + b.size());
        found.erase(call(found.begin()), found.end());
        expected.erase(of_std(expected.begin()), expected.end());
        CHECK(found == expected);
      };
#define CHECK_CALL(function)                                                                      \
  check([&](auto out) { return mgpu::function(p, a.begin(), a.end(), b.begin(), b.end(), out); }, \
        [&](auto out) { return std::function(a.begin(), a.end(), b.begin(), b.end(), out); })
      CHECK_CALL(merge);
      CHECK_CALL(set_union);
      CHECK_CALL(set_intersection);
      CHECK_CALL(set_difference);
      CHECK_CALL(set_symmetric_difference);
#undef CHECK_CALL
    }
  });
}

TEST_CASE("runs, searches and joins of long double") {
  for_each_executor([](auto executor) {
    const auto& p = executor.policy();
    for (const int size : sizes) {
      keys runs;
      std::vector<offset> offsets{0};
      for (unsigned run = 0; run < 5; ++run) {
        const auto x = sorted_keys(size / 5 + 1, 10 + run);
        runs.insert(runs.end(), x.begin(), x.end());
        offsets.push_back(static_cast<offset>(runs.size()));
      }
      auto merged = runs;
      mgpu::merge_runs(p, runs.begin(), runs.end(), mgpu::run_offsets(offsets.begin(), 5), merged.begin());
      std::sort(runs.begin(), runs.end());
      CHECK(merged == runs);

      const auto a = sorted_keys(size, 4), b = sorted_keys(size / 2 + 3, 5);
      std::vector<offset> found(a.size()), expected;
      for (const auto key : a) expected.push_back(std::upper_bound(b.begin(), b.end(), key) - b.begin());
      mgpu::upper_bound_sorted_values(p, b.begin(), b.end(), a.begin(), a.end(), found.begin());
      CHECK(found == expected);

      std::vector<offset> rows(a.size()), known;
      for (std::size_t i = 0; i < a.size(); ++i)
        if (std::binary_search(b.begin(), b.end(), a[i])) known.push_back(static_cast<offset>(i));
      rows.erase(mgpu::semi_join(p, a.begin(), a.end(), b.begin(), b.end(), rows.begin()), rows.end());
      CHECK(rows == known);
    }
  });
}
