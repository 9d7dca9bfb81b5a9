// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// CUDA calls of an exchange that fail on one rank of a process, wherever that is. Every rank throws. Either the ranks
// are usable afterwards and the next call gives the right result, or none of them is and the next call throws.
#include "ranks.h"

#include <atomic>
#include <cstddef>
#include <limits>
#include <new>
#include <numeric>
#include <vector>

/// How many of the calls below succeed on this thread before one fails.
thread_local int calls_before_failure = std::numeric_limits<int>::max();

static bool fails() { return calls_before_failure-- == 0; }

extern "C" {
cudaError_t __real_cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t __wrap_cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return fails() ? cudaErrorMemoryAllocation : __real_cudaEventCreateWithFlags(event, flags);
}
cudaError_t __real_cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t __wrap_cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return fails() ? cudaErrorMemoryAllocation : __real_cudaEventRecord(event, stream);
}
cudaError_t __real_cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t __wrap_cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return fails() ? cudaErrorMemoryAllocation : __real_cudaStreamWaitEvent(stream, event, flags);
}
cudaError_t __real_cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t s);
cudaError_t __wrap_cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t s) {
  return fails() ? cudaErrorMemoryAllocation : __real_cudaMemcpyAsync(to, from, bytes, kind, s);
}
}

namespace {

using namespace test;

enum class outcome { returned, no_memory, rank_failed };

template <class F>
outcome outcome_of(const F& f) {
  try {
    f();
  } catch (const mgpu::rank_error&) {
    return outcome::rank_failed;
  } catch (const std::bad_alloc&) {
    return outcome::no_memory;
  }
  return outcome::returned;
}

struct seen {
  outcome first = outcome::returned, second = outcome::returned;
  bool has_failed = false, is_usable = false, is_right = false;
};

/// Moves a sequence from one distribution to another, twice. On one rank a CUDA call fails the first time.
std::vector<seen> move_twice(const std::vector<std::uint32_t>& all, const shares& from, const shares& to, int victim,
                             int calls) {
  const int ranks = static_cast<int>(from.counts.size());
  std::vector<seen> result(from.counts.size());
  run_ranks(ranks, [&](const auto& c) {
    const int r = c.rank();
    seen& own = result[static_cast<std::size_t>(r)];
    const input<cuda_executor, std::uint32_t> in(part_of(all, from, r));
    const output<cuda_executor, std::uint32_t> out(to.counts[static_cast<std::size_t>(r)]);
    const auto everywhere = mgpu::distributed(mgpu::par, c);
    const auto move = [&] { mgpu::rebalance(everywhere, in.begin(), in.end(), out.begin(), out.end()); };
    if (r == victim) calls_before_failure = calls;
    own.first = outcome_of(move);
    own.has_failed = calls_before_failure < 0;
    calls_before_failure = std::numeric_limits<int>::max();
    own.is_usable = c.is_usable() && everywhere.is_usable();
    own.second = outcome_of(move);
    own.is_right = own.second == outcome::returned && out.first_difference(part_of(all, to, r)) == -1;
  });
  return result;
}

TEST_CASE("a CUDA call of an exchange fails on one rank") {
  const offset many = mgpu::detail::exec::least_bytes_in_phases / 8;  // so that the ranks copy in phases
  for (const offset count : {offset{1000}, many}) {
    const shares from{"", {count, 0, 2 * count}}, to{"", {count, 2 * count, 0}};
    const auto all = indices(static_cast<std::size_t>(from.total()));
    int unusable = 0;
    for (int victim = 0; victim < 3; ++victim) {
      for (int calls = 0;; ++calls) {
        INFO(count, " elements, ", calls, " calls of rank ", victim, " succeed");
        const auto ranks = move_twice(all, from, to, victim, calls);
        const auto of_victim = ranks[static_cast<std::size_t>(victim)];
        for (const seen& s : ranks) {
          CHECK(s.is_usable == of_victim.is_usable);
          if (of_victim.has_failed) CHECK(s.first != outcome::returned);
          else CHECK(s.first == outcome::returned);
          if (of_victim.is_usable) CHECK(s.is_right);
          else CHECK(s.second == outcome::rank_failed);
        }
        if (!of_victim.has_failed) break;
        CHECK(of_victim.first == outcome::no_memory);
        unusable += !of_victim.is_usable;
      }
    }
    CHECK(unusable > 0);
  }
}

}  // namespace
