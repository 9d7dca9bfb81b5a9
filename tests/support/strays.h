// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Keys that show to which call they belong, and a comparator that notices others.

#include "executors.h"

#include <cstdint>
#include <vector>

namespace test {

/// A key that shows that it belongs to the inputs of one call: its tag is the call's.
template <int Words>
struct tagged {
  std::uint32_t key, tag, rest[Words - 2];
};
template <>
struct tagged<2> {
  std::uint32_t key, tag;
};

/// Notes in the executor's memory where it is asked about anything but elements of the inputs.
struct checked_less {
  std::uint32_t tag;
  int* strays;

  template <class Key>
  MGPU_HOST_DEVICE bool operator()(const Key& x, const Key& y) const {
    if (x.tag != tag || y.tag != tag) *strays = 1;
    return x.key < y.key;
  }
};

template <class Key>
struct load_from {
  const Key* from;
  MGPU_HOST_DEVICE Key operator()(offset i) const { return from[i]; }
};

inline constexpr int margin = 40;

/// Tagged keys between keys that are none of the call's.
template <class Key>
std::vector<Key> with_margins(const std::vector<int>& keys, std::uint32_t tag) {
  std::vector<Key> result(keys.size() + 2 * margin);
  for (auto& x : result) x.tag = ~tag;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    result[i + margin].key = static_cast<std::uint32_t>(keys[i]);
    result[i + margin].tag = tag;
  }
  return result;
}

}  // namespace test
