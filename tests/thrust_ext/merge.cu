// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// thrust::merge and thrust::merge_by_key with policies of ours run this library's merge.
#include "../support/check_merge.h"
#include "../support/patterns.h"
#include "../support/thrust_policies.h"
#include "../support/vectors.h"

#include <mgpu/thrust_ext.h>

#include <thrust/sort.h>

#include <random>
#include <type_traits>

namespace {

using namespace test;
using namespace test::thrust_policies;

struct greater {
  template <class X, class Y>
  MGPU_HOST_DEVICE bool operator()(const X& x, const Y& y) const {
    return y < x;
  }
};

}  // namespace

TEST_CASE("thrust::merge, with and without a comparator") {
  std::mt19937 random(1);
  for (const auto& size : {sizes{0, 0}, sizes{3, 4}, sizes{90000, 50001}}) {
    auto a = sorted_keys<int>(pattern::few_keys, 0, size.a, size.b, random);
    auto b = sorted_keys<std::int64_t>(pattern::few_keys, 1, size.b, size.a, random);
    for (auto& x : b) x = (x / 0x123456789) % 3 + 1;
    for (auto& x : a) x = x % 4 + 1;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    const auto a_down = to_vector(std::vector<int>(a.rbegin(), a.rend()));
    const auto b_down = to_vector(std::vector<std::int64_t>(b.rbegin(), b.rend()));
    const auto a_up = to_vector(a);
    const auto b_up = to_vector(b);
    const auto expected = in_order<std::int64_t>(merged_order(a, b, std::less<>{}), a, b);
    const std::vector<std::int64_t> expected_down(expected.rbegin(), expected.rend());
    for_some_policies([&](const auto& policy) {
      vector<std::int64_t> up(expected.size()), down(expected.size());
      const auto up_end = thrust::merge(policy, a_up.begin(), a_up.end(), b_up.begin(), b_up.end(), up.begin());
      const auto down_end =
          thrust::merge(policy, a_down.begin(), a_down.end(), b_down.begin(), b_down.end(), down.begin(), greater{});
      finish();
      static_assert(std::is_same_v<decltype(up_end), const vector<std::int64_t>::iterator>);
      static_assert(std::is_same_v<decltype(down_end), const vector<std::int64_t>::iterator>);
      CHECK(up_end == up.end());
      CHECK(down_end == down.end());
      CHECK(to_std(up) == expected);
      CHECK(to_std(down) == expected_down);
    });
  }
}

TEST_CASE("thrust::merge_by_key, with and without a comparator") {
  std::mt19937 random(2);
  for (const auto& size : {sizes{0, 5}, sizes{60001, 80000}}) {
    const auto a = sorted_keys<int>(pattern::few_keys, 0, size.a, size.b, random);
    const auto b = sorted_keys<int>(pattern::few_keys, 1, size.b, size.a, random);
    const std::vector<int> a_backwards(a.rbegin(), a.rend()), b_backwards(b.rbegin(), b.rend());
    const auto a_up = to_vector(a), b_up = to_vector(b), a_down = to_vector(a_backwards),
               b_down = to_vector(b_backwards);
    const auto a_values = to_vector(numbered_values<int>(0, size.a)),
               b_values = to_vector(numbered_values<int>(size.a, size.b));
    const auto order = merged_order(a, b, std::less<>{}),
               order_down = merged_order(a_backwards, b_backwards, greater{});
    for_some_policies([&](const auto& policy) {
      vector<int> keys(order.size()), values(order.size()), keys_down(order.size()), values_down(order.size());
      const auto ends = thrust::merge_by_key(policy, a_up.begin(), a_up.end(), b_up.begin(), b_up.end(),
                                             a_values.begin(), b_values.begin(), keys.begin(), values.begin());
      const auto ends_down =
          thrust::merge_by_key(policy, a_down.begin(), a_down.end(), b_down.begin(), b_down.end(), a_values.begin(),
                               b_values.begin(), keys_down.begin(), values_down.begin(), greater{});
      finish();
      using iterator = vector<int>::iterator;
      static_assert(std::is_same_v<decltype(ends), const thrust::pair<iterator, iterator>>);
      static_assert(std::is_same_v<decltype(ends_down), const thrust::pair<iterator, iterator>>);
      CHECK(ends.first == keys.end());
      CHECK(ends.second == values.end());
      CHECK(ends_down.first == keys_down.end());
      CHECK(ends_down.second == values_down.end());
      CHECK(to_std(keys) == in_order<int>(order, a, b));
      CHECK(to_std(values) == order);
      CHECK(to_std(keys_down) == in_order<int>(order_down, a_backwards, b_backwards));
      CHECK(to_std(values_down) == order_down);
    });
  }
}

