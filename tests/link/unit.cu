// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compiled several times: MGPU_LINK_UNIT is the name of the one function with external linkage, beside
// MGPU_LINK_NAMES. One of them checks inputs, one is built in another way. Two sort, with the policies
// MGPU_LINK_POLICY.
#include <mgpu/cpp.h>
#include <mgpu/merge.h>
#include <mgpu/merge_runs.h>
#include <mgpu/par.h>
#include <mgpu/sort.h>

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

#ifdef MGPU_LINK_POLICY
/// Whether call(keys, keys_end, out) leaves in one of the two what counts up, given the same in `parts` that lie in
/// reverse.
template <class Key, class Call>
bool orders_parts(int parts, bool is_in_place, const Call& call) {
  constexpr int keys = 1 << 18;
  std::vector<Key> sorted(keys);
  std::iota(sorted.begin(), sorted.end(), Key{0});
  std::vector<Key> result = sorted;
  for (auto part = result.begin(); part != result.end(); part += keys / parts) std::reverse(part, part + keys / parts);
  std::reverse(result.begin(), result.end());
  Key* memory = nullptr;
  const auto bytes = keys * sizeof(Key);
  if (cudaMalloc(&memory, 2 * bytes) != cudaSuccess) return false;
  Key *const first = memory, *const last = memory + keys;
  cudaMemcpy(first, result.data(), bytes, cudaMemcpyHostToDevice);
  call(first, last, last);
  const Key* const from = is_in_place ? first : last;
  const bool copied = cudaMemcpy(result.data(), from, bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
  cudaFree(memory);
  return copied && result == sorted;
}

/// The units call other functions of the same kernels, of which each unit has copies. It has to launch those that it
/// has asked shared memory for.
bool sorts_on_device() {
  constexpr int runs = 16;
  int* offsets = nullptr;
  if (cudaMalloc(&offsets, (runs + 1) * sizeof(int)) != cudaSuccess) return false;
  std::vector<int> begins(runs + 1);
  for (int i = 0; i <= runs; ++i) begins[i] = i << 14;
  cudaMemcpy(offsets, begins.data(), begins.size() * sizeof(int), cudaMemcpyHostToDevice);
  const bool sorts = orders_parts<long long>(1 << 18, true, [](long long* first, long long* last, long long*) {
    library::stable_sort(library::MGPU_LINK_POLICY, first, last);
  });
  const bool merges = orders_parts<int>(runs, false, [&](int* first, int* last, int* out) {
    library::merge_runs(library::MGPU_LINK_POLICY, first, last, library::run_offsets(offsets, runs), out);
  });
  cudaFree(offsets);
  return sorts && merges;
}
#endif
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
#ifdef MGPU_LINK_POLICY
  if (!sorts_on_device()) return 6;
#endif
#endif
  return 0;
}
