// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The calls of the library on a handful of elements; checks its own results.

#include <mgpu/merge.h>
#include <mgpu/par.h>

#include <thrust/device_vector.h>

#include <cstdio>

bool merges() {
  // [snippet: merge]
  const thrust::device_vector<int> a{1, 3, 3, 8}, b{2, 3, 9};
  thrust::device_vector<int> merged(a.size() + b.size());
  mgpu::merge(mgpu::par, a.begin(), a.end(), b.begin(), b.end(), merged.begin());  // 1 2 3 3 3 8 9
  // [end]
  return merged == thrust::device_vector<int>{1, 2, 3, 3, 3, 8, 9};
}

// [snippet: merge_by_key]
struct descending {
  MGPU_HOST_DEVICE bool operator()(float x, float y) const { return y < x; }
};

template <class Keys, class Values>
void merge_best_first(const Keys& a, const Keys& b, const Values& a_values, const Values& b_values, Keys& keys_out,
                      Values& values_out) {
  mgpu::merge_by_key(mgpu::par, a.begin(), a.end(), b.begin(), b.end(), a_values.begin(), b_values.begin(),
                     keys_out.begin(), values_out.begin(), descending{});
}
// [end]

bool merges_by_key() {
  const thrust::device_vector<float> a{0.9f, 0.5f, 0.5f}, b{0.7f, 0.5f};
  const thrust::device_vector<char> a_values{'a', 'b', 'c'}, b_values{'x', 'y'};
  thrust::device_vector<float> scores(5);
  thrust::device_vector<char> names(5);
  merge_best_first(a, b, a_values, b_values, scores, names);
  return scores == thrust::device_vector<float>{0.9f, 0.7f, 0.5f, 0.5f, 0.5f} &&
         names == thrust::device_vector<char>{'a', 'x', 'b', 'c', 'y'};  // equal scores: those of a first
}

int main() {
  const bool is_right = merges() && merges_by_key();
  std::printf("merge and merge_by_key: %s\n", is_right ? "right" : "WRONG");
  return is_right ? 0 : 1;
}
