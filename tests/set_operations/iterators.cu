// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Set operations on inputs and outputs by iterators of every kind.
#include "set_vectors.h"
#include "support/iterators.h"

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>

#include <type_traits>

namespace {

using namespace test;

/// Counts how often it is given a key.
struct count_into {
  static constexpr int key_count = 1 << 16;
  int* times;  // [key_count]
  MGPU_HOST_DEVICE int operator()(int key) const {
#ifdef __CUDA_ARCH__
    return atomicAdd(times + key % key_count, 1);
#else
    return __atomic_fetch_add(times + key % key_count, 1, __ATOMIC_RELAXED);
#endif
  }
};

/// Orders by two members.
struct less_pair {
  template <class X, class Y>
  MGPU_HOST_DEVICE bool operator()(const X& x, const Y& y) const {
    const auto x0 = thrust::get<0>(x);
    const auto y0 = thrust::get<0>(y);
    return x0 < y0 || (x0 == y0 && thrust::get<1>(x) < thrust::get<1>(y));
  }
};

}  // namespace

TEST_CASE("vector iterators, const and not") {
  for_each_data([](const auto& policy, const data& d) {
    const auto numbers = d.numbers<op::set_symmetric_difference>();
    vector<int> keys(numbers.size()), values(numbers.size());
    const auto ends = mgpu::set_symmetric_difference_by_key(policy, d.a_in.begin(), d.a_in.end(), d.b_in.cbegin(),
                                                            d.b_in.cend(), d.a_values_in.begin(), d.b_values_in.begin(),
                                                            keys.begin(), values.begin());
    static_assert(
        std::is_same_v<std::decay_t<decltype(ends)>, cuda::std::pair<vector<int>::iterator, vector<int>::iterator>>);
    CHECK(ends.first == keys.end());
    CHECK(ends.second == values.end());
    CHECK(to_std(keys) == d.keys(numbers));
    CHECK(to_std(values) == numbers);

    const auto both = d.keys(d.numbers<op::set_intersection>());
    vector<int> both_out(both.size());
    const auto end =
        mgpu::set_intersection(policy, d.a_in.cbegin(), d.a_in.cend(), d.b_in.begin(), d.b_in.end(), both_out.begin());
    static_assert(std::is_same_v<std::decay_t<decltype(end)>, vector<int>::iterator>);
    CHECK(end == both_out.end());
    CHECK(to_std(both_out) == both);
  });
}

TEST_CASE("fancy pointers into a pointer's range") {
  for_each_data([](const auto& policy, const data& d) {
    const auto expected = d.keys(d.numbers<op::set_union>());
    vector<int> keys(expected.size());
    const auto a = d.a_in.data();  // device_ptr under CUDA
    const auto b = d.b_in.data();
    const auto end = mgpu::set_union(policy, a, a + d.a.size(), b, b + d.b.size(), keys.data());
    CHECK(end == keys.data() + expected.size());
    CHECK(to_std(keys) == expected);
  });
}

TEST_CASE("into volatile memory") {
  for_each_data([](const auto& policy, const data& d) {
    const auto expected = d.keys(d.numbers<op::set_union>());
    vector<int> keys(expected.size());
    volatile int* const out = thrust::raw_pointer_cast(keys.data());
    mgpu::set_union(policy, d.a_in.begin(), d.a_in.end(), d.b_in.begin(), d.b_in.end(), out);
    CHECK(to_std(keys) == expected);
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
    const auto numbers = emitted_numbers<op::set_union>(a, b, std::less<>{});

    vector<std::int64_t> keys(numbers.size());
    vector<int> values(numbers.size());
    const auto ends = mgpu::set_union_by_key(policy, from_zero + 100, from_zero + 100 + a_count, even, even + b_count,
                                             thrust::counting_iterator<int>(0), thrust::constant_iterator<int>(-5),
                                             keys.begin(), values.begin(), cuda::std::less<>{}, mgpu::unique_keys);
    CHECK(ends.first == keys.end());
    CHECK(ends.second == values.end());
    CHECK(to_std(keys) == in_order<std::int64_t>(numbers, a, b));
    auto expected = numbers;
    for (auto& x : expected) x = x < a_count ? x : -5;
    CHECK(to_std(values) == expected);
    CHECK(mgpu::set_union_size(policy, from_zero + 100, from_zero + 100 + a_count, even, even + b_count) ==
          static_cast<offset>(numbers.size()));
  });
}

TEST_CASE("inputs by iterators of two kinds, into a pointer") {
  for_each_data([](const auto& policy, const data& d) {
    const thrust::counting_iterator<int> from_ten(10);
    std::vector<int> b(d.b.size());
    std::iota(b.begin(), b.end(), 10);
    const auto numbers = emitted_numbers<op::set_difference>(d.a, b, std::less<>{});
    vector<int> keys(numbers.size());
    const int b_count = static_cast<int>(d.b.size());
    const auto end =
        mgpu::set_difference(policy, d.a_in.begin(), d.a_in.end(), from_ten, from_ten + b_count, keys.begin());
    CHECK(end == keys.end());
    CHECK(to_std(keys) == in_order<int>(numbers, d.a, b));
  });
}

