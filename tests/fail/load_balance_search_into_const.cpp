// expect: an output takes the elements of its inputs
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/interval.h>

#ifdef MGPU_TEST_FIXED
using number = int;
#else
using number = const int;
#endif

void misuse(const int* counts, int count, number* out) {
  mgpu::load_balance_search(mgpu::cpp::par, mgpu::interval_counts(counts, counts + count), out);
}
