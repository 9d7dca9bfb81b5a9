// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The merges of runs of the grid.

#include <support/sort_grid/rows.cuh>

#include <mgpu/merge_runs.h>
#include <mgpu/runs.h>

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

inline constexpr int run_bits = 17;  // of the number of a run
inline constexpr u32 all_numbers_of_runs[] = {8, 64, 1000, 100'000};
inline constexpr distribution distributions_of_runs[] = {random_keys, reversed_keys, few_keys};

/// The number of a key's run before the upper bits of the key.
struct bits_behind_run {
  bits_of_keys keys;
  u64 runs;
  __device__ u64 operator()(u64 i) const {
    const u64 run = ((i + 1) * runs - 1) / keys.count;  // the last that begins at or before i
    return run << (64 - run_bits) | keys(i) >> run_bits;
  }
};

/// Keys in sorted runs of equal length: those of an array, sorted within each run.
template <class Key, class Value, class Compare>
grid_call<Key, Value, Compare> make_call_of_runs(std::size_t count, u32 runs, const distribution& keys) {
  const std::size_t bytes = count * sizeof(u64);
  auto* const bits = static_cast<u64*>(kept_on_device(kept::bits, bytes));
  auto* const sorted_bits = static_cast<u64*>(kept_on_device(kept::sorted_bits, bytes));
  fill<<<blocks_for(count), 256>>>(bits, count, bits_behind_run{{keys, count}, runs});
  check(cudaGetLastError());
  sort_on_device(bits, sorted_bits, count);
  auto call = make_call<Key, Value, Compare>(count, given_bits{sorted_bits, run_bits});

  std::vector<u32> offsets;
  for (u32 run = 0; run <= runs; ++run) offsets.push_back(static_cast<u32>(begin_of_run(run, runs, count)));
  const std::size_t offset_bytes = offsets.size() * sizeof(u32);
  void* const cuts = kept_on_device(kept::cuts, offset_bytes);
  check(cudaMemcpy(cuts, offsets.data(), offset_bytes, cudaMemcpyHostToDevice));
  call.cuts = static_cast<const u32*>(cuts);
  call.pieces = runs;
  return call;
}

struct mgpu_merge_runs {
  kept_memory scratch;

  template <class Call>
  void operator()(const Call& c) {
    const auto policy = mgpu::par_nosync(scratch);
    const auto end = c.unsorted_keys + static_cast<std::ptrdiff_t>(c.count);
    const mgpu::run_offsets runs(c.cuts, c.pieces);
    if constexpr (Call::has_values) {
      mgpu::merge_runs_by_key(policy, c.unsorted_keys, end, c.unsorted_values, runs, c.keys, c.values, c.compare);
    } else {
      mgpu::merge_runs(policy, c.unsorted_keys, end, runs, c.keys, c.compare);
    }
  }
};

template <class Key, class Value = no_values, class Compare = cuda::std::less<>>
void add_row_of_runs(grid& rows, const std::string& name, std::size_t count, u32 runs, const distribution& keys) {
  const auto call = make_call_of_runs<Key, Value, Compare>(count, runs, keys);
  grid_row row = make_row(name, call, ties::keep_order, cuts_are::runs);
  row.add<mgpu_merge_runs>("mgpu", call);
  if (rows.takes_peers()) {
    row.add<cub_merge_copy>("cub_merge", call);
    if constexpr (has_digits<Key> && std::is_same_v<Compare, cuda::std::less<>>) row.add<cub_radix>("cub_radix", call);
    if (runs <= 64) row.add<cub_tree>("cub_tree", call);
  }
  rows.measure(row);
}

template <class Key, class Value = no_values, class Compare = cuda::std::less<>>
void add_merges_of_runs(grid& rows) {
  for (const grid_size& size : grid_sizes()) {
    if (!is_of_the_grid<Key, Value, Compare>(size.count)) continue;
    for (const u32 runs : all_numbers_of_runs) {
      if (size.count / runs < 2) continue;
      for (const distribution& keys : distributions_of_runs) {
        const std::string function = "merge_runs_" + std::to_string(runs);
        const std::string name = name_of_row<Key, Value, Compare>(function, keys, size);
        if (!rows.takes(name, size.count)) continue;
        add_row_of_runs<Key, Value, Compare>(rows, name, size.count, runs, keys);
      }
    }
  }
}

}  // namespace bench
