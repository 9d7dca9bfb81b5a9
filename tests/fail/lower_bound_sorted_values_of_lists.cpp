// expect: the inputs are random-access iterators
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/sorted_search.h>

#include <list>
#include <vector>

#ifdef MGPU_TEST_FIXED
using container = std::vector<int>;
#else
using container = std::list<int>;
#endif

int* misuse(const container& range, const container& values, int* out) {
  return mgpu::lower_bound_sorted_values(mgpu::cpp::par, range.begin(), range.end(), values.begin(), values.end(), out);
}
