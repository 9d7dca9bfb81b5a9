// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// merge_runs_by_key over key and value types. Values number the elements: they tell whether equal keys keep their
// order.
#include "check_merge_runs.h"

using namespace test;

TEST_CASE_TEMPLATE("merge_runs_by_key", Types, runs_types<std::uint32_t, std::uint32_t>,
                   runs_types<float, std::uint64_t, true>, runs_types<std::int64_t, value_bytes<12>>) {
  check_all_runs<Types>();
}
