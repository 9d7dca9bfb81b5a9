// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Arrays behind iterators of one kind. An access says what the iterators are:
//   static auto read(int* memory, offset count)      an iterator to `count` elements
//   static auto write(int* memory, offset count)     the same for outputs
//   static std::size_t place(std::size_t i, std::size_t count)   where in memory the number of element i lies
//   static constexpr bool is_sortable                whether what read() gives can be written, too
//   static void complete(std::vector<int>& memory)   called when all elements have been put in their places
//   using numbers                                    the access of positions, counts and row numbers
// Memory has room for 2 * count numbers.

#include "support/arrays.h"

#include <cuda/std/iterator>

#include <cstddef>
#include <utility>
#include <vector>

namespace test {

/// Numbers in the executor's memory as an access has them.
template <class Executor, class Access>
class accessed {
 public:
  explicit accessed(const std::vector<int>& x) : count_(x.size()), memory_(static_cast<offset>(2 * count_)) {
    std::vector<int> stored(2 * count_, unused);
    for (std::size_t i = 0; i < count_; ++i) stored[Access::place(i, count_)] = x[i];
    Access::complete(stored);
    Executor::copy_in(memory_.begin(), stored.data(), stored.size() * sizeof(int));
  }
  explicit accessed(std::size_t count) : accessed(std::vector<int>(count, unused)) {}

  auto begin() const { return Access::read(memory_.begin(), static_cast<offset>(count_)); }
  auto end() const { return begin() + static_cast<difference>(count_); }
  auto out() const { return Access::write(memory_.begin(), static_cast<offset>(count_)); }

  /// Whether the first elements are these, the others are as they were, and nothing else was written.
  bool holds(const std::vector<int>& first) const {
    if (!memory_.guards_untouched()) return false;
    const auto found = memory_.read();
    std::vector<int> expected(2 * count_, unused);
    for (std::size_t i = 0; i < first.size(); ++i) expected[Access::place(i, count_)] = first[i];
    Access::complete(expected);
    return found == expected;
  }

 private:
  using iterator = decltype(Access::read(std::declval<int*>(), offset{}));
  using difference = typename cuda::std::iterator_traits<iterator>::difference_type;
  static constexpr int unused = -7;

  std::size_t count_;
  output<Executor, int> memory_;
};

/// What most accesses have.
struct plain_access {
  static constexpr bool is_sortable = true;
  using numbers = plain_access;

  static int* read(int* memory, offset) { return memory; }
  static int* write(int* memory, offset) { return memory; }
  static std::size_t place(std::size_t i, std::size_t) { return i; }
  static void complete(std::vector<int>&) {}
};

}  // namespace test
