// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compiled several times: MGPU_LINK_UNIT is the name of the one function with external linkage, beside
// MGPU_LINK_NAMES. One of them checks inputs, one is built in another way.
#include <mgpu/cpp.h>
#include <mgpu/merge.h>
#include <mgpu/par.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

namespace {

namespace library = MGPU_NAMESPACE;

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
  const auto end = library::merge(library::cpp::par, a.begin(), a.end(), b.begin(), b.end(), out.begin());
  return end == out.end() && counts_up(out.begin(), out.end());
}

#ifdef MGPU_CHECK_INPUTS
constexpr bool checks_inputs = true;
#else
constexpr bool checks_inputs = false;
#endif

/// Whether inputs that are not sorted are found in the unit that asks for it, and in no other: each has its own
/// functions.
bool checks_as_asked(const std::vector<int>& a) {
  const int reversed[] = {2, 1};
  std::vector<int> out(a.size() + 2);
  try {
    library::merge(library::cpp::par, a.begin(), a.end(), reversed, reversed + 2, out.begin());
  } catch (const std::invalid_argument&) {
    return checks_inputs;
  }
  return !checks_inputs;
}

#ifdef __CUDACC__
/// Merges a and b as keys of 8 bytes, each its own value: a tile of them takes more shared memory than a kernel has
/// without asking, and each shared library has to ask for its own kernels.
bool merges_on_device(const std::vector<int>& a, const std::vector<int>& b) {
  const std::vector<long long> a_wide(a.begin(), a.end()), b_wide(b.begin(), b.end());
  long long* memory = nullptr;
  const auto bytes = count * sizeof(long long);
  if (cudaMalloc(&memory, 6 * bytes) != cudaSuccess) return false;
  long long *const a_copy = memory, *const b_copy = memory + count;
  long long *const keys_out = memory + 2 * count, *const values_out = memory + 4 * count;
  cudaMemcpy(a_copy, a_wide.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b_copy, b_wide.data(), bytes, cudaMemcpyHostToDevice);
  const auto ends = library::merge_by_key(library::par, a_copy, a_copy + count, b_copy, b_copy + count, a_copy, b_copy,
                                          keys_out, values_out);
  std::vector<long long> result(4 * count);
  const bool copied = cudaMemcpy(result.data(), keys_out, 4 * bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
  cudaFree(memory);
  return copied && ends.first == keys_out + 2 * count && ends.second == values_out + 2 * count &&
         counts_up(result.begin(), result.begin() + 2 * count) && counts_up(result.begin() + 2 * count, result.end());
}
#endif

}  // namespace

const char* MGPU_LINK_NAMES() { return TEXT(MGPU_ABI); }

int MGPU_LINK_UNIT() {
  const std::vector<int> a = every_second_from(0);
  const std::vector<int> b = every_second_from(1);
  if (!merges_on_host(a, b)) return 1;
  if (!checks_as_asked(a)) return 3;
#ifdef __CUDACC__
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return 77;
  if (!merges_on_device(a, b)) return 2;
#endif
  return 0;
}
