// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The examples of the reference: one call of each function of intervals; checks its own results.

#include "check.h"

#include <mgpu/interval.h>
#include <mgpu/intervals.h>
#include <mgpu/par.h>

#include <cstdint>

namespace {

bool calls_interval_expand() {
  // [snippet: interval_expand]
  const vector<int> counts{2, 0, 3}, values{7, 8, 9};
  vector<int> out(5);
  mgpu::interval_expand(mgpu::par, mgpu::interval_counts(counts.begin(), counts.end()), values.begin(),
                        out.begin());  // 7 7 9 9 9
  // [end]
  return out == vector<int>{7, 7, 9, 9, 9};
}

bool calls_interval_gather() {
  // [snippet: interval_gather]
  const vector<int> counts{2, 3}, sources{4, 0}, in{10, 11, 12, 13, 14, 15};
  vector<int> out(5);
  mgpu::interval_gather(mgpu::par, mgpu::interval_counts(counts.begin(), counts.end()), sources.begin(), in.begin(),
                        out.begin());  // 14 15, 10 11 12
  // [end]
  return out == vector<int>{14, 15, 10, 11, 12};
}

bool calls_interval_scatter() {
  // [snippet: interval_scatter]
  const vector<int> counts{2, 3}, destinations{3, 0}, in{10, 11, 12, 13, 14};
  vector<int> out(5);
  mgpu::interval_scatter(mgpu::par, mgpu::interval_counts(counts.begin(), counts.end()), destinations.begin(),
                         in.begin(), out.begin());  // 12 13 14, 10 11
  // [end]
  return out == vector<int>{12, 13, 14, 10, 11};
}

bool calls_interval_move() {
  // [snippet: interval_move]
  const vector<int> counts{2, 3}, sources{4, 0}, destinations{3, 0}, in{10, 11, 12, 13, 14, 15};
  vector<int> out(5);
  mgpu::interval_move(mgpu::par, mgpu::interval_counts(counts.begin(), counts.end()), sources.begin(),
                      destinations.begin(), in.begin(), out.begin());  // 10 11 12, 14 15
  // [end]
  return out == vector<int>{10, 11, 12, 14, 15};
}

bool calls_load_balance_search() {
  // [snippet: load_balance_search]
  const vector<int> counts{2, 0, 3};
  vector<int> intervals(5);
  mgpu::load_balance_search(mgpu::par, mgpu::interval_counts(counts.begin(), counts.end()),
                            intervals.begin());  // 0 0 2 2 2
  // [end]
  return intervals == vector<int>{0, 0, 2, 2, 2};
}

// [snippet: for_each_interval_item]
struct store_rank {
  int* ranks;
  MGPU_HOST_DEVICE void operator()(std::int64_t item, std::int64_t, std::int64_t rank) const {
    ranks[item] = static_cast<int>(rank);
  }
};

void rank_items(const vector<int>& counts, vector<int>& ranks) {  // of counts 2 0 3: 0 1 0 1 2
  mgpu::for_each_interval_item(mgpu::par, mgpu::interval_counts(counts.begin(), counts.end()),
                               store_rank{thrust::raw_pointer_cast(ranks.data())});
}
// [end]

bool calls_for_each_interval_item() {
  vector<int> ranks(5);
  rank_items({2, 0, 3}, ranks);
  return ranks == vector<int>{0, 1, 0, 1, 2};
}

}  // namespace

int main() {
  const bool right[] = {calls_interval_expand(), calls_interval_gather(),     calls_interval_scatter(),
                        calls_interval_move(),   calls_load_balance_search(), calls_for_each_interval_item()};
  return docs::report("intervals", right);
}
