// expect: compare\(x, y\) takes two keys
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/merge_runs.h>

#include <string>

struct shorter {
  bool operator()(const std::string& x, const std::string& y) const { return x.size() < y.size(); }
};
#ifdef MGPU_TEST_FIXED
using key = std::string;
using value = int;
#else
using key = int;
using value = std::string;
#endif

void misuse(const mgpu::run_ranges<const key* const*, const int*>& runs, const value* const* values, key* out,
            value* values_out) {
  mgpu::merge_runs_by_key(mgpu::cpp::par, runs, values, out, values_out, shorter{});
}