TEST_CASE("transform inputs and a transform output") {
  for_each_data([](const auto& policy, const data& d) {
    auto expected = d.keys(d.numbers<op::set_union>());
    for (auto& x : expected) x = -(3 * x + 1);
    vector<int> keys(expected.size());
    const auto a = thrust::make_transform_iterator(d.a_in.begin(), triple_and_one{});
    const auto b = thrust::make_transform_iterator(d.b_in.begin(), triple_and_one{});
    const auto out = thrust::make_transform_output_iterator(keys.begin(), negated{});
    const auto end = mgpu::set_union(policy, a, a + d.a.size(), b, b + d.b.size(), out);
    CHECK(end - out == static_cast<offset>(expected.size()));
    CHECK(to_std(keys) == expected);
  });
}

TEST_CASE("an output that adds up what it is given is given each result once") {
  for_each_data([](const auto& policy, const data& d) {
    const auto expected = d.keys(d.numbers<op::set_intersection>());
    vector<int> times(count_into::key_count, 0);
    const auto out = thrust::make_transform_output_iterator(thrust::make_discard_iterator(),
                                                            count_into{thrust::raw_pointer_cast(times.data())});
    mgpu::set_intersection(policy, d.a_in.begin(), d.a_in.end(), d.b_in.begin(), d.b_in.end(), out);
    std::vector<int> expected_times(times.size(), 0);
    for (const int key : expected) ++expected_times[static_cast<std::size_t>(key % count_into::key_count)];
    CHECK(to_std(times) == expected_times);
  });
}

TEST_CASE("a zip of one, by its member") {
  for_each_data([](const auto& policy, const data& d) {
    const auto expected = d.keys(d.numbers<op::set_intersection>());
    vector<int> keys(expected.size());
    const auto a = zip(d.a_in.begin()), b = zip(d.b_in.begin());
    const auto out = zip(keys.begin());
    const auto end = mgpu::set_intersection(policy, a, a + d.a.size(), b, b + d.b.size(), out, less_first{});
    CHECK(end - out == static_cast<offset>(expected.size()));
    CHECK(to_std(keys) == expected);
  });
}

TEST_CASE("zip keys into a zip, by their first member") {
  for_each_data([](const auto& policy, const data& d) {
    const auto expected = d.numbers<op::set_symmetric_difference>();
    vector<int> keys(expected.size()), numbers(expected.size());
    const auto a = zip(d.a_in.begin(), d.a_values_in.begin()), b = zip(d.b_in.begin(), d.b_values_in.begin());
    const auto out = zip(keys.begin(), numbers.begin());
    const auto end = mgpu::set_symmetric_difference(policy, a, a + d.a.size(), b, b + d.b.size(), out, less_first{});
    CHECK(end - out == static_cast<offset>(expected.size()));
    CHECK(to_std(keys) == d.keys(expected));
    CHECK(to_std(numbers) == expected);
  });
}

TEST_CASE("a zip of three with a constant and a count, by two members") {
  for_each_data([](const auto& policy, const data& d) {
    // The constant stands first, as the one row of a matrix whose columns are sorted.
    const int a_count = static_cast<int>(d.a.size());
    const auto expected = d.numbers<op::set_difference>();
    const thrust::constant_iterator<int> row(42);
    const thrust::counting_iterator<int> first(0);
    vector<int> rows(expected.size()), columns(expected.size()), numbers(expected.size());
    const auto a = zip(row, d.a_in.begin(), first), b = zip(row, d.b_in.begin(), first + a_count);
    const auto out = zip(rows.begin(), columns.begin(), numbers.begin());
    const auto end = mgpu::set_difference(policy, a, a + d.a.size(), b, b + d.b.size(), out, less_pair{});
    CHECK(end - out == static_cast<offset>(expected.size()));
    CHECK(to_std(rows) == std::vector<int>(expected.size(), 42));
    CHECK(to_std(columns) == d.keys(expected));
    CHECK(to_std(numbers) == expected);
  });
}

// As graph libraries count the common neighbours of two vertices.
TEST_CASE("a zip with a constant inside over its own first input, of which the size alone is used") {
  for_each_data([](const auto& policy, const data& d) {
    const auto check = [&](auto operation) {
      using tag = decltype(operation);
      const thrust::constant_iterator<int> row(42);
      vector<int> a_in = d.a_in;
      const auto a = zip(row, a_in.begin());
      const auto b = zip(row, d.b_in.begin());
      const auto end = tag::keys(policy, a, a + d.a.size(), b, b + d.b.size(), a, less_pair{});
      CHECK(end - a == static_cast<offset>(d.numbers<tag>().size()));
    };
    check(op::set_intersection{});
    check(op::set_difference{});
  });
}

