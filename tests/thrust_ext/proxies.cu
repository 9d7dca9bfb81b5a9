// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Comparators that are templates are given keys, not the proxies that iterators of device_vectors give.
#include "../support/thrust_policies.h"

#include <mgpu/thrust_ext.h>

#include <doctest/doctest.h>

#include <thrust/device_ptr.h>
#include <thrust/device_reference.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/merge.h>
#include <thrust/set_operations.h>

#include <cuda/std/tuple>

#include <cstddef>
#include <vector>

namespace {

using namespace test;
using namespace test::thrust_policies;

struct row {
  int x, y;
};
struct less_x {
  template <class T>
  MGPU_HOST_DEVICE bool operator()(const T& l, const T& r) const {
    return l.x < r.x;
  }
};
struct greater_x {
  template <class T>
  MGPU_HOST_DEVICE bool operator()(const T& l, const T& r) const {
    return l.x > r.x;
  }
};
struct less_first {
  template <class T>
  MGPU_HOST_DEVICE bool operator()(const T& l, const T& r) const {
    return thrust::get<0>(l) < thrust::get<0>(r);
  }
};

using number = thrust::device_reference<const int>;
using numbers = cuda::std::tuple<number, number>;
struct numbers_at {
  thrust::device_ptr<const int> keys, values;
  MGPU_HOST_DEVICE numbers operator()(std::ptrdiff_t i) const { return numbers(keys[i], values[i]); }
};
/// As cuda::zip_iterator of two iterators of device_vectors.
auto zipped(const thrust::device_vector<int>& keys, const thrust::device_vector<int>& values) {
  using positions = thrust::counting_iterator<std::ptrdiff_t>;
  return thrust::transform_iterator<numbers_at, positions, numbers, cuda::std::tuple<int, int>>(
      positions(0), numbers_at{keys.data(), values.data()});
}

std::vector<int> xs_of(const thrust::device_vector<row>& rows) {
  std::vector<int> result;
  for (const row& r : std::vector<row>(rows.begin(), rows.end())) result.push_back(r.x);
  return result;
}

}  // namespace

TEST_CASE("structs behind iterators that permute and reverse") {
  const thrust::device_vector<row> a(std::vector<row>{{1, 0}, {3, 1}}), b(std::vector<row>{{2, 2}, {3, 3}, {4, 4}});
  const thrust::device_vector<int> places(std::vector<int>{0, 1});
  for_some_policies([&](const auto& policy) {
    thrust::device_vector<row> merged(5), united(4);
    const auto in_a = thrust::make_permutation_iterator(a.begin(), places.begin());
    const auto end = thrust::merge(policy, in_a, in_a + 2, b.begin(), b.end(), merged.begin(), less_x{});
    const auto united_end = thrust::set_union(
        policy, thrust::make_reverse_iterator(a.end()), thrust::make_reverse_iterator(a.begin()),
        thrust::make_reverse_iterator(b.end()), thrust::make_reverse_iterator(b.begin()), united.begin(), greater_x{});
    finish();
    CHECK(end == merged.end());
    CHECK(united_end == united.end());
    CHECK(xs_of(merged) == std::vector<int>{1, 2, 3, 3, 4});
    CHECK(xs_of(united) == std::vector<int>{4, 3, 2, 1});
  });
}

TEST_CASE("tuples of proxies") {
  const thrust::device_vector<int> keys(std::vector<int>{1, 3}), values(std::vector<int>{10, 30});
  const thrust::device_vector<int> others(std::vector<int>{2, 3}), their_values(std::vector<int>{20, 29});
  const auto a = zipped(keys, values), b = zipped(others, their_values);
  for_some_policies([&](const auto& policy) {
    thrust::device_vector<int> k_out(4), v_out(4);
    const auto out = thrust::make_zip_iterator(k_out.begin(), v_out.begin());
    CHECK(thrust::merge(policy, a, a + 2, b, b + 2, out) == out + 4);
    finish();
    CHECK(std::vector<int>(v_out.begin(), v_out.end()) == std::vector<int>{10, 20, 29, 30});
    CHECK(thrust::set_difference(policy, b, b + 2, a, a + 2, out, less_first{}) == out + 1);
    finish();
    CHECK(std::vector<int>(v_out.begin(), v_out.end()) == std::vector<int>{20, 20, 29, 30});
  });
}

TEST_CASE("set operations of zips, also in place") {
  const std::vector<int> keys{1, 3, 5, 7, 9}, values{10, 30, 50, 70, 90}, others{3, 4, 9};
  for_some_policies([&](const auto& policy) {
    thrust::device_vector<int> k(keys), v(values), other(others), k_out(5), v_out(5);
    const auto a = thrust::make_zip_iterator(k.begin(), v.begin());
    const auto b = thrust::make_zip_iterator(other.begin(), other.begin());
    const auto out = thrust::make_zip_iterator(k_out.begin(), v_out.begin());
    CHECK(thrust::set_difference(policy, a, a + 5, b, b + 3, out, less_first{}) - out == 3);
    finish();
    CHECK(std::vector<int>(v_out.begin(), v_out.end()) == std::vector<int>{10, 50, 70, 0, 0});
#ifndef MGPU_TEST_CUDA  // which has no set operations in place
    CHECK(thrust::set_difference(policy, a, a + 5, b, b + 3, a, less_first{}) - a == 3);
    CHECK(std::vector<int>(v.begin(), v.begin() + 3) == std::vector<int>{10, 50, 70});
#endif
  });
}
