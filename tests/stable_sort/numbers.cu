// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// stable_sort of integers of every width and sign, by the orders that a radix sort has: every bit of every key counts.
#include "check_stable_sort.h"

namespace {

using namespace test;

}  // namespace

TEST_CASE_TEMPLATE("integers of every width", Key, signed char, unsigned long long MGPU_TEST_MORE(std::uint16_t, int)) {
  std::mt19937 random(sizeof(Key));
  for (const int size : stable_sort_sizes()) {
    INFO(size, " keys");
    const auto keys = keys_of_bits<Key>(size, random);
    check_stable_keys(keys, cuda::std::less<>{});
    check_stable_pairs<int>(keys, cuda::std::greater<Key>{});
  }
}

TEST_CASE("few different keys keep the order of their values") {
  std::mt19937 random(5);
  for (const int different : {1, 2, 7}) {
    for (const int size : stable_sort_sizes()) {
      std::vector<int> keys(static_cast<std::size_t>(size));
      for (int& key : keys) key = static_cast<int>(random() % static_cast<unsigned>(different)) - 1;
      check_stable_pairs<int>(keys, cuda::std::greater<int>{});
    }
  }
}

TEST_CASE("keys that the common orders sort have many names") {
  std::mt19937 random(6);
  const auto keys = keys_of_bits<int>(20'000, random);
  check_stable_keys(keys, std::less<>{});
  check_stable_keys(keys, std::less<int>{});
  check_stable_keys(keys, cuda::std::less<int>{});
  // Of another type than the keys: an order of what they become.
  const auto wide = keys_of_bits<unsigned long long>(20'000, random);
  check_stable_pairs<int>(wide, cuda::std::greater<signed char>{});
}
