// expect: the bits of a std::vector<bool> share words
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/interval.h>

#include <vector>

void misuse(const mgpu::interval_offsets<const int*>& intervals, const std::vector<bool>& flags,
            std::vector<char>& bytes, std::vector<bool>& bits) {
  (void)bytes;
  (void)bits;
#ifdef MGPU_TEST_FIXED
  mgpu::interval_expand(mgpu::cpp::par, intervals, flags.begin(), bytes.begin());
#else
  mgpu::interval_expand(mgpu::cpp::par, intervals, flags.begin(), bits.begin());
#endif
}