TEST_CASE("zip values, discarded keys") {
  for_each_data([](const auto& policy, const data& d) {
    const auto numbers = d.numbers<op::set_union>();
    vector<int> first(numbers.size()), second(numbers.size());
    const auto a = zip(d.a_values_in.begin(), d.a_in.begin()), b = zip(d.b_values_in.begin(), d.b_in.begin());
    const auto out = zip(first.begin(), second.begin());
    const thrust::discard_iterator<> nowhere;
    const auto ends =
        mgpu::set_union_by_key(policy, d.a_in.begin(), d.a_in.end(), d.b_in.begin(), d.b_in.end(), a, b, nowhere, out);
    CHECK(ends.first - nowhere == static_cast<offset>(numbers.size()));
    CHECK(ends.second - out == static_cast<offset>(numbers.size()));
    CHECK(to_std(first) == numbers);
    CHECK(to_std(second) == d.keys(numbers));
  });
}

TEST_CASE("discarded values, and values of two types") {
  for_each_data([](const auto& policy, const data& d) {
    const auto numbers = d.numbers<op::set_symmetric_difference>();
    vector<int> keys(numbers.size());
    mgpu::set_symmetric_difference_by_key(policy, d.a_in.begin(), d.a_in.end(), d.b_in.begin(), d.b_in.end(),
                                          d.a_values_in.begin(), thrust::counting_iterator<std::int64_t>(5),
                                          keys.begin(), thrust::make_discard_iterator());
    CHECK(to_std(keys) == d.keys(numbers));
  });
}

TEST_CASE("the keys of set_intersection discarded, a's numbers by a count") {
  for_each_data([](const auto& policy, const data& d) {
    const auto expected = d.numbers<op::set_intersection>();
    vector<int> numbers(expected.size());
    const auto ends = mgpu::set_intersection_by_key(policy, d.a_in.begin(), d.a_in.end(), d.b_in.begin(), d.b_in.end(),
                                                    thrust::counting_iterator<int>(0), thrust::make_discard_iterator(),
                                                    numbers.begin());
    CHECK(ends.second == numbers.end());
    CHECK(to_std(numbers) == expected);
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
    const std::vector<int> b_keys(d.b.size(), 30002);
    auto expected = in_order<int>(emitted_numbers<op::set_union>(d.a, b_keys, std::less<>{}), d.a, b_keys);
    const auto a_places = backwards(d.a.size()), out_places = backwards(expected.size());
    const auto a_backwards = to_vector(std::vector<int>(d.a.rbegin(), d.a.rend()));
    vector<int> keys(expected.size());
    const auto a = thrust::make_permutation_iterator(a_backwards.begin(), a_places.begin());
    const auto out = thrust::make_permutation_iterator(keys.begin(), out_places.begin());
    const thrust::constant_iterator<int> b(30002);
    const auto end = mgpu::set_union(policy, a, a + d.a.size(), b, b + d.b.size(), out);
    CHECK(end - out == static_cast<offset>(expected.size()));
    std::reverse(expected.begin(), expected.end());
    CHECK(to_std(keys) == expected);
  });
}

TEST_CASE("reverse iterators, descending") {
  for_each_data([](const auto& policy, const data& d) {
    // From the end the last of equal keys is the first: the result is the same, of other elements.
    const auto expected = d.keys(d.numbers<op::set_union>());
    vector<int> keys(expected.size());
    const auto a = thrust::make_reverse_iterator(d.a_in.end()), b = thrust::make_reverse_iterator(d.b_in.end());
    mgpu::set_union(policy, a, a + d.a.size(), b, b + d.b.size(), thrust::make_reverse_iterator(keys.end()),
                    cuda::std::greater<>{});
    CHECK(to_std(keys) == expected);
  });
}

TEST_CASE("the size into memory of every integral type, by every iterator to it") {
  for_each_data([](const auto& policy, const data& d) {
    const auto numbers = d.numbers<op::set_difference>();
    const auto check = [&](auto size_type, auto to_iterator) {
      vector<decltype(size_type)> size(1);
      vector<int> keys(d.a.size()), values(d.a.size());
      mgpu::set_difference_by_key_into(policy, d.a_in.begin(), d.a_in.end(), d.b_in.begin(), d.b_in.end(),
                                       d.a_values_in.begin(), d.b_values_in.begin(), keys.begin(), values.begin(),
                                       to_iterator(size));
      CHECK(to_std(size)[0] == static_cast<decltype(size_type)>(numbers.size()));
      auto found = to_std(values);
      found.resize(numbers.size());
      CHECK(found == numbers);
    };
    const auto pointer = [](auto& v) { return thrust::raw_pointer_cast(v.data()); };
    check(int{}, pointer);
    check(std::uint32_t{}, pointer);
    check(offset{}, pointer);
    check(std::size_t{}, pointer);
    check(int{}, [](auto& v) { return v.begin(); });
    check(std::size_t{}, [](auto& v) { return v.data(); });  // device_ptr under CUDA
    check(int{}, [](auto& v) { return thrust::make_transform_output_iterator(v.begin(), cuda::std::identity{}); });
  });
}
