// expect: the runs of an array are mgpu::run_offsets
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/merge_runs.h>

int* misuse(const int* keys, int count, const int* offsets, int runs, int* out) {
#ifdef MGPU_TEST_FIXED
  return mgpu::merge_runs(mgpu::cpp::par, keys, keys + count, mgpu::run_offsets(offsets, runs), out);
#else
  (void)runs;
  return mgpu::merge_runs(mgpu::cpp::par, keys, keys + count, offsets, out);
#endif
}
