// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// merge_runs and merge_runs_by_key over types that are moved otherwise: large ones, opaque ones, and those that only
// their own copies move.
#include "check_merge_runs.h"

using namespace test;

TEST_CASE_TEMPLATE("merge_runs of other types", Types,
                   runs_types<key32, value_bytes<64>, true> MGPU_TEST_MORE(
                       runs_types<double>, runs_types<opaque, void, false, less_opaque>)) {
  check_all_runs<Types>();
}

/// Numbers that no shuffle takes.
TEST_CASE("integers of 16 bytes") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    std::mt19937_64 random(7);
    for (const int runs : {3, widest_pass}) {
      std::vector<wide_integer> keys;
      std::vector<offset> offsets{0};
      for (int run = 0; run < runs; ++run) {
        const auto begin = keys.size();
        for (int i = 0; i < 60'000 / runs + run; ++i) {
          const auto high = static_cast<wide_integer>(random() >> 1), low = static_cast<wide_integer>(random());
          keys.push_back((high << 64) + low - (wide_integer{1} << 126));
        }
        std::sort(keys.begin() + static_cast<std::ptrdiff_t>(begin), keys.end());
        offsets.push_back(static_cast<offset>(keys.size()));
      }
      const input<executor_type, wide_integer> in(keys);
      const input<executor_type, offset> bounds(offsets);
      const output<executor_type, wide_integer> out(static_cast<offset>(keys.size()));
      mgpu::merge_runs(executor.policy(), in.begin(), in.end(), mgpu::run_offsets(bounds.begin(), runs), out.begin());
      std::sort(keys.begin(), keys.end());
      CHECK(out.first_difference(keys) == -1);
    }
  });
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
