// expect: the counts of intervals are integers
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/interval.h>

#ifdef MGPU_TEST_FIXED
using number = int;
#else
using number = float;
#endif

int* misuse(const number* counts, int count, const int* values, int* out) {
  return mgpu::interval_expand(mgpu::cpp::par, mgpu::interval_counts(counts, counts + count), values, out);
}
