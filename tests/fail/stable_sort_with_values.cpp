// expect: compare\(x, y\) takes two keys
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/sort.h>

#include <vector>

void misuse(std::vector<int>& keys, std::vector<float>& values) {
#ifdef MGPU_TEST_FIXED
  mgpu::stable_sort_by_key(mgpu::cpp::par, keys.begin(), keys.end(), values.begin());
#else
  mgpu::stable_sort(mgpu::cpp::par, keys.begin(), keys.end(), values.begin());
#endif
}
