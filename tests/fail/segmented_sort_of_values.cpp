// expect: segments are mgpu::segment_heads
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/segmented_sort.h>

void misuse(int* keys, int count, float* values, const int* offsets, int segments) {
#ifdef MGPU_TEST_FIXED
  mgpu::segmented_sort_by_key(mgpu::cpp::par, keys, keys + count, values, mgpu::segment_offsets(offsets, segments));
#else
  mgpu::segmented_sort(mgpu::cpp::par, keys, keys + count, values, mgpu::segment_offsets(offsets, segments));
#endif
}
