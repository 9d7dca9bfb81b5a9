// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The eight set operations of thrust::, each with and without a comparator, run this library's with policies of ours.
#include "../support/thrust_policies.h"
#include "../support/vectors.h"
#include "set_operations/check_set_operations.h"

#include <mgpu/thrust_ext.h>

#include <thrust/merge.h>
#include <thrust/set_operations.h>

#include <type_traits>
#include <utility>

namespace {

using namespace test;
using namespace test::thrust_policies;

struct greater {
  template <class X, class Y>
  MGPU_HOST_DEVICE bool operator()(const X& x, const Y& y) const {
    return y < x;
  }
};

/// The calls of Thrust that belong to the operations of this library. All by_key forms take the values of b.
template <class Operation>
struct of_thrust;

template <>
struct of_thrust<op::set_union> {
  template <class... Args>
  static auto keys(const Args&... args) {
    return thrust::set_union(args...);
  }
  template <class Policy, class A, class B, class AValues, class BValues, class... Rest>
  static auto by_key(const Policy& p, A a, A a_end, B b, B b_end, AValues a_values, BValues b_values, Rest... rest) {
    return thrust::set_union_by_key(p, a, a_end, b, b_end, a_values, b_values, rest...);
  }
};

template <>
struct of_thrust<op::set_intersection> {
  template <class... Args>
  static auto keys(const Args&... args) {
    return thrust::set_intersection(args...);
  }
  template <class Policy, class A, class B, class AValues, class BValues, class... Rest>
  static auto by_key(const Policy& p, A a, A a_end, B b, B b_end, AValues a_values, BValues, Rest... rest) {
    return thrust::set_intersection_by_key(p, a, a_end, b, b_end, a_values, rest...);
  }
};

template <>
struct of_thrust<op::set_difference> {
  template <class... Args>
  static auto keys(const Args&... args) {
    return thrust::set_difference(args...);
  }
  template <class Policy, class A, class B, class AValues, class BValues, class... Rest>
  static auto by_key(const Policy& p, A a, A a_end, B b, B b_end, AValues a_values, BValues b_values, Rest... rest) {
    return thrust::set_difference_by_key(p, a, a_end, b, b_end, a_values, b_values, rest...);
  }
};

template <>
struct of_thrust<op::set_symmetric_difference> {
  template <class... Args>
  static auto keys(const Args&... args) {
    return thrust::set_symmetric_difference(args...);
  }
  template <class Policy, class A, class B, class AValues, class BValues, class... Rest>
  static auto by_key(const Policy& p, A a, A a_end, B b, B b_end, AValues a_values, BValues b_values, Rest... rest) {
    return thrust::set_symmetric_difference_by_key(p, a, a_end, b, b_end, a_values, b_values, rest...);
  }
};

using iterator = vector<int>::iterator;

}  // namespace

TEST_CASE_TEMPLATE("a set operation of thrust:: of keys, with and without a comparator", Operation, op::set_union,
                   op::set_intersection, op::set_difference, op::set_symmetric_difference) {
  std::mt19937 random(1);
  for (const auto& size : {sizes{0, 0}, sizes{3, 4}, sizes{50000, 40001}}) {
    const auto in = overlapping_keys<int>(overlap::some, size.a, size.b, random);
    const std::vector<int> a_down(in.a.rbegin(), in.a.rend()), b_down(in.b.rbegin(), in.b.rend());
    const auto a = to_vector(in.a), b = to_vector(in.b), a_backwards = to_vector(a_down),
               b_backwards = to_vector(b_down);
    const auto expected = in_order<int>(emitted_numbers<Operation>(in.a, in.b, std::less<>{}), in.a, in.b);
    const std::vector<int> expected_down(expected.rbegin(), expected.rend());
    for_some_policies([&](const auto& policy) {
      vector<int> up(expected.size()), down(expected.size());
      const auto up_end = of_thrust<Operation>::keys(policy, a.begin(), a.end(), b.begin(), b.end(), up.begin());
      const auto down_end = of_thrust<Operation>::keys(policy, a_backwards.begin(), a_backwards.end(),
                                                       b_backwards.begin(), b_backwards.end(), down.begin(), greater{});
      finish();
      static_assert(std::is_same_v<decltype(up_end), const iterator>);
      static_assert(std::is_same_v<decltype(down_end), const iterator>);
      CHECK(up_end == up.end());
      CHECK(down_end == down.end());
      CHECK(to_std(up) == expected);
      CHECK(to_std(down) == expected_down);
    });
  }
}

