// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// stable_sort of what only a merge sort takes: structs, comparators, iterators; and arguments.
#include "check_stable_sort.h"
#include "support/orders.h"

#include <thrust/device_vector.h>
#include <thrust/iterator/reverse_iterator.h>

using namespace test;

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
