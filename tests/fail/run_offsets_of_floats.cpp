// expect: the offsets of runs are integers
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/merge_runs.h>

#ifdef MGPU_TEST_FIXED
using position = int;
#else
using position = float;
#endif

int* misuse(const int* keys, int count, const position* offsets, int runs, int* out) {
  return mgpu::merge_runs(mgpu::cpp::par, keys, keys + count, mgpu::run_offsets(offsets, runs), out);
}
