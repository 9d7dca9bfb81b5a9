// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Joins two sorted columns of ids that lie on several ranks: which ids do both have, and in which rows of the first are
// they? Every rank gets as many of them as the others. The ranks are threads of this process: one for each GPU, or four
// that share one GPU or the CPU.
#include "support/ranks_here.h"

#include <mgpu/distributed.h>
#include <mgpu/in_process.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iterator>
#include <numeric>
#include <vector>

namespace {

/// Ids, and the rows they are in.
struct column {
  numbers ids, rows;
};

// [snippet: join]
/// The ids that both columns have, with the rows of a, evenly on all ranks.
column common_ids(const mgpu::in_process_communicator& communicator, const column& a_part, const numbers& b_part) {
  use_device_of(communicator.rank());
  const auto everywhere = mgpu::distributed(machine::par, communicator);
  const thrust::device_vector<std::uint32_t> a(a_part.ids.begin(), a_part.ids.end()), b(b_part.begin(), b_part.end()),
      rows(a_part.rows.begin(), a_part.rows.end());
  const auto size = mgpu::set_intersection_size(everywhere, a.begin(), a.end(), b.begin(), b.end());

  thrust::device_vector<std::uint32_t> found(a.size() + b.size()), found_rows(found.size());
  const auto ends = mgpu::set_intersection_by_key(everywhere, a.begin(), a.end(), b.begin(), b.end(), rows.begin(),
                                                  found.begin(), found_rows.begin());

  const int rank = communicator.rank(), ranks = communicator.size();
  thrust::device_vector<std::uint32_t> even(size * (rank + 1) / ranks - size * rank / ranks), even_rows(even.size());
  mgpu::rebalance(everywhere, found.begin(), ends.first, even.begin(), even.end());
  mgpu::rebalance(everywhere, found_rows.begin(), ends.second, even_rows.begin(), even_rows.end());

  column common{numbers(even.size()), numbers(even.size())};
  thrust::copy(even.begin(), even.end(), common.ids.begin());
  thrust::copy(even_rows.begin(), even_rows.end(), common.rows.begin());
  return common;
}
// [end]

/// Sorted parts of a column of random ids.
std::vector<numbers> sorted_parts(int ranks, unsigned seed) {
  auto parts = random_parts(ranks, 500'000, seed);
  numbers all = joined(parts);
  std::sort(all.begin(), all.end());
  auto next = all.begin();
  for (numbers& part : parts) {
    const auto end = next + static_cast<std::ptrdiff_t>(part.size());
    std::copy(next, end, part.begin());
    next = end;
  }
  return parts;
}

bool joins(int ranks) {
  const auto a = sorted_parts(ranks, 2), b = sorted_parts(ranks, 3);
  std::vector<column> parts(a.size()), common(a.size());
  std::uint32_t next_row = 0;
  for (std::size_t r = 0; r < a.size(); ++r) {
    parts[r] = {a[r], numbers(a[r].size())};
    std::iota(parts[r].rows.begin(), parts[r].rows.end(), next_row);
    next_row += static_cast<std::uint32_t>(a[r].size());
  }
  mgpu::in_process_group(ranks).run([&](const auto& communicator) {
    const auto r = static_cast<std::size_t>(communicator.rank());
    common[r] = common_ids(communicator, parts[r], b[r]);
  });

  const numbers all_a = joined(a), all_b = joined(b);
  numbers expected, ids, rows;
  std::set_intersection(all_a.begin(), all_a.end(), all_b.begin(), all_b.end(), std::back_inserter(expected));
  for (const column& part : common) {
    ids.insert(ids.end(), part.ids.begin(), part.ids.end());
    rows.insert(rows.end(), part.rows.begin(), part.rows.end());
  }
  std::printf("%zu ids of %zu on %d ranks are in both columns\n", ids.size(), all_a.size(), ranks);
  const auto is_of_row = [&](std::uint32_t id, std::uint32_t row) { return all_a[row] == id; };
  return ids == expected && std::equal(ids.begin(), ids.end(), rows.begin(), is_of_row);
}

}  // namespace

int main() {
  try {
    std::printf("%s\n", machine::name().c_str());
    if (joins(ranks_here())) return 0;
    std::printf("wrong result\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "distributed_join_keys: %s\n", error.what());
  }
  return 1;
}
