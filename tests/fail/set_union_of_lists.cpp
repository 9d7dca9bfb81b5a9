// expect: the inputs are random-access iterators
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/set_operations.h>

#include <list>
#include <vector>

#ifdef MGPU_TEST_FIXED
using container = std::vector<int>;
#else
using container = std::list<int>;
#endif

int* misuse(const container& a, const container& b, int* out) {
  return mgpu::set_union(mgpu::cpp::par, a.begin(), a.end(), b.begin(), b.end(), out);
}
