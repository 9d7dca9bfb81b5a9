// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// stable_sort of what a radix sort takes with values of any size, and of what only a merge sort takes: structs,
// comparators, iterators.
#include "check_stable_sort.h"
#include "support/orders.h"

#include <thrust/device_vector.h>
#include <thrust/iterator/reverse_iterator.h>

namespace {

using namespace test;

/// A value of two words that needs no default constructor.
struct no_default {
  double x, y;
  explicit no_default(int number) : x(number), y(-number) {}
};

}  // namespace

TEST_CASE_TEMPLATE("values of any size", Value, std::uint8_t, std::uint16_t, double, value_bytes<12>, value_bytes<40>) {
  std::mt19937 random(21);
  for (const int size : stable_sort_sizes()) {
    INFO(size, " pairs");
    auto keys = keys_of_bits<std::uint32_t>(size, random);
    for (auto& key : keys) key = key % 1000 << 20;
    check_stable_pairs<Value>(keys, cuda::std::less<>{});
  }
}

TEST_CASE("values without a default constructor") {
  std::mt19937 random(22);
  const auto keys = keys_of_bits<std::uint32_t>(30'000, random);
  const sorting<std::uint32_t> s(keys, one_segment(30'000), cuda::std::less<>{});
  std::vector<no_default> values;
  for (int i = 0; i < 30'000; ++i) values.emplace_back(i);
  for_each_executor(
      [&](auto executor) { check_pairs<stable_whole>(executor, s, values, whole_array, cuda::std::less<>{}); });
}

TEST_CASE("keys that are structs, and comparators of the caller") {
  std::mt19937 random(23);
  for (const int size : {1, 3000, 90'001}) {
    std::vector<key12> keys;
    for (int i = 0; i < size; ++i) keys.push_back(make_key<key12>(static_cast<int>(random() % 5000), i));
    check_stable_pairs<int>(keys, cuda::std::less<>{});
    const auto numbers = keys_of_bits<int>(size, random);
    check_stable_keys(numbers, less_shifted(77, 0.25));
    check_stable_pairs<int>(numbers, test::greater{});
  }
}

TEST_CASE("iterators that are not contiguous, and none at all") {
  std::mt19937 random(24);
  const auto keys = keys_of_bits<int>(50'000, random);
  auto backwards = keys;
  std::sort(backwards.begin(), backwards.end(), std::greater<>{});
  for_each_executor([&](auto executor) {
    INFO(executor.name);
    const sorted_array sorted(executor, keys);
    mgpu::stable_sort(executor.policy(), thrust::make_reverse_iterator(sorted.end()),
                      thrust::make_reverse_iterator(sorted.begin()));
    CHECK(sorted.holds(backwards));
    int* const none = nullptr;
    mgpu::stable_sort(executor.policy(), none, none);
    mgpu::stable_sort_by_key(executor.policy(), none, none, none);
  });
}

TEST_CASE("what is wrong with arguments is thrown, and the array is unchanged") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    const std::vector<int> unsorted{3, 1, 2};
    const sorted_array keys(executor, unsorted);
    int* const none = nullptr;
    CHECK_THROWS_AS(mgpu::stable_sort(executor.policy(), keys.end(), keys.begin()), std::invalid_argument);
    CHECK_THROWS_AS(mgpu::stable_sort(executor.policy(), none, none + 3), std::invalid_argument);
    CHECK_THROWS_AS(mgpu::stable_sort_by_key(executor.policy(), keys.begin(), keys.end(), none), std::invalid_argument);
    CHECK(keys.holds(unsorted));
  });
}
