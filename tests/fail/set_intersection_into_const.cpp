// expect: an output takes the elements of its inputs
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/set_operations.h>

#ifdef MGPU_TEST_FIXED
using element = int;
#else
using element = const int;
#endif

void misuse(const int* a, const int* b, int count, element* out) {
  mgpu::set_intersection(mgpu::cpp::par, a, a + count, b, b + count, out);
}
