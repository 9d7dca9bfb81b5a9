// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compiled several times: MGPU_LINK_UNIT is the name of the one function with external linkage.
#include <mgpu/cpp.h>
#include <mgpu/merge.h>
#include <mgpu/par.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace {

constexpr int count = 10000;

std::vector<int> every_second_from(int first) {
  std::vector<int> result(count);
  for (int i = 0; i < count; ++i) result[i] = first + 2 * i;
  return result;
}

template <class Iterator>
bool counts_up(Iterator first, Iterator last) {
  std::vector<int> expected(2 * count);
  std::iota(expected.begin(), expected.end(), 0);
  return std::equal(first, last, expected.begin(), expected.end());
}

bool merges_on_host(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> out(2 * count);
  const auto end = mgpu::merge(mgpu::cpp::par, a.begin(), a.end(), b.begin(), b.end(), out.begin());
  return end == out.end() && counts_up(out.begin(), out.end());
}

#ifdef __CUDACC__
bool merges_on_device(const std::vector<int>& a, const std::vector<int>& b) {
  int* memory = nullptr;
  const auto bytes = count * sizeof(int);
  if (cudaMalloc(&memory, 4 * bytes) != cudaSuccess) return false;
  int* const a_copy = memory;
  int* const b_copy = memory + count;
  int* const out = memory + 2 * count;
  cudaMemcpy(a_copy, a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b_copy, b.data(), bytes, cudaMemcpyHostToDevice);
  const int* const end = mgpu::merge(mgpu::par, a_copy, a_copy + count, b_copy, b_copy + count, out);
  std::vector<int> result(2 * count);
  const bool copied = cudaMemcpy(result.data(), out, 2 * bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
  cudaFree(memory);
  return copied && end == out + 2 * count && counts_up(result.begin(), result.end());
}
#endif

}  // namespace

int MGPU_LINK_UNIT() {
  const std::vector<int> a = every_second_from(0);
  const std::vector<int> b = every_second_from(1);
  if (!merges_on_host(a, b)) return 1;
#ifdef __CUDACC__
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return 77;
  if (!merges_on_device(a, b)) return 2;
#endif
  return 0;
}