TEST_CASE_TEMPLATE("a set operation of thrust:: by key, with and without a comparator", Operation, op::set_union,
                   op::set_intersection, op::set_difference, op::set_symmetric_difference) {
  std::mt19937 random(2);
  for (const auto& size : {sizes{0, 5}, sizes{40001, 50000}}) {
    const auto in = overlapping_keys<int>(overlap::lone_runs, size.a, size.b, random);
    const std::vector<int> a_down(in.a.rbegin(), in.a.rend()), b_down(in.b.rbegin(), in.b.rend());
    const auto a = to_vector(in.a), b = to_vector(in.b), a_backwards = to_vector(a_down),
               b_backwards = to_vector(b_down);
    const auto a_values = to_vector(numbered_values<int>(0, size.a)),
               b_values = to_vector(numbered_values<int>(size.a, size.b));
    const auto numbers = emitted_numbers<Operation>(in.a, in.b, std::less<>{}),
               numbers_down = emitted_numbers<Operation>(a_down, b_down, greater{});
    for_some_policies([&](const auto& policy) {
      vector<int> keys(numbers.size()), values(numbers.size()), keys_down(numbers.size()), values_down(numbers.size());
      const auto ends = of_thrust<Operation>::by_key(policy, a.begin(), a.end(), b.begin(), b.end(), a_values.begin(),
                                                     b_values.begin(), keys.begin(), values.begin());
      const auto ends_down = of_thrust<Operation>::by_key(
          policy, a_backwards.begin(), a_backwards.end(), b_backwards.begin(), b_backwards.end(), a_values.begin(),
          b_values.begin(), keys_down.begin(), values_down.begin(), greater{});
      finish();
      static_assert(std::is_same_v<decltype(ends), const thrust::pair<iterator, iterator>>);
      static_assert(std::is_same_v<decltype(ends_down), const thrust::pair<iterator, iterator>>);
      CHECK(ends.first == keys.end());
      CHECK(ends.second == values.end());
      CHECK(ends_down.first == keys_down.end());
      CHECK(ends_down.second == values_down.end());
      CHECK(to_std(keys) == in_order<int>(numbers, in.a, in.b));
      CHECK(to_std(values) == numbers);
      CHECK(to_std(keys_down) == in_order<int>(numbers_down, a_down, b_down));
      CHECK(to_std(values_down) == numbers_down);
    });
  }
}

// Thrust itself checks nothing: what is thrown is the proof that a call has come to this library.
TEST_CASE("every call reaches this library, and those of one operation with every policy") {
  const input<first_executor, int> in({1, 2, 3, 4, 5});
  const output<first_executor, int> keys(10), values(10);
  int *const a = in.begin(), *const a_end = in.end(), *const k = keys.begin(), *const v = values.begin();
  const auto check = [&](const auto& policy, auto operation) {
    using calls = of_thrust<decltype(operation)>;
    CHECK(throws_ours([&] { calls::keys(policy, a_end, a, a, a_end, k); }));
    CHECK(throws_ours([&] { calls::keys(policy, a_end, a, a, a_end, k, greater{}); }));
    CHECK(throws_ours([&] { calls::by_key(policy, a_end, a, a, a_end, a, a, k, v); }));
    CHECK(throws_ours([&] { calls::by_key(policy, a_end, a, a, a_end, a, a, k, v, greater{}); }));
  };
  for_each_policy([&](const auto& policy) { check(policy, op::set_union{}); });
  for_some_policies([&](const auto& policy) { for_each_operation([&](auto operation) { check(policy, operation); }); });
  CHECK(keys.untouched());
  CHECK(values.untouched());
}

