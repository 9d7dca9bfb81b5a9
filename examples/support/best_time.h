// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

/// Seconds of the fastest of `runs` calls that have finished when they return, after one that is not counted.
template <class Call>
double best_seconds(int runs, Call&& call) {
  using clock = std::chrono::steady_clock;
  call();
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    const auto begin = clock::now();
    call();
    best = std::min(best, std::chrono::duration<double>(clock::now() - begin).count());
  }
  return best;
}
