// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "executors.h"

#include <doctest/doctest.h>

#include <atomic>
#include <new>

namespace test {

/// What all policies with the allocator below have done together; it refuses from its `allowed`-th allocation on.
struct requests {
  std::atomic<int> allocations{0}, deallocations{0}, allowed{1 << 30};

  void restart(int allow) {
    allocations = deallocations = 0;
    allowed = allow;
  }
};

struct refusing_allocator {
  using value_type = char;
  requests* log;

  char* allocate(std::ptrdiff_t bytes) {
    if (log->allocations >= log->allowed) throw std::bad_alloc();
    ++log->allocations;
    return static_cast<char*>(first_executor::allocate(static_cast<std::size_t>(bytes)));
  }
  void deallocate(char* memory, std::size_t) {
    ++log->deallocations;
    first_executor::free(memory);
  }
};

/// However many allocations succeed, a call that is refused one throws, has changed no input and leaks nothing.
template <class Policy, class Call, class AreInputsUnchanged, class IsRight>
void check_refusals(requests& log, const Policy& policy, const Call& call, const AreInputsUnchanged& are_unchanged,
                    const IsRight& is_right) {
  log.restart(1 << 30);
  call(policy);
  const int needed = log.allocations;
  CHECK(needed > 0);
  CHECK(log.allocations == log.deallocations);
  for (int n = 0; n < needed; ++n) {
    log.restart(n);
    CHECK_THROWS_AS(call(policy), std::bad_alloc);
    CHECK(log.allocations == n);
    CHECK(log.deallocations == n);
    CHECK(are_unchanged());
    log.restart(1 << 30);
    call(policy);
    CHECK(log.allocations == log.deallocations);
    CHECK(is_right());
  }
}

}  // namespace test
