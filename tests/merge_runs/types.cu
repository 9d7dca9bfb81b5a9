// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// merge_runs and merge_runs_by_key over types that are moved otherwise: large ones, opaque ones, and those that only
// their own copies move.
#include "check_merge_runs.h"

using namespace test;

TEST_CASE_TEMPLATE("merge_runs of other types", Types, runs_types<double>, runs_types<key32, value_bytes<64>, true>,
                   runs_types<opaque, void, false, less_opaque>) {
  check_all_runs<Types>();
}

/// Passes merge the positions of the elements.
TEST_CASE("elements that only their own copies move") {
  using types = runs_types<copied, std::uint8_t>;
  int number = 0;
  for (const int runs : {2, 5, widest_pass, widest_pass + 1, 40 * widest_pass}) {
    for (const int count : {1, 1000, 70'000}) {
      ++number;
      if (takes_few_cases() && number % 4 != 0) continue;
      check_runs<types>(runs, count, all_divisions[number % 6], all_layouts[number % 7], number);
    }
  }
}
