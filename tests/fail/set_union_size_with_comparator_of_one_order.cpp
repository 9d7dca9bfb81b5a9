// expect: compare\(x, y\) takes two keys
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/set_operations.h>

struct compare {
  bool operator()(const int* x, long y) const { return *x < y; }
#ifdef MGPU_TEST_FIXED
  bool operator()(long x, const int* y) const { return x < *y; }
#endif
};

mgpu::offset misuse(const int* const* a, const long* b, int count) {
  return mgpu::set_union_size(mgpu::cpp::par, a, a + count, b, b + count, compare{});
}
