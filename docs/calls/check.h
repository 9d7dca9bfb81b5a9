// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the examples of the reference share.

#include <thrust/device_vector.h>

#include <cstddef>
#include <cstdio>

template <class T>
using vector = thrust::device_vector<T>;

namespace docs {

inline bool begins_with(vector<int> all, const vector<int>& expected) {
  all.resize(expected.size());
  return all == expected;
}

/// Prints what is wrong; returns what main does.
template <std::size_t N>
int report(const char* what, const bool (&right)[N]) {
  int wrong = 0;
  for (const bool is_right : right) wrong += !is_right;
  std::printf("%s: %d of %d calls are right\n", what, static_cast<int>(N) - wrong, static_cast<int>(N));
  return wrong != 0;
}

}  // namespace docs
