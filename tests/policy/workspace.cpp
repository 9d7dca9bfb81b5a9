// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Scratch memory of which the allocator gives less, or more, than was asked.
#include <mgpu/cpp.h>
#include <mgpu/locality_sort.h>

#include <doctest/doctest.h>

#include <thrust/pair.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <numeric>
#include <vector>

namespace {

/// What the allocator below has done.
struct buffer_log {
  std::ptrdiff_t asked = 0, given = 0, returned = 0;  // elements
  int buffers = 0;
};

/// A policy whose allocator gives `surplus` elements more than asked.
struct uneven_policy : mgpu::detail::exec::host_policy<uneven_policy, thrust::cpp::execution_policy> {
  buffer_log* log;
  std::ptrdiff_t surplus;

  uneven_policy(buffer_log& l, std::ptrdiff_t more) : log(&l), surplus(more) {}

  template <class T>
  friend thrust::pair<T*, std::ptrdiff_t> get_temporary_buffer(uneven_policy& p, std::ptrdiff_t count) {
    const std::ptrdiff_t given = std::max<std::ptrdiff_t>(1, count + p.surplus);
    p.log->asked += count;
    p.log->given += given;
    ++p.log->buffers;
    return {static_cast<T*>(::operator new(static_cast<std::size_t>(given) * sizeof(T))), given};
  }
  template <class Pointer>
  friend void return_temporary_buffer(uneven_policy& p, Pointer memory, std::ptrdiff_t count) {
    p.log->returned += count;
    --p.log->buffers;
    ::operator delete(thrust::raw_pointer_cast(memory));
  }
};

std::vector<int> descending(int count) {
  std::vector<int> keys(static_cast<std::size_t>(count));
  std::iota(keys.rbegin(), keys.rend(), 0);
  return keys;
}

}  // namespace

TEST_CASE("an allocator that gives less than asked: std::bad_alloc before anything runs, and it gets the piece back") {
  buffer_log log;
  const std::vector<int> before = descending(200000);
  std::vector<int> keys = before;
  CHECK_THROWS_AS(mgpu::locality_sort(uneven_policy(log, -1), keys.begin(), keys.end()), std::bad_alloc);
  CHECK(keys == before);
  CHECK(log.asked > log.given);
  CHECK(log.returned == log.given);
  CHECK(log.buffers == 0);
}

TEST_CASE("an allocator that gives more than asked gets it back as it gave it") {
  buffer_log log;
  std::vector<int> keys = descending(200000);
  mgpu::locality_sort(uneven_policy(log, 100), keys.begin(), keys.end());
  CHECK(std::is_sorted(keys.begin(), keys.end()));
  CHECK(log.given > log.asked);
  CHECK(log.returned == log.given);
  CHECK(log.buffers == 0);
}
