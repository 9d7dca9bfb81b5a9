// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The examples of the reference: one call of each function of set operations; checks its own results.

#include "check.h"

#include <mgpu/par.h>
#include <mgpu/set_operations.h>

#include <cstdint>

namespace {

bool calls_set_union() {
  // [snippet: set_union]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  vector<int> out(6);
  const auto end = mgpu::set_union(mgpu::par, a.begin(), a.end(), b.begin(), b.end(), out.begin());
  out.erase(end, out.end());  // 1 2 3 3 4
  // [end]
  return out == vector<int>{1, 2, 3, 3, 4};
}

bool calls_set_union_by_key() {
  // [snippet: set_union_by_key]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  const vector<int> a_values{10, 11, 12}, b_values{20, 21, 22};
  vector<int> keys(6), values(6);
  const auto ends = mgpu::set_union_by_key(mgpu::par, a.begin(), a.end(), b.begin(), b.end(), a_values.begin(),
                                           b_values.begin(), keys.begin(), values.begin());
  keys.erase(ends.first, keys.end());       // 1 2 3 3 4
  values.erase(ends.second, values.end());  // 10 20 11 12 22
  // [end]
  return keys == vector<int>{1, 2, 3, 3, 4} && values == vector<int>{10, 20, 11, 12, 22};
}

bool calls_set_union_size() {
  // [snippet: set_union_size]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  const auto size = mgpu::set_union_size(mgpu::par, a.begin(), a.end(), b.begin(), b.end());  // 5
  // [end]
  return size == 5;
}

bool calls_set_union_into() {
  // [snippet: set_union_into]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  vector<int> out(6);
  vector<std::int64_t> size(1);  // stays on the device
  mgpu::set_union_into(mgpu::par_nosync, a.begin(), a.end(), b.begin(), b.end(), out.begin(),
                       size.begin());  // 5: 1 2 3 3 4
  // [end]
  return size[0] == 5 && docs::begins_with(out, {1, 2, 3, 3, 4});
}

bool calls_set_union_by_key_into() {
  // [snippet: set_union_by_key_into]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  const vector<int> a_values{10, 11, 12}, b_values{20, 21, 22};
  vector<int> keys(6), values(6);
  vector<std::int64_t> size(1);  // stays on the device
  mgpu::set_union_by_key_into(mgpu::par_nosync, a.begin(), a.end(), b.begin(), b.end(), a_values.begin(),
                              b_values.begin(), keys.begin(), values.begin(), size.begin());
  // 5 keys: 1 2 3 3 4, with the values 10 20 11 12 22
  // [end]
  return size[0] == 5 && docs::begins_with(keys, {1, 2, 3, 3, 4}) && docs::begins_with(values, {10, 20, 11, 12, 22});
}

bool calls_set_intersection() {
  // [snippet: set_intersection]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  vector<int> out(3);
  const auto end = mgpu::set_intersection(mgpu::par, a.begin(), a.end(), b.begin(), b.end(), out.begin());
  out.erase(end, out.end());  // 3
  // [end]
  return out == vector<int>{3};
}

bool calls_set_intersection_by_key() {
  // [snippet: set_intersection_by_key]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  const vector<int> a_values{10, 11, 12};
  vector<int> keys(3), values(3);
  const auto ends = mgpu::set_intersection_by_key(mgpu::par, a.begin(), a.end(), b.begin(), b.end(), a_values.begin(),
                                                  keys.begin(), values.begin());
  keys.erase(ends.first, keys.end());       // 3
  values.erase(ends.second, values.end());  // 11
  // [end]
  return keys == vector<int>{3} && values == vector<int>{11};
}

bool calls_set_intersection_size() {
  // [snippet: set_intersection_size]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  const auto size = mgpu::set_intersection_size(mgpu::par, a.begin(), a.end(), b.begin(), b.end());  // 1
  // [end]
  return size == 1;
}

bool calls_set_intersection_into() {
  // [snippet: set_intersection_into]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  vector<int> out(3);
  vector<std::int64_t> size(1);  // stays on the device
  mgpu::set_intersection_into(mgpu::par_nosync, a.begin(), a.end(), b.begin(), b.end(), out.begin(),
                              size.begin());  // 1: 3
  // [end]
  return size[0] == 1 && docs::begins_with(out, {3});
}

bool calls_set_intersection_by_key_into() {
  // [snippet: set_intersection_by_key_into]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  const vector<int> a_values{10, 11, 12};
  vector<int> keys(3), values(3);
  vector<std::int64_t> size(1);  // stays on the device
  mgpu::set_intersection_by_key_into(mgpu::par_nosync, a.begin(), a.end(), b.begin(), b.end(), a_values.begin(),
                                     keys.begin(), values.begin(), size.begin());
  // 1 keys: 3, with the values 11
  // [end]
  return size[0] == 1 && docs::begins_with(keys, {3}) && docs::begins_with(values, {11});
}

bool calls_set_difference() {
  // [snippet: set_difference]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  vector<int> out(3);
  const auto end = mgpu::set_difference(mgpu::par, a.begin(), a.end(), b.begin(), b.end(), out.begin());
  out.erase(end, out.end());  // 1 3
  // [end]
  return out == vector<int>{1, 3};
}

bool calls_set_difference_by_key() {
  // [snippet: set_difference_by_key]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  const vector<int> a_values{10, 11, 12}, b_values{20, 21, 22};
  vector<int> keys(3), values(3);
  const auto ends = mgpu::set_difference_by_key(mgpu::par, a.begin(), a.end(), b.begin(), b.end(), a_values.begin(),
                                                b_values.begin(), keys.begin(), values.begin());
  keys.erase(ends.first, keys.end());       // 1 3
  values.erase(ends.second, values.end());  // 10 12
  // [end]
  return keys == vector<int>{1, 3} && values == vector<int>{10, 12};
}

bool calls_set_difference_size() {
  // [snippet: set_difference_size]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  const auto size = mgpu::set_difference_size(mgpu::par, a.begin(), a.end(), b.begin(), b.end());  // 2
  // [end]
  return size == 2;
}

bool calls_set_difference_into() {
  // [snippet: set_difference_into]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  vector<int> out(3);
  vector<std::int64_t> size(1);  // stays on the device
  mgpu::set_difference_into(mgpu::par_nosync, a.begin(), a.end(), b.begin(), b.end(), out.begin(),
                            size.begin());  // 2: 1 3
  // [end]
  return size[0] == 2 && docs::begins_with(out, {1, 3});
}

bool calls_set_difference_by_key_into() {
  // [snippet: set_difference_by_key_into]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  const vector<int> a_values{10, 11, 12}, b_values{20, 21, 22};
  vector<int> keys(3), values(3);
  vector<std::int64_t> size(1);  // stays on the device
  mgpu::set_difference_by_key_into(mgpu::par_nosync, a.begin(), a.end(), b.begin(), b.end(), a_values.begin(),
                                   b_values.begin(), keys.begin(), values.begin(), size.begin());
  // 2 keys: 1 3, with the values 10 12
  // [end]
  return size[0] == 2 && docs::begins_with(keys, {1, 3}) && docs::begins_with(values, {10, 12});
}

bool calls_set_symmetric_difference() {
  // [snippet: set_symmetric_difference]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  vector<int> out(6);
  const auto end = mgpu::set_symmetric_difference(mgpu::par, a.begin(), a.end(), b.begin(), b.end(), out.begin());
  out.erase(end, out.end());  // 1 2 3 4
  // [end]
  return out == vector<int>{1, 2, 3, 4};
}

bool calls_set_symmetric_difference_by_key() {
  // [snippet: set_symmetric_difference_by_key]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  const vector<int> a_values{10, 11, 12}, b_values{20, 21, 22};
  vector<int> keys(6), values(6);
  const auto ends =
      mgpu::set_symmetric_difference_by_key(mgpu::par, a.begin(), a.end(), b.begin(), b.end(), a_values.begin(),
                                            b_values.begin(), keys.begin(), values.begin());
  keys.erase(ends.first, keys.end());       // 1 2 3 4
  values.erase(ends.second, values.end());  // 10 20 12 22
  // [end]
  return keys == vector<int>{1, 2, 3, 4} && values == vector<int>{10, 20, 12, 22};
}

bool calls_set_symmetric_difference_size() {
  // [snippet: set_symmetric_difference_size]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  const auto size = mgpu::set_symmetric_difference_size(mgpu::par, a.begin(), a.end(), b.begin(), b.end());  // 4
  // [end]
  return size == 4;
}

bool calls_set_symmetric_difference_into() {
  // [snippet: set_symmetric_difference_into]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  vector<int> out(6);
  vector<std::int64_t> size(1);  // stays on the device
  mgpu::set_symmetric_difference_into(mgpu::par_nosync, a.begin(), a.end(), b.begin(), b.end(), out.begin(),
                                      size.begin());  // 4: 1 2 3 4
  // [end]
  return size[0] == 4 && docs::begins_with(out, {1, 2, 3, 4});
}

bool calls_set_symmetric_difference_by_key_into() {
  // [snippet: set_symmetric_difference_by_key_into]
  const vector<int> a{1, 3, 3}, b{2, 3, 4};
  const vector<int> a_values{10, 11, 12}, b_values{20, 21, 22};
  vector<int> keys(6), values(6);
  vector<std::int64_t> size(1);  // stays on the device
  mgpu::set_symmetric_difference_by_key_into(mgpu::par_nosync, a.begin(), a.end(), b.begin(), b.end(), a_values.begin(),
                                             b_values.begin(), keys.begin(), values.begin(), size.begin());
  // 4 keys: 1 2 3 4, with the values 10 20 12 22
  // [end]
  return size[0] == 4 && docs::begins_with(keys, {1, 2, 3, 4}) && docs::begins_with(values, {10, 20, 12, 22});
}

}  // namespace

int main() {
  const bool right[] = {calls_set_union(),
                        calls_set_union_by_key(),
                        calls_set_union_size(),
                        calls_set_union_into(),
                        calls_set_union_by_key_into(),
                        calls_set_intersection(),
                        calls_set_intersection_by_key(),
                        calls_set_intersection_size(),
                        calls_set_intersection_into(),
                        calls_set_intersection_by_key_into(),
                        calls_set_difference(),
                        calls_set_difference_by_key(),
                        calls_set_difference_size(),
                        calls_set_difference_into(),
                        calls_set_difference_by_key_into(),
                        calls_set_symmetric_difference(),
                        calls_set_symmetric_difference_by_key(),
                        calls_set_symmetric_difference_size(),
                        calls_set_symmetric_difference_into(),
                        calls_set_symmetric_difference_by_key_into()};
  return docs::report("set operations", right);
}
