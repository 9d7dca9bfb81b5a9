// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the functions on intervals refuse, and what they do when they are refused memory.
#include "interval_calls.h"
#include "support/refusing_allocator.h"
#include "support/waiting_policies.h"

#include <thrust/iterator/counting_iterator.h>

#include <limits>
#include <stdexcept>

namespace {

using namespace test;
using wrong = std::invalid_argument;

struct ignore_visit {
  MGPU_HOST_DEVICE void operator()(offset, offset, offset) const {}
};

/// All functions refuse such counts, and nothing has happened.
template <class Count>
void check_counts_refused(const std::vector<Count>& counts) {
  for_each_policy([&](auto executor, const auto& policy) {
    using executor_type = decltype(executor);
    INFO(counts.size(), " counts of ", sizeof(Count), " bytes");
    const input<executor_type, Count> counts_in(counts);
    const input<executor_type, int> in(std::vector<int>(counts.size() + 100));
    const output<executor_type, int> out(100);
    const mgpu::interval_counts intervals(counts_in.begin(), counts_in.end());
    const int* const x = in.begin();
    int* const to = out.begin();
    CHECK_THROWS_AS(mgpu::interval_expand(policy, intervals, x, to), wrong);
    CHECK_THROWS_AS(mgpu::interval_gather(policy, intervals, x, x, to), wrong);
    CHECK_THROWS_AS(mgpu::interval_scatter(policy, intervals, x, x, to), wrong);
    CHECK_THROWS_AS(mgpu::interval_move(policy, intervals, x, x, x, to), wrong);
    CHECK_THROWS_AS(mgpu::load_balance_search(policy, intervals, to), wrong);
    CHECK_THROWS_AS(mgpu::for_each_interval_item(policy, intervals, ignore_visit{}), wrong);
    CHECK(out.untouched());
    CHECK(in.unchanged());
    CHECK(counts_in.unchanged());
  });
}

}  // namespace

TEST_CASE("intervals that are none") {
  const auto check = [](auto* null) {
    using offset_type = std::remove_pointer_t<decltype(null)>;
    offset_type some[4] = {0, 1, 2, 3};  // never read
    CHECK_THROWS_AS(mgpu::interval_offsets(some, -1, 0), wrong);
    CHECK_THROWS_AS(mgpu::interval_offsets(some, -1, 5), wrong);
    CHECK_THROWS_AS(mgpu::interval_offsets(some, 4, -1), wrong);
    CHECK_THROWS_AS(mgpu::interval_offsets(some, 0, -1), wrong);
    CHECK_THROWS_AS(mgpu::interval_offsets(some, 0, 1), wrong);
    CHECK_THROWS_AS(mgpu::interval_offsets(null, 0, 1), wrong);
    CHECK_THROWS_AS(mgpu::interval_offsets(null, 3, 3), wrong);
    CHECK_THROWS_AS(mgpu::interval_offsets(null, 1, 0), wrong);
    CHECK_THROWS_AS(mgpu::interval_counts(some + 4, some + 1), wrong);
    CHECK_THROWS_AS(mgpu::interval_counts(null, null + 1), wrong);
    CHECK_THROWS_AS(mgpu::interval_offsets(some, 1, std::numeric_limits<offset>::max()), wrong);
    CHECK_THROWS_AS(mgpu::interval_offsets(some, 2, (offset{1} << 62) - 1), wrong);
    CHECK_NOTHROW(mgpu::interval_offsets(some, 1, (offset{1} << 62) - 1));
    CHECK_NOTHROW(mgpu::interval_offsets(null, 0, 0));
    CHECK_NOTHROW(mgpu::interval_counts(null, null));
    CHECK_NOTHROW(mgpu::interval_counts(some + 1, some + 1));
  };
  check(static_cast<int*>(nullptr));
  check(static_cast<const std::uint64_t*>(nullptr));
  const thrust::counting_iterator<int> five(5);
  CHECK_THROWS_AS(mgpu::interval_offsets(five, -2, 0), wrong);
  CHECK_THROWS_AS(mgpu::interval_counts(five, five - 3), wrong);
}

