// expect: compare\(x, y\) takes two keys
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/set_operations.h>

void misuse(const int* a, const int* b, int count, float* a_values, float* b_values, int* out, float* values) {
#ifdef MGPU_TEST_FIXED
  (void)b_values;
  mgpu::set_intersection_by_key(mgpu::cpp::par, a, a + count, b, b + count, a_values, out, values);
#else
  mgpu::set_intersection_by_key(mgpu::cpp::par, a, a + count, b, b + count, a_values, b_values, out, values);
#endif
}
