// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Data without order, and what is known of it afterwards.

#include <mgpu/base/config.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace test {

/// Answers without any order, but the same to the same question.
struct answer_at_random {
  template <class Key>
  MGPU_HOST_DEVICE bool operator()(const Key& x, const Key& y) const {
    const auto bits = [](const Key& key) {
      std::uint32_t sum = 0;
      for (unsigned i = 0; i < sizeof(Key); ++i) sum = sum * 31 + reinterpret_cast<const unsigned char*>(&key)[i];
      return sum;
    };
    return ((bits(x) * 0x9E3779B9u ^ bits(y) * 0x85EBCA6Bu) >> 13 & 1) != 0;
  }
};

template <class Key>
std::vector<Key> random_bytes(int count, std::mt19937& random) {
  std::vector<Key> keys(static_cast<std::size_t>(count));
  for (auto& key : keys) {
    std::uint32_t words[(sizeof(Key) + 3) / 4];
    for (auto& word : words) word = static_cast<std::uint32_t>(random());
    std::memcpy(static_cast<void*>(&key), words, sizeof(Key));
  }
  if constexpr (std::is_floating_point_v<Key>) {
    for (std::size_t i = 0; i < keys.size(); i += 5) keys[i] = std::numeric_limits<Key>::quiet_NaN();
  }
  return keys;
}

/// The keys' bytes as numbers, ascending, each once.
template <class Key>
std::vector<std::uint64_t> distinct_bits(const std::vector<Key>& keys) {
  static_assert(sizeof(Key) <= sizeof(std::uint64_t));
  std::vector<std::uint64_t> bits(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) std::memcpy(&bits[i], &keys[i], sizeof(Key));
  std::sort(bits.begin(), bits.end());
  bits.erase(std::unique(bits.begin(), bits.end()), bits.end());
  return bits;
}

/// Whether every one of `found` is in a or b, bit by bit.
template <class Key>
bool are_known(const std::vector<Key>& a, const std::vector<Key>& b, const std::vector<Key>& found) {
  auto known = a;
  known.insert(known.end(), b.begin(), b.end());
  const auto known_bits = distinct_bits(known), found_bits = distinct_bits(found);
  return std::includes(known_bits.begin(), known_bits.end(), found_bits.begin(), found_bits.end());
}

/// Values that number their elements.
struct number4 {
  int number;
};
struct number12 {
  int number, rest[2] = {7, 8};
};
struct number64 {
  int number, rest[15] = {9};
};

}  // namespace test
