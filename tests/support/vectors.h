// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "executors.h"

#ifdef MGPU_TEST_CUDA
#include <thrust/device_vector.h>
#else
#include <thrust/host_vector.h>
#endif

#include <vector>

namespace test {

#ifdef MGPU_TEST_CUDA
/// The container whose iterators an executor works on.
template <class T>
using vector = thrust::device_vector<T>;
#else
template <class T>
using vector = std::vector<T>;
#endif

template <class T>
vector<T> to_vector(const std::vector<T>& x) {
  return vector<T>(x.begin(), x.end());
}

template <class T>
std::vector<T> to_std(const vector<T>& x) {
  std::vector<T> result(x.size());
  thrust::copy(x.begin(), x.end(), result.begin());
  return result;
}

}  // namespace test
