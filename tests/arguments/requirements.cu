// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the public functions must not refuse. Nothing runs here: tests/fail holds what they must refuse.
#include "support/vectors.h"

#include <mgpu/exec/requirements.h>

#include <doctest/doctest.h>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/tabulate_output_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <deque>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace asked {

using namespace test;
namespace base = mgpu::detail::base;
namespace exec = mgpu::detail::exec;

template <class Compare, class X, class Y = X>
constexpr bool can_compare = exec::comparator_of<Compare, X, Y>::value&& exec::comparator_of<Compare, Y, X>::value;
template <class Compare, class Keys>
constexpr bool can_sort = exec::random_access_inputs<Keys>::value&& exec::writable_ranges<Keys>::value&&
    exec::comparator_of_keys<Compare, Keys>::value;
template <class Out, class... Ins>
constexpr bool can_write = exec::random_access_inputs<Ins...>::value&& exec::random_access_outputs<Out>::value&&
    exec::writable_output<Out, Ins...>::value;

struct person {
  int age;
  std::string name;
};
struct row {
  int key, number;
};

/// An iterator of an unknown kind: it gives proxies, and says that it is only an input.
template <class T>
struct any_iterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  struct reference {
    T* place;
    MGPU_HOST_DEVICE operator T() const { return *place; }
    MGPU_HOST_DEVICE const reference& operator=(const T& x) const { return *place = x, *this; }
  };

  T* first;
  MGPU_HOST_DEVICE reference operator[](std::ptrdiff_t i) const { return {first + i}; }
  MGPU_HOST_DEVICE any_iterator operator+(std::ptrdiff_t n) const { return {first + n}; }
  MGPU_HOST_DEVICE std::ptrdiff_t operator-(any_iterator other) const { return first - other.first; }
};

struct less_of_device {
  MGPU_DEVICE bool operator()(int x, int y) const { return x < y; }
};
struct counting_less {
  int calls = 0;
  MGPU_HOST_DEVICE bool operator()(int x, int y) { return ++calls, x < y; }
};
struct less_of_mixed {
  MGPU_HOST_DEVICE bool operator()(const row& x, long y) const { return x.key < y; }
  MGPU_HOST_DEVICE bool operator()(long x, const row& y) const { return x < y.key; }
};
struct less_by_reference {
  bool operator()(int& x, int& y) const { return x < y; }
};
struct wide_truth {
  MGPU_HOST_DEVICE long long operator()(int x, int y) const { return x < y ? 1ll << 40 : 0; }
};
struct explicit_truth {
  struct result {
    bool is_less;
    MGPU_HOST_DEVICE explicit operator bool() const { return is_less; }
  };
  MGPU_HOST_DEVICE result operator()(int x, int y) const { return {x < y}; }
};
/// Like a generic lambda: its result is known only where its body compiles.
struct less_key {
  template <class X, class Y>
  MGPU_HOST_DEVICE auto operator()(const X& x, const Y& y) const {
    return x.key < y.key;
  }
};
struct less_first {
  template <class X, class Y>
  MGPU_HOST_DEVICE auto operator()(const X& x, const Y& y) const {
    return thrust::get<0>(x) < thrust::get<0>(y);
  }
};
struct negated {
  MGPU_DEVICE int operator()(int x) const { return -x; }
};
inline bool less_age(const person& x, const person& y) { return x.age < y.age; }

using ints = vector<int>::iterator;
using const_ints = vector<int>::const_iterator;
using rows = vector<row>::iterator;
using counting = thrust::counting_iterator<long>;
using zip = thrust::zip_iterator<thrust::tuple<ints, const_ints>>;
using zip_out = thrust::zip_iterator<thrust::tuple<ints, int*>>;
using permuted = thrust::permutation_iterator<ints, counting>;
using permuted_rows = thrust::permutation_iterator<rows, counting>;

}  // namespace asked

using namespace asked;

