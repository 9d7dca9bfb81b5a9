// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// merge_runs over element types, numbers of runs around the widths of passes, divisions among runs, sizes around the
// tile's and misaligned ranges.
#include "check_merge_runs.h"

namespace {

using namespace test;

/// A key type, whether the runs are arrays of their own, and the order of the keys.
template <class Key, bool is_separate = false, class Compare = cuda::std::less<>>
struct types {
  using key = Key;
  using compare = Compare;
  static constexpr bool separate = is_separate;
};

template <class Types>
void check(int runs, int count, division d, layout l, int number) {
  std::mt19937 random(static_cast<unsigned>(number));
  const auto offsets = divided(d, runs, count, random);
  const auto keys = keys_of_runs<typename Types::key>(l, offsets, random);
  for_each_executor([&](auto executor) {
    INFO(executor.name, ", ", runs, " runs, ", count, " elements, division ", static_cast<int>(d), ", layout ",
         static_cast<int>(l), ", number ", number);
    check_merge_runs<Types::separate>(executor, keys, offsets, typename Types::compare{}, number);
  });
}

}  // namespace

TEST_CASE_TEMPLATE("merge_runs", Types, types<std::uint32_t>, types<std::uint8_t, true>, types<double>,
                   types<key12, true>, types<opaque, false, less_opaque>) {
  const int tile = runs_tile<typename Types::key, void>();
  int number = 0;
  for (const int runs : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, 200}) {
    for (const int count : {0, 1, 33, 1000, tile - 1, tile, tile + 1, 3 * tile + 17}) {
      ++number;
      if (takes_few_cases() && number % 7 != 0) continue;
      check<Types>(runs, count, all_divisions[number % 6], all_layouts[number % 7], number);
    }
  }
  for (const division d : all_divisions) {
    for (const layout l : all_layouts) {
      if (takes_few_cases() && ++number % 9 != 0) continue;
      check<Types>(8, 2 * tile + 333, d, l, ++number);
      check<Types>(widest_pass + 5, 2 * tile + 333, d, l, ++number);
    }
  }
}

TEST_CASE_TEMPLATE("thousands of runs, long and short ones", Types, types<std::uint32_t>, types<key12, true>) {
  for (const int runs : {1000, 1024, 1025, 40'000, 100'000}) {
    for (const int count : {runs / 2, 5 * runs, 70 * runs}) {
      if (count > 3'000'000 || (takes_few_cases() && count > 100'000)) continue;
      for (const division d : {division::equal, division::random, division::one_half}) {
        check<Types>(runs, count, d, all_layouts[runs % 7], runs + count);
      }
    }
  }
}

/// Where a call takes its splits from a launch of their own.
TEST_CASE("sizes beyond a single launch") {
  using core = runs_core_of<8, std::uint32_t, void>::type;
  const int count = first_executor::items_beyond_single_launch<core>();
  check<types<std::uint32_t>>(8, count, division::random, layout::random, 1);
  if (takes_few_cases()) return;
  check<types<std::uint32_t>>(8, count, division::one_half, layout::few_keys, 2);
  check<types<std::uint32_t>>(widest_pass, count, division::equal, layout::stretches, 3);
  check<types<std::uint32_t>>(3 * widest_pass, count, division::random, layout::random, 4);
  check<types<std::uint32_t>>(2, count, division::random, layout::random, 5);
}

TEST_CASE("no runs of no elements") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    check_merge_runs<false>(executor, std::vector<int>{}, {0}, cuda::std::less<>{});
    check_merge_runs<true>(executor, std::vector<int>{}, {0}, cuda::std::less<>{});
  });
}
