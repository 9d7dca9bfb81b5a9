// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When the CPU's set operations see that they write over their first input.
#include <mgpu/base/overlap.h>

#include <doctest/doctest.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>

#include <deque>
#include <iterator>
#include <vector>
#if __has_include(<debug/vector>)
#include <debug/vector>
#endif

namespace {

using mgpu::detail::base::overlaps;

struct twice {
  int operator()(int x) const { return 2 * x; }
};

/// Made of a pointer, and compared with none.
struct own_iterator {
  int* place;
  own_iterator(int* p) : place(p) {}
  int& operator[](std::ptrdiff_t i) const { return place[i]; }
  bool operator==(const own_iterator& other) const { return place == other.place; }
};

}  // namespace

TEST_CASE("pointers to overlapping ranges, of any types") {
  int x[10] = {};
  const int* const in = x + 2;
  CHECK(overlaps(in, 5, x + 2, 5));
  CHECK(overlaps(in, 5, x + 6, 2));
  CHECK(overlaps(in, 5, x + 0, 3));
  CHECK(overlaps(in, 5, reinterpret_cast<unsigned*>(x + 2), 1));
  CHECK_FALSE(overlaps(in, 5, x + 7, 3));
  CHECK_FALSE(overlaps(in, 5, x + 0, 2));
  CHECK_FALSE(overlaps(in, 0, x + 2, 0));
}

TEST_CASE("a const_iterator beside an iterator") {
  std::deque<int> x(1000), y(1000);
  CHECK(overlaps(x.cbegin(), 1000, x.begin(), 1000));
  CHECK(overlaps(x.begin(), 1000, x.begin(), 1000));
  CHECK_FALSE(overlaps(x.cbegin(), 1000, y.begin(), 1000));
  CHECK_FALSE(overlaps(x.cend(), 0, x.end(), 0));

  std::vector<int> a(9), b(9);
  const auto const_zip = thrust::make_zip_iterator(thrust::make_tuple(a.cbegin(), b.cbegin()));
  const auto zip = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  CHECK(overlaps(const_zip, 9, zip, 9));
  CHECK(overlaps(zip, 9, zip, 9));
  CHECK_FALSE(overlaps(const_zip + 1, 8, zip, 9));
  CHECK(overlaps(thrust::make_reverse_iterator(a.cend()), 9, thrust::make_reverse_iterator(a.end()), 9));
}

TEST_CASE("iterators of two kinds") {
  std::vector<int> a(9);
  std::deque<int> d(9);
  int* const first = &d[0];
  CHECK(overlaps(first, 1, d.begin(), 9));
  CHECK_FALSE(overlaps(d.begin(), 9, a.data(), 9));
  CHECK_FALSE(overlaps(thrust::make_transform_iterator(a.begin(), twice{}), 9, d.begin(), 9));
  CHECK_FALSE(overlaps(thrust::counting_iterator<int>(0), 9, thrust::discard_iterator<>(), 9));
}

TEST_CASE("iterators that are not to be compared") {
  std::vector<int> a(9), b(9);
  std::deque<int> d(9);
  CHECK(overlaps(a.crbegin(), 9, a.rbegin(), 9));
  CHECK_FALSE(overlaps(a.crbegin(), 9, b.rbegin(), 9));
  CHECK_FALSE(overlaps(a.rbegin(), 9, d.rbegin(), 9));
  const std::vector<bool> c(9);
  std::vector<bool> e(9);
  CHECK(overlaps(e.crbegin(), 9, e.rbegin(), 9));
  CHECK_FALSE(overlaps(c.rbegin(), 9, e.rbegin(), 9));
  CHECK_FALSE(overlaps(e.rbegin(), 9, d.rbegin(), 9));
  CHECK(overlaps(a.data(), 9, own_iterator(a.data()), 9));
  CHECK_FALSE(overlaps(a.data(), 9, own_iterator(b.data()), 9));
#if __has_include(<debug/vector>)
  __gnu_debug::vector<int> x(9), y(9);
  CHECK(overlaps(x.cbegin(), 9, x.begin(), 9));
  CHECK_FALSE(overlaps(x.cbegin(), 9, y.begin(), 9));
#endif
}
