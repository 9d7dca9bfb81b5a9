// expect: segments are mgpu::segment_heads
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/segmented_sort.h>

void misuse(int* keys, int count, const int* heads, int head_count) {
#ifdef MGPU_TEST_FIXED
  mgpu::segmented_sort(mgpu::cpp::par, keys, keys + count, mgpu::segment_heads(heads, heads + head_count));
#else
  (void)head_count;
  mgpu::segmented_sort(mgpu::cpp::par, keys, keys + count, heads);
#endif
}
