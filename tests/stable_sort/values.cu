// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// stable_sort_by_key of numbers with values of any size, which are moved as words.
#include "check_stable_sort.h"
#include "support/sort_checks.h"

namespace {

using namespace test;

/// A value of two words that needs no default constructor.
struct no_default {
  double x, y;
  explicit no_default(int number) : x(number), y(-number) {}
};

}  // namespace

TEST_CASE_TEMPLATE("values of any size", Value, std::uint16_t,
                   value_bytes<12> MGPU_TEST_MORE(std::uint64_t, value_bytes<40>)) {
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

TEST_CASE("keys over 1 KiB, of which a tile of the GPU has no room") {
  std::mt19937 random(23);
  for (const int size : {1, 700, 5'000}) {
    const auto ranks = disordered_ranks(disorder::random, size, size, random);
    check_stable_keys(keys_of_ranks<wide_key<1040>>(ranks), cuda::std::less<>{});
  }
}
