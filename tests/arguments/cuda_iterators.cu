// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The iterators of <cuda/iterator>, as inputs and outputs of every family. CCCL has all of them since 3.3.
#include <cuda/version>

#if CCCL_VERSION >= 3003000

#include "every_family.h"

#include <cuda/iterator>

namespace user {

/// What is stored is the negative of what is read.
struct load_negative {
  const int* memory;
  MGPU_HOST_DEVICE int operator()(int i) const { return -memory[i]; }
};
struct negative {
  template <class T>
  MGPU_HOST_DEVICE int operator()(T x) const {
    return -static_cast<int>(x);
  }
};
struct from_the_end {
  int count;
  MGPU_HOST_DEVICE int operator()(int i) const { return count - 1 - i; }
};

}  // namespace user

namespace {

using namespace test;

struct by_transform : plain_access {
  static constexpr bool is_sortable = false;
  using numbers = by_transform;
  static auto read(int* memory, offset) {
    return cuda::transform_iterator(cuda::counting_iterator<int>(0), user::load_negative{memory});
  }
  static auto write(int* memory, offset) { return cuda::transform_output_iterator(memory, user::negative{}); }
  static void complete(std::vector<int>& memory) {
    for (int& x : memory) x = -x;
  }
};

struct by_stride : plain_access {
  using numbers = by_stride;
  static auto read(int* memory, offset) { return cuda::strided_iterator(memory, 2); }
  static auto write(int* memory, offset count) { return read(memory, count); }
  static std::size_t place(std::size_t i, std::size_t) { return 2 * i; }
};

struct by_permutation : plain_access {
  using numbers = by_permutation;
  static auto read(int* memory, offset count) {
    return cuda::permutation_iterator(
        memory, cuda::transform_iterator(cuda::counting_iterator<int>(0), user::from_the_end{static_cast<int>(count)}));
  }
  static auto write(int* memory, offset count) { return read(memory, count); }
  static std::size_t place(std::size_t i, std::size_t count) { return count - 1 - i; }
};

/// Elements are tuples of a number and of the same number again, which lies behind all others.
struct by_zip : plain_access {
  static auto read(int* memory, offset count) { return cuda::zip_iterator(memory, memory + count); }
  static auto write(int* memory, offset count) { return read(memory, count); }
  static void complete(std::vector<int>& memory) {
    const auto half = static_cast<offset>(memory.size() / 2);
    std::copy(memory.begin(), memory.begin() + half, memory.begin() + half);
  }
};

}  // namespace

// All families take nvcc two minutes for each kind of iterators.
TEST_CASE("cuda::transform_iterator, counting_iterator and transform_output_iterator") {
  check_every_family<by_transform, has_more_kinds, true>();
}
TEST_CASE("cuda::strided_iterator") { check_every_family<by_stride, true, has_more_kinds>(); }
TEST_CASE("cuda::permutation_iterator") { check_every_family<by_permutation, has_more_kinds, true>(); }
TEST_CASE("cuda::zip_iterator") { check_every_family<by_zip, true, has_more_kinds>(); }

#else

#include "support/skip.h"

#include <doctest/doctest.h>

TEST_CASE("cuda:: iterators") {
  MESSAGE("skipped: this CCCL has not all of them");
  test::has_skipped_a_test = true;
}

#endif
