// expect: compare\(x, y\) takes two keys
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/locality_sort.h>

void misuse(int* keys, int count, float* values) {
#ifdef MGPU_TEST_FIXED
  mgpu::locality_sort_by_key(mgpu::cpp::par, keys, keys + count, values);
#else
  mgpu::locality_sort(mgpu::cpp::par, keys, keys + count, values);
#endif
}
