// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/block/grid_dependency.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

inline constexpr int rank_samples_threads = 256;

MGPU_PRIVATE_BEGIN

/// Finds the splits of all borders of tiles of a core of equal runs, and behind them the borders' groups. Every
/// sample_items-th element of a run is a sample. A thread for each run of its group finds how many samples of that run
/// go before it. If all of them are a multiple of those in a tile, the sample is a border, and the threads find how
/// many elements go before it. So every order of the keys takes the same time, while way_search is slow where it cannot
/// guess the splits.
///   u32 by a comparator, a whole sort of 2^18 in no order, nearly in order, and of 5 values: this 44 / 34 / 38 us.
///   With a warp for each sample, which asks for several elements at once, and twice as many samples 60 / 48 / 54
///   (H200, 2026-11-25).
/// If compare is no strict weak ordering, some borders get no splits, or those of two samples: ways_block looks at
/// them.
template <class Core>
MGPU_PRIVATE __global__ void __launch_bounds__(rank_samples_threads)
    rank_samples(const __grid_constant__ Core core, offset* splits, int tiles) {
  constexpr int ways = Core::most_ways;
  block::wait_for_last_kernel();
  block::let_next_kernel_start();
  const int sample_items = core.runs.sample_items, width = core.cut.width;
  const int way = static_cast<int>(threadIdx.x) & (width - 1);
  const int number = static_cast<int>(blockIdx.x * rank_samples_threads + threadIdx.x) >> (31 - __clz(width));
  const int total = static_cast<int>(core.runs.total), samples = base::ceil_div(total, sample_items);
  const int run_items = static_cast<int>(core.cut.stride) * core.runs.run_items, group_items = width * run_items;
  const int samples_of_tile = core.tile_items / sample_items;
  const auto first_border = [&](int group) { return group * group_items / core.tile_items + group; };
  if (number >= samples) {
    // What no sample finds: the groups, and the borders behind a group's last sample.
    const int border = number - samples;
    if (border > tiles) return;
    const auto group = core.group_at(core.diagonal(border));
    const int begin = static_cast<int>(group.number()) * group_items;
    const int group_samples = base::ceil_div(base::min(group_items, total - begin), sample_items);
    if (way < group.runs() &&
        (border - first_border(static_cast<int>(group.number()))) * samples_of_tile >= group_samples)
      splits[offset{border} * ways + way] = group.length(way);
    if (way == 0 && !core.is_one_group()) splits[offset{tiles + 1} * ways + border] = group.number();
    return;
  }
  const int at = number * sample_items, run = at / run_items, group = run / width, own = run - group * width;
  const int first = group * group_items + way * run_items, length = base::clamp(total - first, 0, run_items);
  const auto keys = core.runs.keys;
  const auto& sample = keys[at];
  const auto precedes = [&](int i) -> bool {
    return way < own ? !core.compare(sample, keys[first + i]) : core.compare(keys[first + i], sample);
  };
  const int count = way == own ? (at - first) / sample_items
                               : tile::partition_point(0, base::ceil_div(length, sample_items),
                                                       [&](int i) { return precedes(i * sample_items); });
  const unsigned lanes = (~0u >> (32 - width)) << (threadIdx.x % 32 & ~static_cast<unsigned>(width - 1));
  int before = count;
  for (int step = 1; step < width; step *= 2) before += __shfl_xor_sync(lanes, before, step);
  if (before % samples_of_tile != 0) return;
  int split = way == own ? at - first : 0;
  if (way != own && count > 0) {
    split = tile::partition_point((count - 1) * sample_items + 1, base::min(count * sample_items, length), precedes);
  }
  splits[offset{first_border(group) + before / samples_of_tile} * ways + way] = split;
}

MGPU_PRIVATE_END

}  // namespace detail::exec
MGPU_NAMESPACE_END
