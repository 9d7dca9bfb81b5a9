// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// More than 2^31 elements, and more than 2^32. Everything is made and checked on the device.
#include "support/large.h"

#include <mgpu/odd_even_merge_sort.h>

#include <cstdint>

namespace {

using namespace test;
using key = std::uint8_t;

/// Keys in the order of the products of their ranks and a prime, which are a permutation of the ranks: no count is its
/// multiple.
struct unsorted_keys {
  offset count;

  MGPU_HOST_DEVICE key sorted(offset i) const { return static_cast<key>(i * 256 / count); }
  MGPU_HOST_DEVICE key operator()(offset i) const {
    return sorted(static_cast<offset>(static_cast<std::uint64_t>(i) * 2654435761u % static_cast<std::uint64_t>(count)));
  }
};

struct compare_keys {
  unsorted_keys by;
  const key* found;
  unsigned long long* wrong;
  MGPU_DEVICE void operator()(offset i) const {
    if (found[i] != by.sorted(i)) atomicAdd(wrong, 1ull);
  }
};
template <class T>
struct compare_arrays {
  const T *found, *expected;
  unsigned long long* wrong;
  MGPU_DEVICE void operator()(offset i) const {
    if (found[i] != expected[i]) atomicAdd(wrong, 1ull);
  }
};
/// Values number the elements: each has its key, and marks its bit, which nobody else has.
template <class Value>
struct mark_values {
  unsorted_keys by;
  const key* keys;
  const Value* values;
  std::uint32_t* marks;  // [ceil(count / 32)]
  unsigned long long* wrong;
  MGPU_DEVICE void operator()(offset i) const {
    const std::uint64_t from = values[i];
    const std::uint32_t bit = 1u << from % 32;
    if (from >= static_cast<std::uint64_t>(by.count) || keys[i] != by(static_cast<offset>(from)) ||
        (atomicOr(marks + from / 32, bit) & bit) != 0)
      atomicAdd(wrong, 1ull);
  }
};

/// One layer of the network as it is published.
template <class Value>
struct published_layer {
  int group_log, stride_log;
  offset count;
  key* keys;
  Value* values;

  MGPU_DEVICE void operator()(offset i) const {
    const offset inner = i >> stride_log, last = (offset{1} << (group_log - stride_log)) - 1;
    const bool is_left = inner % 2 == (stride_log == group_log - 1 ? 0 : 1) && (inner & last) < last;
    const offset j = i + (offset{1} << stride_log);
    if (!is_left || j >= count || !(keys[j] < keys[i])) return;
    const key left = keys[i];
    const Value left_value = values[i];
    keys[i] = keys[j];
    values[i] = values[j];
    keys[j] = left;
    values[j] = left_value;
  }
};

template <class F>
void run_for_numbers(offset count, const F& f) {
  for_numbers<<<blocks, threads>>>(count, f);
  require_cuda(cudaGetLastError());
}

void check_sorts_keys(offset count) {
  INFO(count, " keys");
  const unsorted_keys by{count};
  const guarded<key> keys(count);
  run_for_numbers(count, fill_elements{by, keys.data()});
  mgpu::odd_even_merge_sort(mgpu::par, keys.data(), keys.end());
  CHECK(wrong([&](auto* counter) { run_for_numbers(count, compare_keys{by, keys.data(), counter}); }) == 0);
  CHECK(keys.are_guards_whole());
}

/// Keys with their positions, which have to be where the published network leaves them.
template <class Value>
void check_sorts_pairs(offset count) {
  INFO(count, " pairs");
  const unsorted_keys by{count};
  const guarded<key> keys(count), expected_keys(count);
  const guarded<Value> values(count), expected_values(count);
  for (const auto* k : {&keys, &expected_keys}) run_for_numbers(count, fill_elements{by, k->data()});
  for (const auto* v : {&values, &expected_values}) run_for_numbers(count, fill_positions<Value>{v->data()});
  mgpu::odd_even_merge_sort_by_key(mgpu::par, keys.data(), keys.end(), values.data());
  for (int group_log = 1; offset{1} << (group_log - 1) < count; ++group_log) {
    for (int stride_log = group_log - 1; stride_log >= 0; --stride_log) {
      run_for_numbers(
          count, published_layer<Value>{group_log, stride_log, count, expected_keys.data(), expected_values.data()});
    }
  }
  const auto check = [&](const auto& compare) {
    CHECK(wrong([&](auto* counter) { run_for_numbers(count, compare(counter)); }) == 0);
  };
  check([&](auto* counter) { return compare_keys{by, keys.data(), counter}; });
  check([&](auto* counter) { return compare_arrays<key>{keys.data(), expected_keys.data(), counter}; });
  check([&](auto* counter) { return compare_arrays<Value>{values.data(), expected_values.data(), counter}; });
  const offset words = (count + 31) / 32;
  const room<std::uint32_t> marks(words);
  require_cuda(cudaMemset(marks.data(), 0, static_cast<std::size_t>(words) * sizeof(std::uint32_t)));
  check([&](auto* counter) { return mark_values<Value>{by, keys.data(), values.data(), marks.data(), counter}; });
  CHECK(keys.are_guards_whole());
  CHECK(values.are_guards_whole());
}

}  // namespace

TEST_SUITE_BEGIN("large");

TEST_CASE("2^31 - 1 keys, 2^31 and more") {
  if (!has_memory(std::size_t{3} << 30)) return;
  for (const offset count : {two_31 - 1, two_31, two_31 + 12'345}) check_sorts_keys(count);
}

TEST_CASE("3 * 2^30 keys, 2^32, and more") {
  if (!has_memory(std::size_t{7} << 30)) return;
  for (const offset count : {two_31 + two_31 / 2 + 1, two_32, two_32 + 1'234'567}) check_sorts_keys(count);
}

TEST_CASE("more than 2^31 pairs are where the network leaves them") {
  if (!has_memory(std::size_t{22} << 30)) return;
  check_sorts_pairs<std::uint32_t>(two_31 + 7);
}

TEST_CASE("more than 2^32 pairs are where the network leaves them") {
  if (!has_memory(std::size_t{80} << 30)) return;
  check_sorts_pairs<std::uint64_t>(two_32 + 7);
}

TEST_CASE("pairs of a large array whose length is near no power of two") {
  if (!has_memory(std::size_t{6} << 30)) return;
  check_sorts_pairs<std::uint32_t>(offset{400'000'003});
}

TEST_SUITE_END();
