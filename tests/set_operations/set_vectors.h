// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "check_set_operations.h"
#include "support/vectors.h"

#include <random>
#include <vector>

namespace test {

/// Two sorted inputs with values, in the executor's memory and here.
struct data {
  std::vector<int> a, b, a_values, b_values;
  vector<int> a_in, b_in, a_values_in, b_values_in;

  data(int a_count, int b_count, overlap o) {
    std::mt19937 random(static_cast<unsigned>(a_count + 3 * b_count));
    a = overlapping_ranks(o, 0, a_count, b_count, 60000, random);
    b = overlapping_ranks(o, 1, b_count, a_count, 60000, random);
    a_values = numbered_values<int>(0, a_count);
    b_values = numbered_values<int>(a_count, b_count);
    a_in = to_vector(a);
    b_in = to_vector(b);
    a_values_in = to_vector(a_values);
    b_values_in = to_vector(b_values);
  }
  template <class Operation>
  std::vector<int> numbers() const {
    return emitted_numbers<Operation>(a, b, std::less<>{});
  }
  std::vector<int> keys(const std::vector<int>& numbers) const { return in_order<int>(numbers, a, b); }
};

/// Calls f(policy, data) for every executor and some sizes.
template <class F>
void for_each_data(const F& f) {
  for_each_executor([&](auto executor) {
    for (const auto o : {overlap::some, overlap::few_keys}) {
      for (const auto& size : {sizes{0, 0}, sizes{0, 7}, sizes{1000, 1}, sizes{60000, 40001}}) {
        INFO(executor.name, ", ", size.a, " and ", size.b, " elements");
        f(executor.policy(), data(size.a, size.b, o));
      }
    }
  });
}

}  // namespace test
