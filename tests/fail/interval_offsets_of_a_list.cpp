// expect: the offsets of intervals are given by a random-access iterator
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/interval.h>

#include <list>
#include <vector>

#ifdef MGPU_TEST_FIXED
using container = std::vector<int>;
#else
using container = std::list<int>;
#endif

void misuse(const container& offsets, int count, int total, const int* values, int* out) {
  mgpu::interval_expand(mgpu::cpp::par, mgpu::interval_offsets(offsets.begin(), count, total), values, out);
}
