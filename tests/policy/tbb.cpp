// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls with mgpu::tbb::par from inside of TBB's own algorithms.
#include "support/executors.h"
#include "support/skip.h"

#include <doctest/doctest.h>

#include <mgpu/mgpu.h>

#ifdef MGPU_TEST_HAS_TBB
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

namespace {

using namespace test;

bool waits_for(const std::atomic<bool>& flag, std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (!flag && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return flag;
}

}  // namespace

// One thread calls, another takes a tile of the call and keeps it, and a third has a task of the caller's group to
// give away while the first waits for the tile.
TEST_CASE("a thread that waits in a call runs no other task of its caller's") {
  using namespace std::chrono_literals;
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 3);
  tbb::task_arena arena(3);
  std::vector<int> keys(1 << 20);
  std::iota(keys.begin(), keys.end(), 0);
  std::atomic<bool> has_third{false}, is_helped{false}, has_run{false}, is_by_caller{false}, is_in_call{false};
  arena.execute([&] {
    const auto caller = std::this_thread::get_id();
    tbb::task_group group;
    group.run([&] {
      has_third = true;
      waits_for(is_helped, 10s);
      group.run([&] {
        if (std::this_thread::get_id() == caller && is_in_call) is_by_caller = true;
        has_run = true;
      });
      waits_for(has_run, 200ms);
    });
    REQUIRE(waits_for(has_third, 10s));
    is_in_call = true;
    mgpu::stable_sort(mgpu::tbb::par, keys.begin(), keys.end(), [&](int x, int y) {
      if (std::this_thread::get_id() == caller) waits_for(is_helped, 10s);
      else if (!is_helped.exchange(true)) waits_for(has_run, 200ms);
      return x < y;
    });
    is_in_call = false;
    CHECK(is_helped);
    group.wait();
  });
  CHECK(has_run);
  CHECK_FALSE(is_by_caller);
}
#else
TEST_CASE("a thread that waits in a call runs no other task of its caller's") {
  MESSAGE("skipped: there is no TBB");
  test::has_skipped_a_test = true;
}
#endif
