// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Calls with MGPU_CHECK_INPUTS, and what they complain of. Who includes this defines that first.
#include "support/arrays.h"

#include <doctest/doctest.h>

#include <mgpu/mgpu.h>

#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef MGPU_TEST_CUDA
#include "support/cuda.h"
#endif

namespace test {

using numbers = std::vector<int>;

/// What the call throws as std::invalid_argument, or nothing.
template <class F>
std::string complaint(const F& f) {
  try {
    f();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

inline numbers ascending(int count) {
  numbers x(static_cast<std::size_t>(count));
  std::iota(x.begin(), x.end(), 0);
  return x;
}
#ifdef MGPU_TEST_CUDA
/// Only the GPU can say whether its inputs are sorted.
struct own_less {
  __device__ bool operator()(int x, int y) const { return x < y; }
};
#else
using own_less = std::less<int>;
#endif

/// f(a, b, values, out, size_out, executor): pointers to the executor's memory. Returns what it throws; then nothing is
/// written.
template <class F>
std::string run(const numbers& a, const numbers& b, const F& f) {
  std::string message;
  bool is_first = true;
  for_each_executor([&](auto executor) {
    using executor_type = decltype(executor);
    INFO(executor.name);
    const input<executor_type, int> a_in(a), b_in(b);
    const output<executor_type, int> out(static_cast<offset>(a.size() + b.size())),
        values(static_cast<offset>(a.size() + b.size()));
    const output<executor_type, offset> size_out(1);
    const auto told = complaint([&] { f(executor, a_in, b_in, out.begin(), values.begin(), size_out.begin()); });
    CHECK((is_first || told == message));
    CHECK((told.empty() || (out.untouched() && values.untouched() && size_out.untouched())));
    CHECK(a_in.unchanged());
    CHECK(b_in.unchanged());
    message = told;
    is_first = false;
  });
  return message;
}

}  // namespace test
