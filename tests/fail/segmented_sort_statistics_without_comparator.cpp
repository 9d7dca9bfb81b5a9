// expect: sort statistics come after the comparator
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/locality_sort.h>

void misuse(int* keys, int count, mgpu::sort_statistics& statistics) {
#ifdef MGPU_TEST_FIXED
  mgpu::locality_sort(mgpu::cpp::par, keys, keys + count, cuda::std::less<>{}, statistics);
#else
  mgpu::locality_sort(mgpu::cpp::par, keys, keys + count, statistics);
#endif
}
