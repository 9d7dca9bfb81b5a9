// expect: the beginnings of runs are pointers
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/merge_runs.h>

#ifdef MGPU_TEST_FIXED
using begin = const int*;
#else
using begin = int;
#endif

int* misuse(const begin* begins, const int* lengths, int runs, int total, int* out) {
  return mgpu::merge_runs(mgpu::cpp::par, mgpu::run_ranges(begins, lengths, runs, total), out);
}
