// expect: the direction of an as-of join is mgpu::backward or mgpu::forward
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/join.h>

#include <functional>

int* misuse(const int* left, const int* right, int count, int* rows) {
#ifdef MGPU_TEST_FIXED
  const auto direction = mgpu::backward;
#else
  const auto direction = std::less<>{};
#endif
  return mgpu::as_of_join(mgpu::cpp::par, left, left + count, right, right + count, rows, direction);
}
