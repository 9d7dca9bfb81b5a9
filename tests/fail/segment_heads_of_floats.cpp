// expect: the positions of segment heads are integers
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/segmented_sort.h>

#ifdef MGPU_TEST_FIXED
using position = int;
#else
using position = float;
#endif

void misuse(int* keys, int count, const position* heads, int head_count) {
  mgpu::segmented_sort(mgpu::cpp::par, keys, keys + count, mgpu::segment_heads(heads, heads + head_count));
}
