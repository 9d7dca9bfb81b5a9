// expect: the offsets of intervals are integers
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/interval.h>

#ifdef MGPU_TEST_FIXED
using number = int;
#else
using number = float;
#endif

int* misuse(const number* offsets, int count, int total, const int* values, int* out) {
  return mgpu::interval_expand(mgpu::cpp::par, mgpu::interval_offsets(offsets, count, total), values, out);
}
