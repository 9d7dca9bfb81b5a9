// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The examples of the reference: one call of each function of merge and merge of runs; checks its own results.

#include "check.h"

#include <mgpu/merge.h>
#include <mgpu/merge_runs.h>
#include <mgpu/par.h>

namespace {

bool calls_merge() {
  // [snippet: merge]
  const vector<int> a{1, 3, 3, 8}, b{2, 3, 9};
  vector<int> out(7);
  mgpu::merge(mgpu::par, a.begin(), a.end(), b.begin(), b.end(), out.begin());  // 1 2 3 3 3 8 9
  // [end]
  return out == vector<int>{1, 2, 3, 3, 3, 8, 9};
}

bool calls_merge_by_key() {
  // [snippet: merge_by_key]
  const vector<int> a{1, 3}, b{1, 2}, a_values{10, 11}, b_values{20, 21};
  vector<int> keys(4), values(4);
  mgpu::merge_by_key(mgpu::par, a.begin(), a.end(), b.begin(), b.end(), a_values.begin(), b_values.begin(),
                     keys.begin(), values.begin());
  // keys 1 1 2 3, values 10 20 21 11
  // [end]
  return keys == vector<int>{1, 1, 2, 3} && values == vector<int>{10, 20, 21, 11};
}

bool calls_merge_runs() {
  // [snippet: merge_runs]
  const vector<int> keys{4, 7, 9, 1, 4, 2}, offsets{0, 3, 5, 6};  // runs 4 7 9, 1 4 and 2
  vector<int> out(6);
  mgpu::merge_runs(mgpu::par, keys.begin(), keys.end(), mgpu::run_offsets(offsets.begin(), 3),
                   out.begin());  // 1 2 4 4 7 9
  // [end]
  return out == vector<int>{1, 2, 4, 4, 7, 9};
}

bool calls_merge_runs_by_key() {
  // [snippet: merge_runs_by_key]
  const vector<int> keys{4, 7, 1, 4}, values{0, 1, 2, 3}, offsets{0, 2, 4};  // runs 4 7 and 1 4
  vector<int> keys_out(4), values_out(4);
  mgpu::merge_runs_by_key(mgpu::par, keys.begin(), keys.end(), values.begin(), mgpu::run_offsets(offsets.begin(), 2),
                          keys_out.begin(), values_out.begin());  // keys 1 4 4 7, values 2 0 3 1
  // [end]
  return keys_out == vector<int>{1, 4, 4, 7} && values_out == vector<int>{2, 0, 3, 1};
}

}  // namespace

int main() {
  const bool right[] = {calls_merge(), calls_merge_by_key(), calls_merge_runs(), calls_merge_runs_by_key()};
  return docs::report("merge and merge of runs", right);
}
