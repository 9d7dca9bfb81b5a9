// expect: an output takes the elements of its inputs
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/merge.h>

#include <vector>

void misuse(const int* a, const int* b, int count, std::vector<int>& out) {
#ifdef MGPU_TEST_FIXED
  mgpu::merge(mgpu::cpp::par, a, a + count, b, b + count, out.begin());
#else
  mgpu::merge(mgpu::cpp::par, a, a + count, b, b + count, out.cbegin());
#endif
}
