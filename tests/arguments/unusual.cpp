// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys that cannot be copied or assigned, where only outputs take them; and iterators that say too much of themselves.
#include "support/executors.h"

#include <doctest/doctest.h>

#include <mgpu/mgpu.h>

#include <thrust/iterator/transform_output_iterator.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <vector>

namespace {

using namespace test;

struct number_of {
  template <class T>
  int operator()(const T& x) const {
    return *x;
  }
};
struct by_number {
  template <class T>
  bool operator()(const T& x, const T& y) const {
    return *x < *y;
  }
};

/// Trivially copyable, but nothing can be assigned to it.
struct fixed {
  const int number;
  int operator*() const { return number; }
};

template <class Key, class Make>
std::vector<Key> keys_from(int first, int last, int step, const Make& make) {
  std::vector<Key> keys;
  for (int i = first; i < last; i += step) keys.push_back(make(i));
  return keys;
}

template <class Key, class Policy, class Make>
void check_keys(const Policy& p, const Make& make) {
  const auto a = keys_from<Key>(0, 3000, 2, make), b = keys_from<Key>(0, 3000, 3, make);
  std::vector<int> in_a(a.size()), in_b(b.size()), expected, found(a.size() + b.size());
  std::transform(a.begin(), a.end(), in_a.begin(), number_of{});
  std::transform(b.begin(), b.end(), in_b.begin(), number_of{});
  const auto out = thrust::make_transform_output_iterator(found.begin(), number_of{});
  const auto check = [&](const auto& call, auto algorithm) {
    expected.clear();
    algorithm(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(), std::back_inserter(expected));
    std::fill(found.begin(), found.end(), -1);
    CHECK(call() - out == static_cast<offset>(expected.size()));
    CHECK(std::equal(expected.begin(), expected.end(), found.begin()));
  };
  const auto std_merge = [](auto... x) { return std::merge(x...); };
  check([&] { return mgpu::merge(p, a.begin(), a.end(), b.begin(), b.end(), out, by_number{}); }, std_merge);
  check([&] { return mgpu::set_intersection(p, a.begin(), a.end(), b.begin(), b.end(), out, by_number{}); },
        [](auto... x) { return std::set_intersection(x...); });
  check([&] { return mgpu::set_difference(p, a.begin(), a.end(), b.begin(), b.end(), out, by_number{}); },
        [](auto... x) { return std::set_difference(x...); });

  // Two runs, a few, and so many that those of other keys would be sorted.
  for (const int runs : {2, 7, 100, 3000}) {
    std::vector<Key> all;
    std::vector<offset> offsets{0};
    for (int r = 0; r < runs; ++r) {
      for (int i = r; i < 3000; i += runs) all.push_back(make(i));
      offsets.push_back(static_cast<offset>(all.size()));
    }
    found.assign(all.size(), -1);
    expected.resize(all.size());
    std::iota(expected.begin(), expected.end(), 0);
    mgpu::merge_runs(p, all.begin(), all.end(), mgpu::run_offsets(offsets.begin(), offset{runs}),
                     thrust::make_transform_output_iterator(found.begin(), number_of{}), by_number{});
    CHECK(found == expected);
  }
}

}  // namespace

TEST_CASE("keys that cannot be copied") {
  for_each_executor([](auto executor) {
    check_keys<std::unique_ptr<int>>(executor.policy(), [](int i) { return std::make_unique<int>(i); });
  });
}
TEST_CASE("keys that cannot be assigned") {
  for_each_executor([](auto executor) { check_keys<fixed>(executor.policy(), [](int i) { return fixed{i}; }); });
}

TEST_CASE("set operations of what reverse iterators give, also in place") {
  for_each_executor([](auto executor) {
    const auto& p = executor.policy();
    for (const int count : {7, 300'000}) {
      const auto size = static_cast<std::size_t>(count);
      std::vector<int> a(size), b(size / 2), expected;
      std::iota(a.begin(), a.end(), 0);
      for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<int>(3 * i);
      std::set_difference(a.rbegin(), a.rend(), b.rbegin(), b.rend(), std::back_inserter(expected), std::greater<>{});
      std::deque<int> other(size);
      const auto end =
          mgpu::set_difference(p, a.crbegin(), a.crend(), b.rbegin(), b.rend(), other.rbegin(), std::greater<>{});
      CHECK(std::equal(other.rbegin(), end, expected.begin(), expected.end()));
      const auto own_end =
          mgpu::set_difference(p, a.crbegin(), a.crend(), b.rbegin(), b.rend(), a.rbegin(), std::greater<>{});
      CHECK(std::equal(a.rbegin(), own_end, expected.begin(), expected.end()));
    }
  });
}
