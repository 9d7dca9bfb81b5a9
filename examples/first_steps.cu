// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The calls of the library on a handful of elements; checks its own results.

#include <mgpu/merge.h>
#include <mgpu/par.h>
#include <mgpu/set_operations.h>

#include <thrust/device_vector.h>

#include <cstddef>
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

bool operates_on_sets() {
  // [snippet: set operations]
  const thrust::device_vector<int> a{1, 3, 3, 3, 8}, b{2, 3, 3, 9};
  thrust::device_vector<int> united(a.size() + b.size()), common(b.size());
  const auto united_end = mgpu::set_union(mgpu::par, a.begin(), a.end(), b.begin(), b.end(), united.begin());
  const auto common_end = mgpu::set_intersection(mgpu::par, a.begin(), a.end(), b.begin(), b.end(), common.begin());
  united.erase(united_end, united.end());  // 1 2 3 3 3 8 9
  common.erase(common_end, common.end());  // 3 3
  // [end]
  return united == thrust::device_vector<int>{1, 2, 3, 3, 3, 8, 9} && common == thrust::device_vector<int>{3, 3};
}

bool counts() {
  const thrust::device_vector<int> a{1, 3, 3, 3, 8}, b{2, 3, 3, 9};
  // [snippet: size of a set operation]
  const auto size = mgpu::set_difference_size(mgpu::par, a.begin(), a.end(), b.begin(), b.end());  // 1 3 8: 3
  // [end]
  return size == 3;
}

// [snippet: size on the device]
/// Queues the operation and returns: nothing waits for the size, which the work behind it reads where it is.
template <class Keys, class Size>
void common_keys(const Keys& a, const Keys& b, Keys& out, Size& size) {
  mgpu::set_intersection_into(mgpu::par_nosync, a.begin(), a.end(), b.begin(), b.end(), out.begin(), size.begin());
}
// [end]

bool leaves_size_on_device() {
  const thrust::device_vector<int> a{1, 3, 3, 3, 8}, b{2, 3, 3, 9};
  thrust::device_vector<int> out(4);
  thrust::device_vector<std::ptrdiff_t> size(1);
  common_keys(a, b, out, size);
  return size[0] == 2 && out[0] == 3 && out[1] == 3;
}

int main() {
  const bool merges_right = merges() && merges_by_key();
  std::printf("merge and merge_by_key: %s\n", merges_right ? "right" : "WRONG");
  const bool sets_are_right = operates_on_sets() && counts() && leaves_size_on_device();
  std::printf("set operations: %s\n", sets_are_right ? "right" : "WRONG");
  return merges_right && sets_are_right ? 0 : 1;
}
