// expect: gather and scatter are positions: integers
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/interval.h>

#ifdef MGPU_TEST_FIXED
using position = int;
#else
using position = float;
#endif

void misuse(const int* counts, int count, const position* gather, const int* in, int* out) {
  mgpu::interval_gather(mgpu::cpp::par, mgpu::interval_counts(counts, counts + count), gather, in, out);
}
