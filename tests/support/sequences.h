// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

namespace test {

/// Every ascending sequence over {0, 1, 2} of at most `max_length` letters: it is how many it has of each.
inline std::vector<std::vector<int>> sorted_sequences(int max_length) {
  std::vector<std::vector<int>> result;
  for (int length = 0; length <= max_length; ++length) {
    for (int zeros = 0; zeros <= length; ++zeros) {
      for (int ones = 0; zeros + ones <= length; ++ones) {
        std::vector<int> sequence;
        const std::array<int, 3> counts{zeros, ones, length - zeros - ones};
        for (int letter = 0; letter < 3; ++letter) {
          sequence.insert(sequence.end(), static_cast<std::size_t>(counts[letter]), letter);
        }
        result.push_back(sequence);
      }
    }
  }
  return result;
}

/// Two inputs of ascending numbers. Each has some numbers in a row, up to 200.
inline std::pair<std::vector<int>, std::vector<int>> keys_in_rows(std::mt19937& random) {
  std::pair<std::vector<int>, std::vector<int>> keys;
  for (int key = 0; key < 500;) {
    const bool in_a = random() % 2 == 0, in_b = !in_a || random() % 4 == 0;
    for (unsigned left = 1 + random() % 200; left > 0; --left, ++key) {
      if (in_a) keys.first.push_back(key);
      if (in_b) keys.second.push_back(key);
    }
  }
  return keys;
}

/// Calls f(a, b) for every pair of sorted sequences of at most six letters.
template <class F>
void for_each_pair_of_sorted_sequences(const F& f) {
  const auto all = sorted_sequences(6);
  for (const auto& a : all) {
    for (const auto& b : all) f(a, b);
  }
}

}  // namespace test
