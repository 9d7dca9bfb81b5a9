// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Inputs and outputs by iterators of every kind.
#include "support/check_merge.h"
#include "support/iterators.h"
#include "support/patterns.h"
#include "support/vectors.h"

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/tabulate_output_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>

#include <functional>
#include <type_traits>

namespace {

using namespace test;

/// Two sorted inputs with values, in the executor's memory and here.
struct data {
  std::vector<int> a, b, a_values, b_values, order;
  vector<int> a_in, b_in, a_values_in, b_values_in;

  data(int a_count, int b_count, pattern p) {
    std::mt19937 random(static_cast<unsigned>(a_count + 3 * b_count));
    a = sorted_ranks(p, 0, a_count, a_count + b_count, 60000, random);
    b = sorted_ranks(p, 1, b_count, a_count + b_count, 60000, random);
    a_values = numbered_values<int>(0, a_count);
    b_values = numbered_values<int>(a_count, b_count);
    order = merged_order(a, b, std::less<>{});
    a_in = to_vector(a);
    b_in = to_vector(b);
    a_values_in = to_vector(a_values);
    b_values_in = to_vector(b_values);
  }
  std::size_t count() const { return order.size(); }
  std::vector<int> merged() const { return in_order<int>(order, a, b); }
};

struct store_at {
  int* memory;
  template <class Position>
  MGPU_HOST_DEVICE void operator()(Position i, int x) const {
    memory[i] = x;
  }
};

/// Calls f(policy, data) for every executor and some sizes.
template <class F>
void for_each_data(const F& f) {
  for_each_executor([&](auto executor) {
    for (const auto p : {pattern::random, pattern::few_keys}) {
      for (const auto& size : {sizes{0, 0}, sizes{0, 7}, sizes{1000, 1}, sizes{60000, 40001}}) {
        INFO(executor.name, ", ", size.a, " and ", size.b, " elements");
        f(executor.policy(), data(size.a, size.b, p));
      }
    }
  });
}

}  // namespace

TEST_CASE("vector iterators, const and not") {
  for_each_data([](const auto& policy, const data& d) {
    vector<int> keys(d.count()), values(d.count());
    const auto ends = mgpu::merge_by_key(policy, d.a_in.begin(), d.a_in.end(), d.b_in.cbegin(), d.b_in.cend(),
                                         d.a_values_in.begin(), d.b_values_in.begin(), keys.begin(), values.begin());
    static_assert(
        std::is_same_v<std::decay_t<decltype(ends)>, cuda::std::pair<vector<int>::iterator, vector<int>::iterator>>);
    CHECK(ends.first == keys.end());
    CHECK(ends.second == values.end());
    CHECK(to_std(keys) == d.merged());
    CHECK(to_std(values) == d.order);
  });
}

TEST_CASE("fancy pointers into a pointer's range") {
  for_each_data([](const auto& policy, const data& d) {
    vector<int> keys(d.count());
    const auto a = d.a_in.data();  // device_ptr under CUDA
    const auto b = d.b_in.data();
    const auto end = mgpu::merge(policy, a, a + d.a.size(), b, b + d.b.size(), keys.data());
    CHECK(end == keys.data() + d.count());
    CHECK(to_std(keys) == d.merged());
  });
}

TEST_CASE("into volatile memory") {
  for_each_data([](const auto& policy, const data& d) {
    vector<int> keys(d.count()), values(d.count());
    volatile int* const keys_out = thrust::raw_pointer_cast(keys.data());
    volatile int* const values_out = thrust::raw_pointer_cast(values.data());
    mgpu::merge_by_key(policy, d.a_in.begin(), d.a_in.end(), d.b_in.begin(), d.b_in.end(), d.a_values_in.begin(),
                       d.b_values_in.begin(), keys_out, values_out);
    CHECK(to_std(keys) == d.merged());
    CHECK(to_std(values) == d.order);
  });
}

TEST_CASE("counting and transform keys, constant and counting values") {
  for_each_data([](const auto& policy, const data& d) {
    const auto a_count = static_cast<int>(d.a.size());
    const std::int64_t b_count = static_cast<std::int64_t>(d.b.size());
    const thrust::counting_iterator<std::int64_t> from_zero(0);
    const auto even = thrust::make_transform_iterator(from_zero, twice{});
    std::vector<std::int64_t> a(d.a.size()), b(d.b.size());
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = 100 + static_cast<std::int64_t>(i);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = 2 * static_cast<std::int64_t>(i);
    const auto order = merged_order(a, b, std::less<>{});

    vector<std::int64_t> keys(d.count());
    vector<int> values(d.count());
    const auto ends = mgpu::merge_by_key(policy, from_zero + 100, from_zero + 100 + a_count, even, even + b_count,
                                         thrust::counting_iterator<int>(0), thrust::constant_iterator<int>(-5),
                                         keys.begin(), values.begin());
    CHECK(ends.first == keys.end());
    CHECK(ends.second == values.end());
    CHECK(to_std(keys) == in_order<std::int64_t>(order, a, b));
    auto expected = order;
    for (auto& x : expected) x = x < a_count ? x : -5;
    CHECK(to_std(values) == expected);
  });
}

