// expect: an output takes the elements of its inputs
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/merge_runs.h>

#include <vector>

void misuse(const int* keys, int count, const int* offsets, int runs, std::vector<int>& out) {
#ifdef MGPU_TEST_FIXED
  mgpu::merge_runs(mgpu::cpp::par, keys, keys + count, mgpu::run_offsets(offsets, runs), out.begin());
#else
  mgpu::merge_runs(mgpu::cpp::par, keys, keys + count, mgpu::run_offsets(offsets, runs), out.cbegin());
#endif
}
