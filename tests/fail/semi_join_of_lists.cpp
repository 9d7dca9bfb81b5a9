// expect: the inputs are random-access iterators
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/join.h>

#include <list>
#include <vector>

#ifdef MGPU_TEST_FIXED
using container = std::vector<int>;
#else
using container = std::list<int>;
#endif

int* misuse(const container& left, const container& right, int* rows) {
  return mgpu::semi_join(mgpu::cpp::par, left.begin(), left.end(), right.begin(), right.end(), rows);
}
