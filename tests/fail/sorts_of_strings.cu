// expect: elements that are sorted on the GPU must be trivially copyable: sort row numbers
// expect: text<1>
// expect: text<2>
// expect: text<3>
// expect: text<4>
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/locality_sort.h>
#include <mgpu/odd_even_merge_sort.h>
#include <mgpu/par.h>
#include <mgpu/segmented_sort.h>
#include <mgpu/sort.h>

#include <string>

#ifdef MGPU_TEST_FIXED
template <int>
struct text {
  char bytes[32];
};
#else
template <int>
struct text : std::string {};
#endif

void misuse(int* keys, text<1>* a, text<2>* b, text<3>* c, text<4>* d, const int* offsets) {
  mgpu::locality_sort_by_key(mgpu::par, keys, keys + 3, a);
  mgpu::odd_even_merge_sort_by_key(mgpu::par, keys, keys + 3, b);
  mgpu::segmented_sort_by_key(mgpu::par, keys, keys + 3, c, mgpu::segment_offsets(offsets, 2));
  mgpu::stable_sort_by_key(mgpu::par, keys, keys + 3, d);
}
