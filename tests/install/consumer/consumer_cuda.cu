// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/merge.h>
#include <mgpu/par.h>
#include <mgpu/thrust_ext.h>

#include <thrust/device_vector.h>
#include <thrust/merge.h>

int main() {
  const thrust::device_vector<int> a(3, 1);
  const thrust::device_vector<int> b(2, 2);
  thrust::device_vector<int> out(5);
  mgpu::merge(mgpu::par, a.begin(), a.end(), b.begin(), b.end(), out.begin());
  thrust::merge(mgpu::par, a.begin(), a.end(), b.begin(), b.end(), out.begin());
}
