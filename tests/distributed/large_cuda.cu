// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Joins over ranks of more than 2^31 rows, and of too many pairs to be counted. Everything is made on the device.
#include "ranks.h"
#include "support/large.h"

#include <mgpu/distributed_join.h>

#include <doctest/doctest.h>

#include <thrust/iterator/constant_iterator.h>

#include <cstdint>
#include <stdexcept>

namespace {

using namespace test;

/// For each of two ranks what f(everywhere, rank) returns, or -1 if it throws std::invalid_argument. Both are on the
/// device that has the data.
template <class F>
std::vector<offset> results_of_ranks(const F& f) {
  std::vector<offset> results(2);
  mgpu::in_process_group(2).run([&](const mgpu::in_process_communicator& c) {
    offset& result = results[static_cast<std::size_t>(c.rank())];
    try {
      result = f(mgpu::distributed(mgpu::par, c), c.rank());
    } catch (const std::invalid_argument&) {
      result = -1;
    }
  });
  return results;
}

}  // namespace

TEST_SUITE_BEGIN("large");

TEST_CASE("a join over ranks of more than 2^31 unique rows") {
  constexpr offset count = two_31 + 5, on_first = two_31 / 2 + 1;
  if (!has_memory(static_cast<std::size_t>(count) * 20)) return;
  const room<std::uint32_t> keys(count);
  for_numbers<<<blocks, threads>>>(count, fill_positions<std::uint32_t>{keys.data()});
  require_cuda(cudaDeviceSynchronize());
  const auto left = shares{"", {on_first, count - on_first}}, right = shares{"", {count - 3, 3}};
  const auto sizes = results_of_ranks([&](const auto& everywhere, int r) {
    const auto i = static_cast<std::size_t>(r);
    const std::uint32_t *const l = keys.data() + left.begin(r), *const x = keys.data() + right.begin(r);
    return mgpu::inner_join_size(everywhere, l, l + left.counts[i], x, x + right.counts[i]);
  });
  CHECK(sizes == left.counts);
}

TEST_CASE("a join over ranks of too many pairs") {
  if (!has_memory(static_cast<std::size_t>(two_31) * 10)) return;
  const room<std::uint8_t> zeros(two_31);
  require_cuda(cudaMemset(zeros.data(), 0, static_cast<std::size_t>(two_31)));
  require_cuda(cudaDeviceSynchronize());
  // Both ranks have all right rows as partners: 2^32, of 2^31 left rows 2^63 pairs.
  const thrust::constant_iterator<std::uint8_t> left(0);
  const auto size_of = [&](offset rows) {
    return results_of_ranks([&](const auto& everywhere, int) {
      return mgpu::inner_join_size(everywhere, left, left + rows, zeros.data(), zeros.data() + two_31);
    });
  };
  CHECK(size_of(two_31 - 1) == std::vector<offset>(2, (two_31 - 1) * two_32));
  CHECK(size_of(two_31) == std::vector<offset>(2, -1));
}

TEST_SUITE_END();
