// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sorted runs in containers, for the tests of iterators.

#include "check_merge_runs.h"
#include "support/iterators.h"
#include "support/vectors.h"

#include <thrust/iterator/counting_iterator.h>

namespace test {

/// Sorted runs with numbered values, in the executor's memory and here.
struct runs_data {
  std::vector<offset> offsets;
  std::vector<int> keys, order;
  vector<offset> offsets_in;
  vector<int> keys_in, numbers_in;

  runs_data(int runs, int count, layout l) {
    std::mt19937 random(static_cast<unsigned>(count + runs));
    offsets = divided(division::random, runs, count, random);
    keys = ranks_of_runs(l, offsets, 60000, random);
    order = merged_runs_order(keys, std::less<>{});
    offsets_in = to_vector(offsets);
    keys_in = to_vector(keys);
    numbers_in.resize(keys.size());
    thrust::copy_n(thrust::counting_iterator<int>(0), count, numbers_in.begin());
  }
  std::size_t count() const { return keys.size(); }
  offset runs() const { return static_cast<offset>(offsets.size()) - 1; }
  auto cut() const { return mgpu::run_offsets(offsets_in.begin(), runs()); }
  std::vector<int> merged() const { return in_order_of(order, keys); }
};

/// Calls f(policy, data) for every executor, for one pass, several, and a sort.
template <class F>
void for_each_runs_data(const F& f) {
  for_each_executor([&](auto executor) {
    for (const auto l : {layout::random, layout::few_keys}) {
      for (const int runs : {2, 7, 2 * widest_pass, 1000}) {
        for (const int count : {0, 9, 30'000}) {
          INFO(executor.name, ", ", runs, " runs, ", count, " elements");
          f(executor.policy(), runs_data(runs, count, l));
        }
      }
    }
  });
}

}  // namespace test
