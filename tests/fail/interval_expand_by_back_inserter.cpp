// expect: the outputs are random-access iterators
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/interval.h>

#include <iterator>
#include <vector>

void misuse(const int* offsets, int count, int total, const int* values, std::vector<int>& out) {
  const mgpu::interval_offsets intervals(offsets, count, total);
#ifdef MGPU_TEST_FIXED
  out.resize(static_cast<std::size_t>(total));
  mgpu::interval_expand(mgpu::cpp::par, intervals, values, out.begin());
#else
  mgpu::interval_expand(mgpu::cpp::par, intervals, values, std::back_inserter(out));
#endif
}
