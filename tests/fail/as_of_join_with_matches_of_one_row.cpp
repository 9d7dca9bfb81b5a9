// expect: matches.left, right. takes a left row and a right row
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/join.h>

#include <functional>

#ifdef MGPU_TEST_FIXED
struct is_near {
  bool operator()(int x, int y) const { return x - y < 10; }
};
#else
struct is_near {
  bool operator()(int distance) const { return distance < 10; }
};
#endif

int* misuse(const int* left, const int* right, int count, int* rows) {
  return mgpu::as_of_join(mgpu::cpp::par, left, left + count, right, right + count, rows, mgpu::backward, std::less<>{},
                          is_near{});
}
