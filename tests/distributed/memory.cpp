// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The scratch memory of a rank, for elements of large alignment.
#include <doctest/doctest.h>

#include <mgpu/cpp.h>
#include <mgpu/plan/distributed/memory.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

/// Hands out a place in a block, however badly it is aligned.
struct shifted_allocator {
  using value_type = char;
  std::vector<char>* block;
  std::size_t shift;
  char** end;

  char* allocate(std::ptrdiff_t bytes) {
    block->resize(static_cast<std::size_t>(bytes) + shift);
    *end = block->data() + block->size();
    return block->data() + shift;
  }
  void deallocate(char*, std::size_t) {}
};

template <std::size_t alignment>
struct alignas(alignment) aligned {
  char x;
};

template <class T>
void check_memory() {
  for (std::size_t shift = 0; shift < 2 * alignof(T); shift += 16) {
    std::vector<char> block;
    char* end = nullptr;
    auto policy = mgpu::cpp::par(shifted_allocator{&block, shift, &end});
    const bool are_ranks_lost = false;
    mgpu::detail::plan::rank_memory<decltype(policy)> memory{are_ranks_lost};
    T* first = nullptr;
    char* second = nullptr;
    memory.take(policy, [&](mgpu::detail::plan::scratch_layout& layout) {
      first = layout.take<T>(2);
      second = layout.take<char>(3);
    });
    INFO("shift ", shift);
    CHECK(reinterpret_cast<char*>(first) >= block.data() + shift);
    CHECK(reinterpret_cast<std::uintptr_t>(first) % alignof(T) == 0);
    CHECK(second >= reinterpret_cast<char*>(first + 2));
    CHECK(second + 3 <= end);
  }
}

TEST_CASE("arrays of a rank lie within its memory") {
  check_memory<aligned<1>>();
  check_memory<aligned<256>>();
  check_memory<aligned<512>>();
  check_memory<aligned<4096>>();
}

}  // namespace
