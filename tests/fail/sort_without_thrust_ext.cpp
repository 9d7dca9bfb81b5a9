// expect: mgpu: include <mgpu/thrust_ext.h> .* thrust::sort may call thrust::merge
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#ifdef MGPU_TEST_FIXED
#include <mgpu/thrust_ext.h>
#endif

#include <thrust/sort.h>

#include <functional>

void misuse(long long* keys, int count, std::function<bool(long long, long long)> compare) {
  thrust::stable_sort(mgpu::cpp::par, keys, keys + count, compare);
}
