// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The examples of the reference: one call of each function of sorted search and joins; checks its own results.

#include "check.h"

#include <mgpu/join.h>
#include <mgpu/par.h>
#include <mgpu/sorted_search.h>

#include <cstdint>

namespace {

bool calls_lower_bound_sorted_values() {
  // [snippet: lower_bound_sorted_values]
  const vector<int> range{1, 5, 5, 7}, values{5, 6, 9};
  vector<int> positions(3);
  mgpu::lower_bound_sorted_values(mgpu::par, range.begin(), range.end(), values.begin(), values.end(),
                                  positions.begin());  // 1 3 4
  // [end]
  return positions == vector<int>{1, 3, 4};
}

bool calls_upper_bound_sorted_values() {
  // [snippet: upper_bound_sorted_values]
  const vector<int> range{1, 5, 5, 7}, values{5, 6, 9};
  vector<int> positions(3);
  mgpu::upper_bound_sorted_values(mgpu::par, range.begin(), range.end(), values.begin(), values.end(),
                                  positions.begin());  // 3 3 4
  // [end]
  return positions == vector<int>{3, 3, 4};
}

bool calls_inner_join() {
  // [snippet: inner_join]
  const vector<int> left{1, 5, 5, 7}, right{1, 5, 5, 9};
  vector<int> left_rows(5), right_rows(5);  // inner_join_size says how many
  mgpu::inner_join(mgpu::par, left.begin(), left.end(), right.begin(), right.end(), left_rows.begin(),
                   right_rows.begin());
  // 0 1 1 2 2 and 0 1 2 1 2
  // [end]
  return left_rows == vector<int>{0, 1, 1, 2, 2} && right_rows == vector<int>{0, 1, 2, 1, 2};
}

bool calls_inner_join_size() {
  // [snippet: inner_join_size]
  const vector<int> left{1, 5, 5, 7}, right{1, 5, 5, 9};
  const auto size = mgpu::inner_join_size(mgpu::par, left.begin(), left.end(), right.begin(), right.end());  // 5
  // [end]
  return size == 5;
}

bool calls_inner_join_into() {
  // [snippet: inner_join_into]
  const vector<int> left{1, 5, 5, 7}, right{1, 5, 5, 9};
  const int capacity = 3;
  vector<int> left_rows(capacity), right_rows(capacity);
  vector<std::int64_t> size(1);  // stays on the device
  mgpu::inner_join_into(mgpu::par_nosync, left.begin(), left.end(), right.begin(), right.end(), left_rows.begin(),
                        right_rows.begin(), capacity, size.begin());
  // the first three of 5 pairs: 0 1 1 and 0 1 2
  // [end]
  return size[0] == 5 && left_rows == vector<int>{0, 1, 1} && right_rows == vector<int>{0, 1, 2};
}

bool calls_left_join() {
  // [snippet: left_join]
  const vector<int> left{1, 5, 5, 7}, right{1, 5, 5, 9};
  vector<int> left_rows(6), right_rows(6);  // left_join_size says how many
  mgpu::left_join(mgpu::par, left.begin(), left.end(), right.begin(), right.end(), left_rows.begin(),
                  right_rows.begin());
  // 0 1 1 2 2 3 and 0 1 2 1 2 -1 (-1: mgpu::no_row)
  // [end]
  return left_rows == vector<int>{0, 1, 1, 2, 2, 3} && right_rows == vector<int>{0, 1, 2, 1, 2, -1};
}

bool calls_left_join_size() {
  // [snippet: left_join_size]
  const vector<int> left{1, 5, 5, 7}, right{1, 5, 5, 9};
  const auto size = mgpu::left_join_size(mgpu::par, left.begin(), left.end(), right.begin(), right.end());  // 6
  // [end]
  return size == 6;
}

bool calls_left_join_into() {
  // [snippet: left_join_into]
  const vector<int> left{1, 5, 5, 7}, right{1, 5, 5, 9};
  const int capacity = 3;
  vector<int> left_rows(capacity), right_rows(capacity);
  vector<std::int64_t> size(1);  // stays on the device
  mgpu::left_join_into(mgpu::par_nosync, left.begin(), left.end(), right.begin(), right.end(), left_rows.begin(),
                       right_rows.begin(), capacity, size.begin());
  // the first three of 6 pairs: 0 1 1 and 0 1 2
  // [end]
  return size[0] == 6 && left_rows == vector<int>{0, 1, 1} && right_rows == vector<int>{0, 1, 2};
}

bool calls_full_join() {
  // [snippet: full_join]
  const vector<int> left{1, 5, 5, 7}, right{1, 5, 5, 9};
  vector<int> left_rows(7), right_rows(7);  // full_join_size says how many
  mgpu::full_join(mgpu::par, left.begin(), left.end(), right.begin(), right.end(), left_rows.begin(),
                  right_rows.begin());
  // 0 1 1 2 2 3 -1 and 0 1 2 1 2 -1 3 (-1: mgpu::no_row)
  // [end]
  return left_rows == vector<int>{0, 1, 1, 2, 2, 3, -1} && right_rows == vector<int>{0, 1, 2, 1, 2, -1, 3};
}

bool calls_full_join_size() {
  // [snippet: full_join_size]
  const vector<int> left{1, 5, 5, 7}, right{1, 5, 5, 9};
  const auto size = mgpu::full_join_size(mgpu::par, left.begin(), left.end(), right.begin(), right.end());  // 7
  // [end]
  return size == 7;
}

bool calls_full_join_into() {
  // [snippet: full_join_into]
  const vector<int> left{1, 5, 5, 7}, right{1, 5, 5, 9};
  const int capacity = 3;
  vector<int> left_rows(capacity), right_rows(capacity);
  vector<std::int64_t> size(1);  // stays on the device
  mgpu::full_join_into(mgpu::par_nosync, left.begin(), left.end(), right.begin(), right.end(), left_rows.begin(),
                       right_rows.begin(), capacity, size.begin());
  // the first three of 7 pairs: 0 1 1 and 0 1 2
  // [end]
  return size[0] == 7 && left_rows == vector<int>{0, 1, 1} && right_rows == vector<int>{0, 1, 2};
}

bool calls_semi_join() {
  // [snippet: semi_join]
  const vector<int> left{1, 5, 5, 7}, right{1, 5, 5, 9};
  vector<int> rows(4);
  const auto end = mgpu::semi_join(mgpu::par, left.begin(), left.end(), right.begin(), right.end(), rows.begin());
  rows.erase(end, rows.end());  // 0 1 2
  // [end]
  return rows == vector<int>{0, 1, 2};
}

bool calls_anti_join() {
  // [snippet: anti_join]
  const vector<int> left{1, 5, 5, 7}, right{1, 5, 5, 9};
  vector<int> rows(4);
  const auto end = mgpu::anti_join(mgpu::par, left.begin(), left.end(), right.begin(), right.end(), rows.begin());
  rows.erase(end, rows.end());  // 3
  // [end]
  return rows == vector<int>{3};
}

bool calls_as_of_join() {
  // [snippet: as_of_join]
  const vector<int> trades{1, 5, 10}, quotes{2, 5, 5, 9};  // times
  vector<int> last(3), next(3);
  mgpu::as_of_join(mgpu::par, trades.begin(), trades.end(), quotes.begin(), quotes.end(), last.begin(), mgpu::backward);
  mgpu::as_of_join(mgpu::par, trades.begin(), trades.end(), quotes.begin(), quotes.end(), next.begin(), mgpu::forward);
  // the last quote before each trade: -1 2 3 (-1: mgpu::no_row), the next one: 0 1 -1
  // [end]
  return last == vector<int>{-1, 2, 3} && next == vector<int>{0, 1, -1};
}

}  // namespace

int main() {
  const bool right[] = {calls_lower_bound_sorted_values(),
                        calls_upper_bound_sorted_values(),
                        calls_inner_join(),
                        calls_inner_join_size(),
                        calls_inner_join_into(),
                        calls_left_join(),
                        calls_left_join_size(),
                        calls_left_join_into(),
                        calls_full_join(),
                        calls_full_join_size(),
                        calls_full_join_into(),
                        calls_semi_join(),
                        calls_anti_join(),
                        calls_as_of_join()};
  return docs::report("sorted search and joins", right);
}
