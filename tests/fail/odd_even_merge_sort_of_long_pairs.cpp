// expect: a tile of elements over 1 KiB has too few of them: sort their numbers
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/odd_even_merge_sort.h>

#ifdef MGPU_TEST_FIXED
constexpr int value_bytes = 1020;
#else
constexpr int value_bytes = 1021;
#endif

struct value {
  char bytes[value_bytes];
};

void misuse(int* keys, int count, value* values) {
  mgpu::odd_even_merge_sort_by_key(mgpu::cpp::par, keys, keys + count, values);
}
