// expect: a sort writes its keys and values
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/segmented_sort.h>

#ifdef MGPU_TEST_FIXED
using key = int;
#else
using key = const int;
#endif

void misuse(key* keys, int count, const int* heads, int head_count) {
  mgpu::segmented_sort(mgpu::cpp::par, keys, keys + count, mgpu::segment_heads(heads, heads + head_count));
}
