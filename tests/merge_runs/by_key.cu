// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// merge_runs_by_key over key and value types. Values number the elements: they tell whether equal keys keep their
// order.
#include "check_merge_runs.h"

using namespace test;

TEST_CASE_TEMPLATE("merge_runs_by_key", Types,
                   runs_types<float, std::uint64_t, true> MGPU_TEST_MORE(runs_types<std::uint32_t, std::uint32_t>,
                                                                         runs_types<std::int64_t, value_bytes<12>>)) {
  check_all_runs<Types>();
}

/// Where a tile's parts of the runs meet in a 16-byte word of shared memory, no bulk copy may bring them.
template <class Types>
void check_parts_that_meet() {
  int number = 0;
  for (const int runs : {3, widest_pass, 2 * widest_pass}) {
    for (const int count : {30'000, 70'000}) {
      ++number;
      check_runs<Types>(runs, count, all_divisions[number % 6], all_layouts[number % 7], number);
    }
  }
}

TEST_CASE("wide keys with small values") {
  check_parts_that_meet<runs_types<key16, std::uint32_t>>();
  if constexpr (has_more_kinds) check_parts_that_meet<runs_types<key12, std::uint16_t>>();
}
