// expect: mgpu: include <mgpu/thrust_ext.h> to call thrust::merge, thrust::set_
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/omp.h>
#ifdef MGPU_TEST_FIXED
#include <mgpu/thrust_ext.h>
#endif

#include <thrust/merge.h>

void misuse(const int* a, const int* b, int count, const float* a_values, const float* b_values, int* out,
            float* values) {
  thrust::merge_by_key(mgpu::omp::par, a, a + count, b, b + count, a_values, b_values, out, values);
}