TEST_CASE("transform inputs and a transform output") {
  for_each_data([](const auto& policy, const data& d) {
    vector<int> keys(d.count());
    const auto a = thrust::make_transform_iterator(d.a_in.begin(), triple_and_one{});
    const auto b = thrust::make_transform_iterator(d.b_in.begin(), triple_and_one{});
    const auto out = thrust::make_transform_output_iterator(keys.begin(), negated{});
    const auto end = mgpu::merge(policy, a, a + d.a.size(), b, b + d.b.size(), out);
    CHECK(end - out == static_cast<offset>(d.count()));
    auto expected = d.merged();
    for (auto& x : expected) x = -(3 * x + 1);
    CHECK(to_std(keys) == expected);
  });
}

TEST_CASE("zip keys into a zip, by their first member") {
  for_each_data([](const auto& policy, const data& d) {
    vector<int> keys(d.count()), numbers(d.count());
    const auto a = thrust::make_zip_iterator(thrust::make_tuple(d.a_in.begin(), d.a_values_in.begin()));
    const auto b = thrust::make_zip_iterator(thrust::make_tuple(d.b_in.begin(), d.b_values_in.begin()));
    const auto out = thrust::make_zip_iterator(thrust::make_tuple(keys.begin(), numbers.begin()));
    const auto end = mgpu::merge(policy, a, a + d.a.size(), b, b + d.b.size(), out, less_first{});
    CHECK(end - out == static_cast<offset>(d.count()));
    CHECK(to_std(keys) == d.merged());
    CHECK(to_std(numbers) == d.order);
  });
}

TEST_CASE("zip values, discarded keys") {
  for_each_data([](const auto& policy, const data& d) {
    vector<int> first(d.count()), second(d.count());
    const auto a = thrust::make_zip_iterator(thrust::make_tuple(d.a_values_in.begin(), d.a_in.begin()));
    const auto b = thrust::make_zip_iterator(thrust::make_tuple(d.b_values_in.begin(), d.b_in.begin()));
    const auto out = thrust::make_zip_iterator(thrust::make_tuple(first.begin(), second.begin()));
    const thrust::discard_iterator<> nowhere;
    const auto ends =
        mgpu::merge_by_key(policy, d.a_in.begin(), d.a_in.end(), d.b_in.begin(), d.b_in.end(), a, b, nowhere, out);
    CHECK(ends.first - nowhere == static_cast<offset>(d.count()));
    CHECK(ends.second - out == static_cast<offset>(d.count()));
    CHECK(to_std(first) == d.order);
    CHECK(to_std(second) == d.merged());
  });
}

// Such an iterator has no type of elements. cuda::discard_iterator has none, either.
TEST_CASE("an output that is a function of position and element") {
  for_each_data([](const auto& policy, const data& d) {
    vector<int> keys(d.count());
    mgpu::merge(policy, d.a_in.begin(), d.a_in.end(), d.b_in.begin(), d.b_in.end(),
                thrust::make_tabulate_output_iterator(store_at{thrust::raw_pointer_cast(keys.data())}));
    CHECK(to_std(keys) == d.merged());
  });
}

TEST_CASE("discarded values") {
  for_each_data([](const auto& policy, const data& d) {
    vector<int> keys(d.count());
    mgpu::merge_by_key(policy, d.a_in.begin(), d.a_in.end(), d.b_in.begin(), d.b_in.end(), d.a_values_in.begin(),
                       thrust::counting_iterator<std::int64_t>(5), keys.begin(), thrust::make_discard_iterator());
    CHECK(to_std(keys) == d.merged());
  });
}

TEST_CASE("permuted inputs into a permuted output") {
  for_each_data([](const auto& policy, const data& d) {
    // a and the output lie backwards; a constant key stands for b.
    const auto backwards = [](std::size_t count) {
      std::vector<int> places(count);
      for (std::size_t i = 0; i < count; ++i) places[i] = static_cast<int>(count - 1 - i);
      return to_vector(places);
    };
    const auto a_places = backwards(d.a.size()), out_places = backwards(d.count());
    const auto a_backwards = to_vector(std::vector<int>(d.a.rbegin(), d.a.rend()));
    vector<int> keys(d.count());
    const auto a = thrust::make_permutation_iterator(a_backwards.begin(), a_places.begin());
    const auto out = thrust::make_permutation_iterator(keys.begin(), out_places.begin());
    const thrust::constant_iterator<int> b(30000);
    mgpu::merge(policy, a, a + d.a.size(), b, b + d.b.size(), out);
    const std::vector<int> b_keys(d.b.size(), 30000);
    auto expected = in_order<int>(merged_order(d.a, b_keys, std::less<>{}), d.a, b_keys);
    std::reverse(expected.begin(), expected.end());
    CHECK(to_std(keys) == expected);
  });
}

TEST_CASE("reverse iterators, descending") {
  for_each_data([](const auto& policy, const data& d) {
    vector<int> keys(d.count());
    const auto a = thrust::make_reverse_iterator(d.a_in.end());
    const auto b = thrust::make_reverse_iterator(d.b_in.end());
    mgpu::merge(policy, a, a + d.a.size(), b, b + d.b.size(), thrust::make_reverse_iterator(keys.end()),
                cuda::std::greater<>{});
    CHECK(to_std(keys) == d.merged());
  });
}