TEST_CASE("comparators of every kind are accepted") {
  static_assert(can_compare<cuda::std::less<>, ints, const_ints>);
  static_assert(can_compare<std::less<int>, const int*>);
  static_assert(can_compare<cuda::std::less<>, counting, int*>);
  static_assert(can_compare<less_of_device, ints>);
  static_assert(can_compare<counting_less, ints>);
  static_assert(can_compare<less_of_mixed, rows, const long*>);
  static_assert(can_compare<less_by_reference, int*>);
  static_assert(can_compare<wide_truth, ints>);
  static_assert(can_compare<explicit_truth, ints>);
  static_assert(can_compare<less_key, rows>);  // device_reference has no key: the pointer behind it is asked
  static_assert(can_compare<less_first, zip, zip_out>);
  static_assert(can_compare<bool (*)(const person&, const person&), const person*>);
  static_assert(can_compare<decltype(less_age)*, std::deque<person>::iterator>);
  static_assert(can_compare<cuda::std::less<>, any_iterator<int>, const int*>);
  static_assert(can_compare<cuda::std::less<>, permuted>);
  static_assert(can_compare<std::greater<>, const std::string*>);
}

TEST_CASE("lambdas are accepted") {
  int bias = 1;
  const auto local = [=](int x, int y) { return x + bias < y + bias; };
  auto changing = [bias](const auto& x, const auto& y) mutable { return x + bias++ < y; };
  static_assert(can_compare<std::decay_t<decltype(local)>, ints>);
  static_assert(can_compare<decltype(changing), const int*>);
  const auto key = [](const auto& x, const auto& y) { return x.key < y.key; };
  static_assert(can_sort<std::decay_t<decltype(key)>, rows>);
#ifdef __CUDACC__
  const auto of_device = [=] __device__(int x, int y) { return x + bias < y; };
  const auto of_both = [=] __host__ __device__(int x, int y) { return x + bias < y; };
  const auto typed = [=] __device__(int x, int y) -> bool { return x + bias < y; };
  static_assert(can_compare<std::decay_t<decltype(of_device)>, ints>);
  static_assert(can_compare<std::decay_t<decltype(of_both)>, ints, const_ints>);
  static_assert(can_sort<std::decay_t<decltype(typed)>, ints>);
  const auto of_items = [=] __device__(offset item, offset, offset) { (void)(item + bias); };
  static_assert(base::is_callable<std::decay_t<decltype(of_items)>, void(offset, offset, offset)>);
#endif
  CHECK(local(1, 2));
  CHECK(changing(0, 2));
  CHECK(key(row{1, 2}, row{2, 2}));
}

TEST_CASE("iterators of every kind are accepted") {
  static_assert(can_write<int*, const int*, counting>);
  static_assert(can_write<ints, const_ints, thrust::constant_iterator<int>>);
  static_assert(can_write<decltype(std::declval<vector<int>&>().data()), ints, short*>);
  static_assert(can_write<zip_out, zip, zip>);
  static_assert(can_write<permuted, permuted, ints>);
  static_assert(can_write<thrust::reverse_iterator<ints>, ints, thrust::reverse_iterator<const_ints>>);
  static_assert(can_write<thrust::discard_iterator<>, zip, const person*>);
  static_assert(can_write<thrust::transform_output_iterator<negated, ints>, ints, const_ints>);
  static_assert(can_write<any_iterator<int>, any_iterator<int>, any_iterator<const int>>);
  static_assert(can_write<std::vector<bool>::iterator, std::vector<bool>::const_iterator, bool*>);
  static_assert(can_write<std::deque<person>::iterator, std::deque<person>::const_iterator, const person*>);
  static_assert(can_write<ints, thrust::transform_iterator<negated, const_ints>>);
  static_assert(can_write<base::no_values, base::no_values>);
  static_assert(can_sort<cuda::std::less<>, ints>);
  static_assert(can_sort<less_first, zip_out>);
  static_assert(can_sort<less_key, permuted_rows>);  // elements are compared after they have been read
  static_assert(can_sort<std::greater<>, thrust::reverse_iterator<ints>>);
  static_assert(can_sort<cuda::std::less<>, any_iterator<int>>);
  using moved = std::deque<std::unique_ptr<int>>::iterator;
  static_assert(can_sort<cuda::std::less<>, moved>);
  static_assert(exec::movable_elements<std::decay_t<decltype(mgpu::cpp::par)>, moved, ints>::value);
  static_assert(exec::writable_size<offset*>::value && exec::writable_size<thrust::discard_iterator<>>::value);
  static_assert(exec::writable_size<vector<int>::iterator>::value && exec::writable_size<vector<int>::pointer>::value);
}
