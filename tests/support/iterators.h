// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What tests of iterators make them of: functions of elements, zips, and an order of what zips give.

#include <mgpu/base/config.h>

#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cstdint>

namespace test {

struct twice {
  MGPU_HOST_DEVICE std::int64_t operator()(std::int64_t x) const { return 2 * x; }
};
struct triple_and_one {
  MGPU_HOST_DEVICE int operator()(int x) const { return 3 * x + 1; }
};
struct negated {
  MGPU_HOST_DEVICE int operator()(int x) const { return -x; }
};

/// Orders by the first member.
struct less_first {
  template <class X, class Y>
  MGPU_HOST_DEVICE bool operator()(const X& x, const Y& y) const {
    return thrust::get<0>(x) < thrust::get<0>(y);
  }
};

template <class... Iterators>
auto zip(Iterators... iterators) {
  return thrust::make_zip_iterator(thrust::make_tuple(iterators...));
}

}  // namespace test
