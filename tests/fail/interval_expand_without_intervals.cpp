// expect: intervals are mgpu::interval_offsets
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/interval.h>

int* misuse(const int* offsets, int count, int total, const int* values, int* out) {
#ifdef MGPU_TEST_FIXED
  return mgpu::interval_expand(mgpu::cpp::par, mgpu::interval_offsets(offsets, count, total), values, out);
#else
  (void)count, (void)total;
  return mgpu::interval_expand(mgpu::cpp::par, offsets, values, out);
#endif
}
