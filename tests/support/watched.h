// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Arrays that notice where they are read.

#include "arrays.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <vector>

namespace test {

/// x[i], and a note where i is no element that may be read.
template <class T>
struct watched_element {
  const T* x;           // [count]
  const char* allowed;  // [count]
  offset count;
  int* strays;

  MGPU_HOST_DEVICE T operator()(offset i) const {
    if (i < 0 || i >= count || allowed[i] == 0) {
      *strays = 1;
      return T{};
    }
    return x[i];
  }
};

/// An array in the executor's memory that is read by `begin()` only, and only where that is allowed.
template <class Executor, class T>
class watched {
 public:
  explicit watched(const std::vector<T>& x) : watched(x, std::vector<char>(x.size(), 1)) {}
  watched(const std::vector<T>& x, const std::vector<char>& allowed)
      : count_(static_cast<offset>(x.size())), x_(x), allowed_(allowed), strays_({0}) {}

  auto begin() const {
    return thrust::make_transform_iterator(thrust::counting_iterator<offset>(0),
                                           watched_element<T>{x_.begin(), allowed_.begin(), count_, strays_.begin()});
  }
  bool has_no_strays() const { return strays_.unchanged() && x_.unchanged(); }

 private:
  offset count_;
  input<Executor, T> x_;
  input<Executor, char> allowed_;
  input<Executor, int> strays_;
};

}  // namespace test
