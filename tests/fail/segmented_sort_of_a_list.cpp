// expect: the inputs are random-access iterators
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/segmented_sort.h>

#include <list>
#include <vector>

#ifdef MGPU_TEST_FIXED
using container = std::vector<int>;
#else
using container = std::list<int>;
#endif

void misuse(container& keys, const int* offsets, int count) {
  mgpu::segmented_sort(mgpu::cpp::par, keys.begin(), keys.end(), mgpu::segment_offsets(offsets, count));
}