// Thrust itself checks nothing: what is thrown is the proof that a call has come to this library.
TEST_CASE("every call with every policy reaches this library") {
  const input<first_executor, int> in({1, 2, 3, 4, 5});
  const output<first_executor, int> keys(10), values(10);
  int *const a = in.begin(), *const a_end = in.end(), *const k = keys.begin(), *const v = values.begin();
  for_each_policy([&](const auto& policy) {
    CHECK(throws_ours([&] { thrust::merge(policy, a_end, a, a, a_end, k); }));
    CHECK(throws_ours([&] { thrust::merge(policy, a_end, a, a, a_end, k, greater{}); }));
    CHECK(throws_ours([&] { thrust::merge_by_key(policy, a_end, a, a, a_end, a, a, k, v); }));
    CHECK(throws_ours([&] { thrust::merge_by_key(policy, a_end, a, a, a_end, a, a, k, v, greater{}); }));
  });
  CHECK(keys.untouched());
  CHECK(values.untouched());
}

TEST_CASE("sorts of Thrust, which may themselves call thrust::merge") {
  auto expected = numbered_values<int>(0, 40000);
  auto numbers = expected;
  std::shuffle(numbers.begin(), numbers.end(), std::mt19937(3));
  for_each_policy([&](const auto& policy) {
    auto x = to_vector(numbers), keys = to_vector(numbers), values = to_vector(numbers);
    thrust::stable_sort(policy, x.begin(), x.end());
    thrust::stable_sort_by_key(policy, keys.begin(), keys.end(), values.begin());
    finish();
    CHECK(to_std(x) == expected);
    CHECK(to_std(keys) == expected);
    CHECK(to_std(values) == expected);
  });
}

#ifdef MGPU_TEST_CUDA
// Thrust's merge takes scratch for every size, this library's only for large ones.
TEST_CASE("small calls take no scratch") {
  const input<cuda_executor, int> in({1, 2, 3, 4, 5});
  const output<cuda_executor, int> out(10);
  allocator::allocations = 0;
  thrust::merge(thrust::cuda::par(allocator{}), in.begin(), in.end(), in.begin(), in.end(), out.begin());
  CHECK(allocator::allocations > 0);
  allocator::allocations = 0;
  thrust::merge(mgpu::par(allocator{}), in.begin(), in.end(), in.begin(), in.end(), out.begin());
  thrust::merge(mgpu::wrap(thrust::cuda::par(allocator{})), in.begin(), in.end(), in.begin(), in.end(), out.begin());
  CHECK(allocator::allocations == 0);
  CHECK(out.first_difference({1, 1, 2, 2, 3, 3, 4, 4, 5, 5}) == -1);
}
#endif

TEST_CASE("comparators that change when they are called") {
  int calls = 0;
  const auto less = [calls] MGPU_HOST_DEVICE(int x, int y) mutable { return ++calls > 0 && x < y; };
  for_some_policies([&](const auto& policy) {
    std::vector<int> a(30000), b(20000), merged(50000), united(50000);
    for (int i = 0; i < 30000; ++i) a[static_cast<std::size_t>(i)] = i / 2;
    for (int i = 0; i < 20000; ++i) b[static_cast<std::size_t>(i)] = i / 3;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), merged.begin());
    united.erase(std::set_union(a.begin(), a.end(), b.begin(), b.end(), united.begin()), united.end());
    const auto a_in = to_vector(a), b_in = to_vector(b);
    vector<int> merged_out(50000), united_out(50000);
    thrust::merge(policy, a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), merged_out.begin(), less);
    const auto end =
        thrust::set_union(policy, a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), united_out.begin(), less);
    finish();
    CHECK(to_std(merged_out) == merged);
    united_out.resize(static_cast<std::size_t>(end - united_out.begin()));
    CHECK(to_std(united_out) == united);
  });
}
