// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mgpu/merge_runs.h>
#include <mgpu/par.h>

#include "row.h"

int* merges_array(const int* keys, int count, const int* offsets, int runs, int* out) {
  return mgpu::merge_runs(mgpu::par, keys, keys + count, mgpu::run_offsets(offsets, runs), out);
}
row* merges_arrays(const row* const* begins, const double* const* values, const int* lengths, int runs, int total,
                   row* out, double* values_out) {
  const mgpu::run_ranges all(begins, lengths, runs, total);
  return mgpu::merge_runs_by_key(mgpu::par_nosync, all, values, out, values_out).first;
}