TEST_CASE("keys of two types, as Thrust takes them") {
  for_some_policies([](const auto& policy) {
    std::vector<int> a(30000);
    std::vector<std::int64_t> b(20000);
    for (int i = 0; i < 30000; ++i) a[static_cast<std::size_t>(i)] = i / 2;
    for (int i = 0; i < 20000; ++i) b[static_cast<std::size_t>(i)] = i / 3;
    const auto numbers = emitted_numbers<op::set_union>(a, b, std::less<>{});
    const auto a_in = to_vector(a);
    const auto b_in = to_vector(b);
    vector<std::int64_t> out(numbers.size());
    const auto end = thrust::set_union(policy, a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), out.begin());
    finish();
    CHECK(end == out.end());
    CHECK(to_std(out) == in_order<std::int64_t>(numbers, a, b));
  });
}

// Without a comparator Thrust compares by less of the first type.
TEST_CASE("keys of two types that less orders in two ways") {
  const auto a_in = to_vector(std::vector<int>{-5, -1, 2, 7});
  const auto b_in = to_vector(std::vector<unsigned>{2, 3, 7});
  const auto c_in = to_vector(std::vector<double>{-1.5, 1.5, 2.5, 2.7, 7.5});
#ifdef MGPU_TEST_CUDA
  const auto& policy = mgpu::par;
  const auto& thrusts = thrust::cuda::par;
#else
  const auto& policy = mgpu::cpp::par;
  const auto& thrusts = thrust::cpp::par;
#endif
  const auto check = [&](const auto& call) {
    const auto found = call(policy);
    finish();
    const auto expected = call(thrusts);
    CHECK(found.first == expected.first);
    CHECK(to_std(found.second) == to_std(expected.second));
  };
  const auto check_keys = [&](const auto& call) {
    check([&](const auto& p) {
      vector<int> out(9);
      return std::pair(call(p, out.begin()) - out.begin(), out);
    });
  };
  const auto check_pairs = [&](const auto& call) {
    check([&](const auto& p) {
      vector<int> keys(9), values(9);
      return std::pair(call(p, keys.begin(), values.begin()).second - values.begin(), values);
    });
  };
  const auto a = a_in.begin(), a_end = a_in.end();
  const auto b = b_in.begin(), b_end = b_in.end();
  const auto c = c_in.begin(), c_end = c_in.end();
  check_keys([&](const auto& p, auto out) { return thrust::set_union(p, a, a_end, b, b_end, out); });
  check_keys([&](const auto& p, auto out) { return thrust::set_intersection(p, a, a_end, b, b_end, out); });
  check_keys([&](const auto& p, auto out) { return thrust::set_difference(p, a, a_end, c, c_end, out); });
  check_keys([&](const auto& p, auto out) { return thrust::set_symmetric_difference(p, a, a_end, b, b_end, out); });
  check_pairs([&](const auto& p, auto keys, auto values) {
    return thrust::set_union_by_key(p, a, a_end, b, b_end, a, b, keys, values);
  });
  check_pairs([&](const auto& p, auto keys, auto values) {
    return thrust::set_intersection_by_key(p, a, a_end, c, c_end, a, keys, values);
  });
  check_pairs([&](const auto& p, auto keys, auto values) {
    return thrust::set_difference_by_key(p, a, a_end, b, b_end, a, b, keys, values);
  });
  check_pairs([&](const auto& p, auto keys, auto values) {
    return thrust::set_symmetric_difference_by_key(p, a, a_end, c, c_end, a, c, keys, values);
  });
#ifndef MGPU_TEST_CUDA  // whose merges compare int with unsigned: then a is not sorted
  check_keys([&](const auto& p, auto out) { return thrust::merge(p, a, a_end, b, b_end, out); });
  check_pairs([&](const auto& p, auto keys, auto values) {
    return thrust::merge_by_key(p, a, a_end, b, b_end, a, b, keys, values);
  });
#endif
}
