// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// merge_runs_by_key over key and value types. Values number the elements: they tell whether equal keys keep their
// order.
#include "check_merge_runs.h"

namespace {

using namespace test;

template <class Key, class Value, bool is_separate = false>
struct types {
  using key = Key;
  using value = Value;
  static constexpr bool separate = is_separate;
};

template <class Types>
void check(int runs, int count, division d, layout l, int number) {
  std::mt19937 random(static_cast<unsigned>(number));
  const auto offsets = divided(d, runs, count, random);
  const auto keys = keys_of_runs<typename Types::key>(l, offsets, random);
  std::vector<typename Types::value> values;
  for (int i = 0; i < count; ++i) values.push_back(make_value<typename Types::value>(i));
  for_each_executor([&](auto executor) {
    INFO(executor.name, ", ", runs, " runs, ", count, " elements, division ", static_cast<int>(d), ", layout ",
         static_cast<int>(l), ", number ", number);
    check_merge_runs_by_key<Types::separate>(executor, keys, values, offsets, cuda::std::less<>{}, number);
  });
}

}  // namespace

TEST_CASE_TEMPLATE("merge_runs_by_key", Types, types<std::uint32_t, std::uint32_t>, types<float, std::uint64_t, true>,
                   types<std::int64_t, value_bytes<12>>, types<std::int16_t, value_bytes<64>, true>,
                   types<key32, std::uint16_t>) {
  const int tile = runs_tile<typename Types::key, typename Types::value>();
  int number = 0;
  for (const int runs : {1, 2, 3, 7, 8, 9, 31, 33, 64, 65, 300}) {
    for (const int count : {0, 1, 100, tile - 1, tile + 1, 3 * tile + 17}) {
      ++number;
      if (takes_few_cases() && number % 7 != 0) continue;
      check<Types>(runs, count, all_divisions[number % 6], all_layouts[(number + 2) % 7], number);
    }
  }
  for (const layout l : all_layouts) {
    if (takes_few_cases() && ++number % 3 != 0) continue;
    check<Types>(8, 2 * tile + 333, division::random, l, ++number);
    check<Types>(widest_pass + 5, 2 * tile + 333, division::random, l, ++number);
  }
}

/// Keys or values that cannot be copied as bytes: passes merge the elements' positions.
TEST_CASE_TEMPLATE("elements that only their own copies move", Types, types<copied, std::uint8_t>,
                   types<copied, std::uint32_t, true>) {
  int number = 0;
  for (const int runs : {2, 5, widest_pass, widest_pass + 1, 40 * widest_pass}) {
    for (const int count : {1, 1000, 70'000}) {
      if (takes_few_cases() && ++number % 4 != 0) continue;
      check<Types>(runs, count, all_divisions[++number % 6], all_layouts[number % 7], number);
    }
  }
}
