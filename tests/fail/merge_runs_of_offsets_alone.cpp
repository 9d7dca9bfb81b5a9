// expect: runs in arrays of their own are mgpu::run_ranges
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/merge_runs.h>

void misuse(const int* const* begins, const int* lengths, int runs, int total, int* out) {
#ifdef MGPU_TEST_FIXED
  mgpu::merge_runs(mgpu::cpp::par, mgpu::run_ranges(begins, lengths, runs, total), out);
#else
  (void)begins, (void)total;
  mgpu::merge_runs(mgpu::cpp::par, mgpu::run_offsets(lengths, runs), out);
#endif
}
