// expect: segment flags are bits of 32-bit words
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/segmented_sort.h>

#include <cstdint>

#ifdef MGPU_TEST_FIXED
using word = std::uint32_t;
#else
using word = std::uint64_t;
#endif

void misuse(int* keys, int count, const word* words) {
  mgpu::segmented_sort(mgpu::cpp::par, keys, keys + count, mgpu::segment_flags(words));
}
