// expect: the options of a set operation are \[compare\]\[, mgpu::unique_keys\]
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/set_operations.h>

#include <functional>

int* misuse(const int* a, const int* b, int count, int* out) {
#ifdef MGPU_TEST_FIXED
  return mgpu::set_union(mgpu::cpp::par, a, a + count, b, b + count, out, std::less<int>{}, mgpu::unique_keys);
#else
  return mgpu::set_union(mgpu::cpp::par, a, a + count, b, b + count, out, mgpu::unique_keys, std::less<int>{});
#endif
}
