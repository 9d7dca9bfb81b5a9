// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Searches of more than 2^31 values; joins of more than 2^31 rows, one that gives more than 2^32 rows, and one that
// gives too many to be counted. Everything is made and checked on the device.
#include "check_joins.h"
#include "support/large.h"

#include <mgpu/join.h>
#include <mgpu/sorted_search.h>

#include <doctest/doctest.h>

#include <thrust/equal.h>
#include <thrust/iterator/constant_iterator.h>

#include <cstdint>
#include <limits>
#include <stdexcept>

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

// Unique keys, of which either side lacks some: the first ones are no right rows, the last ones no left rows.
constexpr offset first_keys = 3, last_keys = 4, key_count = two_31 + 5 + first_keys + last_keys;
constexpr offset left_count = key_count - last_keys, right_count = key_count - first_keys;

/// Row i of their full join, or of its first rows; of the inner join the rows behind the first ones.
struct wrong_unique_row {
  const std::uint32_t *left, *right;
  offset skipped;
  unsigned long long* wrong;
  MGPU_DEVICE void operator()(offset i) const {
    const offset key = i + skipped;
    const auto left_row = static_cast<std::uint32_t>(key < left_count ? key : mgpu::no_row);
    const auto right_row = static_cast<std::uint32_t>(key < first_keys ? mgpu::no_row : key - first_keys);
    if (left[i] != left_row || right[i] != right_row) atomicAdd(wrong, 1ull);
  }
};

template <class Join>
void check_unique_rows(const std::uint32_t* keys, offset skipped, offset size) {
  INFO("kept ", static_cast<int>(Join::kept));
  const std::uint32_t *const l = keys, *const r = keys + first_keys;
  CHECK(Join::size(mgpu::par, l, l + left_count, r, r + right_count) == size);
  const guarded<std::uint32_t> left_rows(size), right_rows(size);
  const auto are_right = [&](offset rows) {
    const auto check = [&](auto* counter) {
      for_numbers<<<blocks, threads>>>(rows, wrong_unique_row{left_rows.data(), right_rows.data(), skipped, counter});
    };
    return wrong(check) == 0 && left_rows.are_guards_whole() && right_rows.are_guards_whole();
  };
  const auto ends = Join::join(mgpu::par, l, l + left_count, r, r + right_count, left_rows.data(), right_rows.data());
  CHECK(ends.first == left_rows.end());
  CHECK(ends.second == right_rows.end());
  CHECK(are_right(size));
  left_rows.clear();
  right_rows.clear();
  const offset capacity = two_31 + 1;
  const guarded<offset> size_out(1);
  Join::into(mgpu::par_nosync, l, l + left_count, r, r + right_count, left_rows.data(), right_rows.data(), capacity,
             size_out.data());
  CHECK(are_right(capacity));
  CHECK(thrust::equal(mgpu::par, size_out.data(), size_out.end(), thrust::constant_iterator<offset>(size)));
}

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

TEST_CASE("joins of more than 2^31 unique rows") {
  if (!has_memory(static_cast<std::size_t>(key_count) * 38)) return;
  const room<std::uint32_t> keys(key_count);
  for_numbers<<<blocks, threads>>>(key_count, fill_positions<std::uint32_t>{keys.data()});
  check_unique_rows<inner>(keys.data(), first_keys, two_31 + 5);
  check_unique_rows<left>(keys.data(), 0, left_count);
  check_unique_rows<full>(keys.data(), 0, key_count);
}

TEST_CASE("a full join of too many rows") {
  constexpr offset equal_rows = 3'100'000'000, capacity = 1000;
  if (!has_memory(static_cast<std::size_t>(equal_rows) * 25)) return;
  const thrust::constant_iterator<int> sevens(7);
  CHECK_THROWS_AS(mgpu::full_join_size(mgpu::par, sevens, sevens + equal_rows, sevens, sevens + equal_rows),
                  std::invalid_argument);
  const guarded<offset> left(capacity), right(capacity), size(1);
  const auto into = [&](const auto& policy) {
    mgpu::full_join_into(policy, sevens, sevens + equal_rows, sevens, sevens + equal_rows, left.data(), right.data(),
                         capacity, size.data());
  };
  CHECK_THROWS_AS(into(mgpu::par), std::invalid_argument);
  size.clear();
  into(mgpu::par_nosync);
  CHECK(thrust::equal(mgpu::par, size.data(), size.end(),
                      thrust::constant_iterator<offset>(std::numeric_limits<offset>::max())));
  CHECK(left.are_guards_whole());
  CHECK(right.are_guards_whole());
}

TEST_SUITE_END();
