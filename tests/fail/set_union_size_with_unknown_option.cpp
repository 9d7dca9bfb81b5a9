// expect: the options of a set operation are \[compare\]\[, mgpu::unique_keys\]
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/set_operations.h>

#include <functional>

mgpu::offset misuse(const int* a, const int* b, int count) {
#ifdef MGPU_TEST_FIXED
  return mgpu::set_union_size(mgpu::cpp::par, a, a + count, b, b + count, std::less<int>{});
#else
  return mgpu::set_union_size(mgpu::cpp::par, a, a + count, b, b + count, std::less<int>{}, false);
#endif
}
