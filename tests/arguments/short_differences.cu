// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Iterators whose difference_type is int: counts are summed up in 64 bits all the same.

// As a user may have it, on the CPU: nvcc's own code has conversions.
#ifndef MGPU_TEST_CUDA
#pragma GCC diagnostic error "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"  // a part of it for clang++
#endif

#include "every_family.h"

namespace user {

class short_steps {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = int;
  using difference_type = int;
  using pointer = int*;
  using reference = int&;

  MGPU_HOST_DEVICE explicit short_steps(int* place) : place_(place) {}
  MGPU_HOST_DEVICE int& operator*() const { return *place_; }
  MGPU_HOST_DEVICE int& operator[](int i) const { return place_[i]; }
  MGPU_HOST_DEVICE short_steps& operator++() { return *this += 1; }
  MGPU_HOST_DEVICE short_steps& operator+=(int n) {
    place_ += n;
    return *this;
  }
  MGPU_HOST_DEVICE short_steps operator+(int n) const { return short_steps(place_ + n); }
  MGPU_HOST_DEVICE short_steps operator-(int n) const { return short_steps(place_ - n); }
  MGPU_HOST_DEVICE int operator-(const short_steps& x) const { return static_cast<int>(place_ - x.place_); }

 private:
  int* place_;
};

}  // namespace user

namespace {

using namespace test;
using user::short_steps;

struct by_short_steps : plain_access {
  using numbers = by_short_steps;
  static short_steps read(int* memory, offset) { return short_steps(memory); }
  static short_steps write(int* memory, offset) { return short_steps(memory); }
};

}  // namespace

TEST_CASE("iterators whose difference_type is int") { check_every_family<by_short_steps>(); }