TEST_CASE("a null pointer with elements behind it, in every place") {
  for_each_policy([](auto executor, const auto& policy) {
    using executor_type = decltype(executor);
    const input<executor_type, int> in({0, 2, 3, 3, 9, 0, 0, 0, 0});
    const output<executor_type, int> out(9);
    int *const x = in.begin(), *const to = out.begin(), *const null = nullptr;
    const auto check = [&](const auto& intervals) {
      CHECK_THROWS_AS(mgpu::interval_expand(policy, intervals, null, to), wrong);
      CHECK_THROWS_AS(mgpu::interval_expand(policy, intervals, x, null), wrong);
      CHECK_THROWS_AS(mgpu::interval_gather(policy, intervals, null, x, to), wrong);
      CHECK_THROWS_AS(mgpu::interval_gather(policy, intervals, x, null, to), wrong);
      CHECK_THROWS_AS(mgpu::interval_gather(policy, intervals, x, x, null), wrong);
      CHECK_THROWS_AS(mgpu::interval_scatter(policy, intervals, null, x, to), wrong);
      CHECK_THROWS_AS(mgpu::interval_scatter(policy, intervals, x, null, to), wrong);
      CHECK_THROWS_AS(mgpu::interval_scatter(policy, intervals, x, x, null), wrong);
      CHECK_THROWS_AS(mgpu::interval_move(policy, intervals, null, x, x, to), wrong);
      CHECK_THROWS_AS(mgpu::interval_move(policy, intervals, x, null, x, to), wrong);
      CHECK_THROWS_AS(mgpu::interval_move(policy, intervals, x, x, null, to), wrong);
      CHECK_THROWS_AS(mgpu::interval_move(policy, intervals, x, x, x, null), wrong);
      CHECK_THROWS_AS(mgpu::load_balance_search(policy, intervals, null), wrong);
    };
    check(mgpu::interval_offsets(x, 5, 9));
    check(mgpu::interval_counts(x, x + 4));
    CHECK(in.unchanged());
    CHECK(out.untouched());
  });
}

TEST_CASE("negative counts") {
  check_counts_refused<int>({-1});
  check_counts_refused<int>({5, -2, 4});
  check_counts_refused<int>({std::numeric_limits<int>::min(), 0});
  check_counts_refused<int>({0, 3, std::numeric_limits<int>::max(), -7});
  check_counts_refused<std::int64_t>(
      {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::min()});
  std::mt19937 random(3);
  for (const int size : {3000, 200'000}) {
    for (int repeat = 0; repeat < 4; ++repeat) {
      auto counts = counts_of_size(sharing::halves, size, random);
      counts[repeat == 0 ? counts.size() - 1 : random() % counts.size()] = repeat == 1 ? -1'000'000 : -1;
      check_counts_refused(counts);
    }
  }
}

TEST_CASE("counts whose sum does not fit") {
  constexpr std::int64_t half = std::int64_t{1} << 62;
  check_counts_refused<std::int64_t>({half, half});
  check_counts_refused<std::int64_t>({half, half, half, half});  // which would be zero
  check_counts_refused<std::int64_t>({half, 3, half, half, half, half, 4});
  check_counts_refused<std::int64_t>({std::numeric_limits<std::int64_t>::max(), 1});
  check_counts_refused<std::int64_t>(
      {std::numeric_limits<std::int64_t>::max()});  // which does, but not with an interval
  std::vector<std::int64_t> many(100'000, half / 4096);
  check_counts_refused(many);
  check_counts_refused<std::uint64_t>({std::uint64_t{1} << 63});
  check_counts_refused<std::uint64_t>({~std::uint64_t{0}, 1});
  check_counts_refused<std::uint64_t>({7, ~std::uint64_t{0}, 0, 5});
}

TEST_CASE("small inputs take no memory, and none does on the CPU, where offsets are given") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    requests log;
    const auto policy = executor.policy()(refusing_allocator{&log});
    const interval_calls<executor_type> small(counts_of_small_call());
    const auto check = [&](const auto& calls) {
      for (const auto f : all_functions) {
        INFO("function ", static_cast<int>(f));
        calls.load(1);
        log.restart(0);
        calls.run(f, policy);
        CHECK(log.allocations == 0);
        CHECK(log.deallocations == 0);
        CHECK(calls.has_result(f, 1));
      }
    };
    check(small);
#ifndef MGPU_TEST_CUDA
    check(interval_calls<executor_type>(counts_of_large_call()));
#endif
  });
}

TEST_CASE("an allocator that refuses: bad_alloc, nothing leaked, the inputs as they were, and the next call works") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    requests log;
    const auto policy = executor.policy()(refusing_allocator{&log});
    const auto check = [&](const auto& calls, given as) {
      for (const auto f : all_functions) {
        INFO("function ", static_cast<int>(f), ", intervals given as ", static_cast<int>(as));
        calls.load(2);
        check_refusals(
            log, policy,
            [&](const auto& p) {
              calls.clear();
              calls.run(f, p, as);
            },
            [&] { return calls.has_not_run(2); }, [&] { return calls.has_result(f, 2); });
      }
    };
    check(interval_calls<executor_type>(counts_of_small_call()), given::counts);
    const interval_calls<executor_type> large(counts_of_large_call());
    check(large, given::counts);
#ifdef MGPU_TEST_CUDA
    check(large, given::offsets);
#endif
  });
}
