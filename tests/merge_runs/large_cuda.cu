// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// More than 2^32 elements in runs: positions across tiles are 64-bit. Everything is made and checked on the device.
#include "support/large.h"

#include <mgpu/merge_runs.h>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace test;

/// Element j of run r is (j * runs + r) / 2: neighbouring runs have equal keys, and element i of the merge is i / 2.
struct key_in_run {
  offset runs, length;
  MGPU_HOST_DEVICE std::uint32_t operator()(offset i) const {
    return static_cast<std::uint32_t>((i % length * runs + i / length) / 2);
  }
};
struct run_of {
  offset length;
  MGPU_HOST_DEVICE std::uint8_t operator()(offset i) const { return static_cast<std::uint8_t>(i / length); }
};
struct begin_of {
  offset length;
  MGPU_HOST_DEVICE offset operator()(offset run) const { return run * length; }
};
struct pointer_to {
  const std::uint32_t* first;
  offset length;
  MGPU_HOST_DEVICE const std::uint32_t* operator()(offset run) const { return first + run * length; }
};
struct always {
  offset x;
  MGPU_HOST_DEVICE offset operator()(offset) const { return x; }
};

struct count_wrong_keys {
  const std::uint32_t* merged;
  unsigned long long* wrong;
  MGPU_DEVICE void operator()(offset i) const {
    if (merged[i] != static_cast<std::uint32_t>(i / 2)) atomicAdd(wrong, 1ull);
  }
};
struct count_wrong_values {
  const std::uint8_t* merged;
  offset runs;
  unsigned long long* wrong;
  MGPU_DEVICE void operator()(offset i) const {
    if (merged[i] != static_cast<std::uint8_t>(i % runs)) atomicAdd(wrong, 1ull);
  }
};

void check_keys(const guarded<std::uint32_t>& out, offset count) {
  CHECK(wrong([&](auto* counter) {
          for_numbers<<<blocks, threads>>>(count, count_wrong_keys{out.data(), counter});
        }) == 0);
  CHECK(out.are_guards_whole());
}

/// 2^32 + some elements in so many runs. `arrays`: how many arrays of that size the call takes beside its output.
void check_keys_of(offset runs, std::size_t arrays, bool is_separate) {
  const offset length = two_32 / runs + 1001, count = runs * length;
  if (!has_memory((arrays + 1) * static_cast<std::size_t>(count) * 4 + (std::size_t{1} << 30))) return;
  const room<std::uint32_t> keys(count);
  for_numbers<<<blocks, threads>>>(count, fill_elements{key_in_run{runs, length}, keys.data()});
  const guarded<std::uint32_t> out(count);
  const std::uint32_t* const first = keys.data();
  std::uint32_t* end;
  if (is_separate) {
    const mgpu::run_ranges all(computed(pointer_to{first, length}), computed(always{length}), runs, count);
    end = mgpu::merge_runs(mgpu::par, all, out.data());
  } else {
    end = mgpu::merge_runs(mgpu::par, first, first + count, mgpu::run_offsets(computed(begin_of{length}), runs),
                           out.data());
  }
  CHECK(end == out.end());
  check_keys(out, count);
}

}  // namespace

TEST_SUITE_BEGIN("large");

TEST_CASE("merge_runs of more than 2^32 keys in 8 runs, in 2, and in arrays of their own") {
  check_keys_of(8, 1, false);
  check_keys_of(2, 1, false);
  check_keys_of(6, 1, true);
}

TEST_CASE("merge_runs of more than 2^32 keys in several passes") { check_keys_of(100, 2, false); }

TEST_CASE("merge_runs_by_key of more than 2^32 computed pairs") {
  const offset runs = 8, length = two_32 / runs + 1001, count = runs * length;
  if (!has_memory(5 * static_cast<std::size_t>(count) + (std::size_t{1} << 30))) return;
  const auto keys = computed(key_in_run{runs, length});
  const guarded<std::uint32_t> out(count);
  const guarded<std::uint8_t> values_out(count);
  const auto ends =
      mgpu::merge_runs_by_key(mgpu::par, keys, keys + count, computed(run_of{length}),
                              mgpu::run_offsets(computed(begin_of{length}), runs), out.data(), values_out.data());
  CHECK(ends.second == values_out.end());
  check_keys(out, count);
  CHECK(wrong([&](auto* counter) {
          for_numbers<<<blocks, threads>>>(count, count_wrong_values{values_out.data(), runs, counter});
        }) == 0);
  CHECK(values_out.are_guards_whole());
}

TEST_SUITE_END();
