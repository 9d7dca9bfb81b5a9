// expect: size_out takes the size of the result
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/join.h>

#ifdef MGPU_TEST_FIXED
using size = mgpu::offset;
#else
using size = const mgpu::offset;
#endif

void misuse(const int* left, const int* right, int count, int* rows, size* size_out) {
  mgpu::inner_join_into(mgpu::cpp::par, left, left + count, right, right + count, rows, rows + count, count, size_out);
}
