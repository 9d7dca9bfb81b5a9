// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// merge_runs over numbers of runs around the widths of passes, divisions among runs, sizes around the tile's and
// misaligned ranges. Other types stand in types.cu and by_key.cu.
#include "check_merge_runs.h"

using namespace test;

TEST_CASE_TEMPLATE("merge_runs", Types, runs_types<std::uint32_t>, runs_types<std::uint8_t, void, true>,
                   runs_types<key12, void, true>) {
  check_all_runs<Types>();
}

TEST_CASE_TEMPLATE("thousands of runs, long and short ones", Types, runs_types<std::uint32_t>,
                   runs_types<key12, void, true>) {
  for (const int runs : {1000, 1024, 1025, 40'000, 100'000}) {
    for (const int count : {runs / 2, 5 * runs, 70 * runs}) {
      if (count > (takes_few_cases() ? 100'000 : has_large_arrays ? 3'000'000 : 1'000'000)) continue;
      for (const division d : {division::equal, division::random, division::one_half}) {
        check_runs<Types>(runs, count, d, all_layouts[runs % 7], runs + count);
      }
    }
  }
}

/// Where a call takes its splits from a launch of their own.
TEST_CASE("sizes beyond a single launch") {
  using types = runs_types<std::uint32_t>;
  const int count = first_executor::items_beyond_single_launch<runs_core_of<8, std::uint32_t, void>::type>();
  check_runs<types>(8, count, division::random, layout::random, 1);
  if (takes_few_cases()) return;
  check_runs<types>(8, count, division::one_half, layout::few_keys, 2);
  check_runs<types>(widest_pass, count, division::equal, layout::stretches, 3);
  check_runs<types>(3 * widest_pass, count, division::random, layout::random, 4);
  check_runs<types>(2, count, division::random, layout::random, 5);
}

/// A quarter, a half and the whole of a tile: fewer elements have smaller ones.
TEST_CASE("tiles of all sizes") {
  const int count = first_executor::items_beyond_single_launch<runs_core_of<8, std::uint32_t, void>::type>();
  int number = 0;
  for (const int part : {20, 6, 3}) {
    for (const int runs : {3, 8, widest_pass}) {
      if (takes_few_cases() && number % 4 != 0) continue;
      check_runs<runs_types<std::uint32_t>>(runs, count / part, all_divisions[number % 6], all_layouts[number % 7],
                                            number);
      ++number;
    }
  }
}

TEST_CASE("no runs of no elements") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    check_merge_runs<false>(executor, std::vector<std::uint32_t>{}, {0}, cuda::std::less<>{});
    check_merge_runs<true>(executor, std::vector<std::uint8_t>{}, {0}, cuda::std::less<>{});
  });
}
