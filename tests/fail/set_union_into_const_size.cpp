// expect: size_out takes the size of the result
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/set_operations.h>

#ifdef MGPU_TEST_FIXED
using number = mgpu::offset;
#else
using number = const mgpu::offset;
#endif

void misuse(const int* a, const int* b, int count, int* out, number* size) {
  mgpu::set_union_into(mgpu::cpp::par, a, a + count, b, b + count, out, size);
}
