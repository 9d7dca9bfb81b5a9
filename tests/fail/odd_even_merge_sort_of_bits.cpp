// expect: the bits of a std::vector<bool> share words
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/odd_even_merge_sort.h>

#include <vector>

void misuse(std::vector<char>& bytes, std::vector<bool>& bits) {
  (void)bytes;
  (void)bits;
#ifdef MGPU_TEST_FIXED
  mgpu::odd_even_merge_sort(mgpu::cpp::par, bytes.begin(), bytes.end());
#else
  mgpu::odd_even_merge_sort(mgpu::cpp::par, bits.begin(), bits.end());
#endif
}
