// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work that is run in parts, ranges of its diagonals, gives what it gives as a whole.
#include "support/executors.h"
#include "support/vectors.h"

#include <mgpu/exec/part_of.h>
#include <mgpu/merge.h>
#include <mgpu/set_operations.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

using namespace test;
using mgpu::offset;

/// Sorted keys with many equal ones.
std::vector<int> keys_of(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> keys(static_cast<std::size_t>(count));
  for (int& key : keys) key = std::uniform_int_distribution<int>(0, count / 3)(random);
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// Calls f(diagonals) for the parts of work with so many diagonals, one of them empty.
template <class Function>
void for_each_part(offset size, const Function& f) {
  const offset borders[] = {0, size / 3 + 1, size / 3 + 1, size - size / 5, size};
  for (int i = 0; i < 4; ++i) {
    if (borders[i] < borders[i + 1]) f(mgpu::detail::exec::diagonal_range{borders[i], borders[i + 1]});
  }
}

constexpr mgpu::detail::base::no_values none;

}  // namespace

TEST_CASE("a merge in parts") {
  for_each_own_policy([](auto executor) {
    INFO(executor.name);
    const auto& policy = executor.policy();
    const auto a = keys_of(300007, 1), b = keys_of(170003, 2);
    const vector<int> a_in = to_vector(a), b_in = to_vector(b);
    vector<int> whole(a.size() + b.size()), parts(a.size() + b.size());
    mgpu::merge(policy, a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), whole.begin());
    const auto a_count = static_cast<offset>(a.size()), b_count = static_cast<offset>(b.size());
    const mgpu::detail::core::merge work{mgpu::detail::exec::unwrap(a_in.begin(), a_count),
                                         mgpu::detail::exec::unwrap(b_in.begin(), b_count),
                                         a_count,
                                         b_count,
                                         none,
                                         none,
                                         mgpu::detail::exec::unwrap(parts.begin(), a_count + b_count),
                                         none,
                                         mgpu::detail::base::order<std::less<>>{}};
    for_each_part(work.size(), [&](const mgpu::detail::exec::diagonal_range& part) {
      mgpu::detail::exec::executor(policy).run(mgpu::detail::exec::part_of{work, part});
    });
    CHECK(to_std(parts) == to_std(whole));
  });
}

TEST_CASE("a union in parts") {
  for_each_own_policy([](auto executor) {
    INFO(executor.name);
    const auto& policy = executor.policy();
    const auto a = keys_of(200003, 3), b = keys_of(250007, 4);
    const vector<int> a_in = to_vector(a), b_in = to_vector(b);
    vector<int> whole(a.size() + b.size(), -1), parts(a.size() + b.size(), -1);
    const auto end = mgpu::set_union(policy, a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), whole.begin());
    const auto a_count = static_cast<offset>(a.size()), b_count = static_cast<offset>(b.size());
    const mgpu::detail::core::set_operation work{cuda::std::true_type{},
                                                 mgpu::detail::tile::set_union{},
                                                 mgpu::detail::exec::unwrap(a_in.begin(), a_count),
                                                 mgpu::detail::exec::unwrap(b_in.begin(), b_count),
                                                 a_count,
                                                 b_count,
                                                 none,
                                                 none,
                                                 mgpu::detail::exec::unwrap(parts.begin(), a_count + b_count),
                                                 none,
                                                 mgpu::detail::base::order<std::less<>>{}};
    offset size = 0;
    for_each_part(work.size(), [&](const mgpu::detail::exec::diagonal_range& range) {
      const mgpu::detail::exec::part_of part{work, range};
      size += mgpu::detail::exec::executor(policy).compact(mgpu::detail::exec::compacted_part_of{part, size});
    });
    CHECK(size == end - whole.begin());
    CHECK(to_std(parts) == to_std(whole));
  });
}
