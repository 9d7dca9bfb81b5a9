// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Searches of more than 2^31 values, and a join of more than 2^32 rows. Everything is made and checked on the device.
#include "support/large.h"

#include <mgpu/join.h>
#include <mgpu/sorted_search.h>

#include <doctest/doctest.h>

#include <thrust/iterator/constant_iterator.h>

#include <cstdint>

namespace {

using namespace test;

constexpr offset value_count = two_31 + 4099, element_count = two_31 + 7 * 1024 * 1024 + 13;

/// Element i of an ascending sequence of `count` bytes, each value in one run.
struct byte_at {
  offset count;
  MGPU_HOST_DEVICE std::uint8_t operator()(offset i) const { return static_cast<std::uint8_t>(i * 256 / count); }
};

/// Elements of `count` below a byte.
MGPU_HOST_DEVICE offset first_of(int byte, offset count) { return (byte * count + 255) / 256; }

struct wrong_position {
  const offset* found;
  unsigned long long* wrong;
  MGPU_DEVICE void operator()(offset i) const {
    if (found[i] != first_of(byte_at{value_count}(i), element_count)) atomicAdd(wrong, 1ull);
  }
};

constexpr offset rows = 70'000;  // of either side, all equal
static_assert(rows * rows > two_32);

struct wrong_pair {
  const std::uint8_t *left, *right;
  unsigned long long* wrong;
  MGPU_DEVICE void operator()(offset i) const {
    const bool is_right =
        left[i] == static_cast<std::uint8_t>(i / rows) && right[i] == static_cast<std::uint8_t>(i % rows);
    if (!is_right) atomicAdd(wrong, 1ull);
  }
};

}  // namespace

TEST_SUITE_BEGIN("large");

TEST_CASE("lower bounds of more than 2^31 values") {
  if (!has_memory(static_cast<std::size_t>(value_count) * 12)) return;
  const room<std::uint8_t> range(element_count), values(value_count);
  for_numbers<<<blocks, threads>>>(element_count, fill_elements{byte_at{element_count}, range.data()});
  for_numbers<<<blocks, threads>>>(value_count, fill_elements{byte_at{value_count}, values.data()});
  const guarded<offset> found(value_count);
  CHECK(mgpu::lower_bound_sorted_values(mgpu::par, range.data(), range.data() + element_count, values.data(),
                                        values.data() + value_count, found.data()) == found.end());
  const auto check = [&](auto* counter) {
    for_numbers<<<blocks, threads>>>(value_count, wrong_position{found.data(), counter});
  };
  CHECK(wrong(check) == 0);
  CHECK(found.are_guards_whole());
}

TEST_CASE("an inner join of more than 2^32 rows") {
  if (!has_memory(static_cast<std::size_t>(rows * rows) * 5 / 2)) return;
  const thrust::constant_iterator<int> sevens(7);
  const guarded<std::uint8_t> left(rows * rows), right(rows * rows);
  const auto ends =
      mgpu::inner_join(mgpu::par, sevens, sevens + rows, sevens, sevens + rows, left.data(), right.data());
  CHECK(ends.first == left.end());
  CHECK(ends.second == right.end());
  const auto check = [&](auto* counter) {
    for_numbers<<<blocks, threads>>>(rows * rows, wrong_pair{left.data(), right.data(), counter});
  };
  CHECK(wrong(check) == 0);
  CHECK(left.are_guards_whole());
  CHECK(right.are_guards_whole());
}

TEST_SUITE_END();
