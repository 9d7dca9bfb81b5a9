// expect: mgpu: include <mgpu/thrust_ext.h> to call thrust::merge, thrust::set_
// expect: Hooks=mgpu::[^ ]*merge_hooks
// expect: Hooks=mgpu::[^ ]*set_operation_hooks
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/par.h>
#ifdef MGPU_TEST_FIXED
#include <mgpu/thrust_ext.h>
#endif

#include <thrust/merge.h>
#include <thrust/set_operations.h>

void misuse(const int* a, const int* b, int count, int* out) {
  thrust::merge(mgpu::par, a, a + count, b, b + count, out);
  thrust::set_union(mgpu::par, a, a + count, b, b + count, out);
}
