// expect: an output takes numbers of elements
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/join.h>

#ifdef MGPU_TEST_FIXED
using row_number = int;
#else
using row_number = const int;
#endif

void misuse(const int* left, const int* right, int count, int* left_rows, row_number* right_rows) {
  mgpu::inner_join(mgpu::cpp::par, left, left + count, right, right + count, left_rows, right_rows);
}
