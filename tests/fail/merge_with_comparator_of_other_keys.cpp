// expect: compare\(x, y\) takes two keys
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/merge.h>

#include <string>

struct shorter {
  bool operator()(const std::string& x, const std::string& y) const { return x.size() < y.size(); }
};
#ifdef MGPU_TEST_FIXED
using key = std::string;
#else
using key = int;
#endif

void misuse(const key* a, const key* b, int count, key* out) {
  mgpu::merge(mgpu::cpp::par, a, a + count, b, b + count, out, shorter{});
}
