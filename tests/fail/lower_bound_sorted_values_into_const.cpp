// expect: an output takes numbers of elements
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/sorted_search.h>

#ifdef MGPU_TEST_FIXED
using position = int;
#else
using position = const int;
#endif

void misuse(const float* range, const float* values, int count, position* out) {
  mgpu::lower_bound_sorted_values(mgpu::cpp::par, range, range + count, values, values + count, out);
}
