// expect: the inputs are random-access iterators
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/odd_even_merge_sort.h>

#include <functional>

void misuse(int* keys, int count) {
#ifdef MGPU_TEST_FIXED
  mgpu::odd_even_merge_sort(mgpu::cpp::par, keys, keys + count, std::greater<>{});
#else
  mgpu::odd_even_merge_sort_by_key(mgpu::cpp::par, keys, keys + count, std::greater<>{});
#endif
}
