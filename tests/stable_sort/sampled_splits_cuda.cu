// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Borders of tiles that come from samples: the fullest tiles that there can be, and splits that contradict each other.
#include "check_stable_sort.h"
#include "support/sort_ways.h"

#include <mgpu/core/sort/equal_runs.h>

#include <random>

using namespace test;

namespace {

struct by_key {
  MGPU_HOST_DEVICE bool operator()(std::uint32_t x, std::uint32_t y) const { return x < y; }
};
using order_by_key = mgpu::detail::base::order<by_key>;
template <class Value, class Values>
using pass_with = mgpu::detail::core::merge_runs<mgpu::detail::tuning::most_sampled_runs,
                                                 mgpu::detail::core::equal_runs<std::uint32_t, Value>, std::uint32_t*,
                                                 Values, order_by_key>;
using pass = pass_with<int, int*>;
using pass_of_keys = pass_with<mgpu::detail::base::no_values::value_type, mgpu::detail::base::no_values>;

struct runs_to_merge {
  int count, run_items, width, sample_items;
};

/// Keys for the runs of one pass. At every other border of tiles of so many elements, the runs have given as many
/// elements as their samples, and at the borders between each run but one has given only the first element behind its
/// last sample. So every other tile has as many elements as a tile can have.
std::vector<std::uint32_t> keys_of_fullest_tiles(const runs_to_merge& runs, int tile_items) {
  std::vector<std::uint32_t> keys(static_cast<std::size_t>(runs.count));
  const int samples_of_tile = tile_items / runs.sample_items;
  for (int begin = 0; begin < runs.count; begin += runs.width * runs.run_items) {
    const auto end_of_run = [&](int run) { return std::min(begin + (run + 1) * runs.run_items, runs.count); };
    std::vector<int> at;  // how far each run has given
    for (int run = 0; run < runs.width; ++run) at.push_back(std::min(begin + run * runs.run_items, runs.count));
    std::uint32_t rank = 0;
    const auto give = [&](int run) { keys[static_cast<std::size_t>(at[static_cast<std::size_t>(run)]++)] = rank++; };
    const auto give_up_to_sample = [&](int run) {
      const int& place = at[static_cast<std::size_t>(run)];
      while (place < end_of_run(run) && (place - begin) % runs.sample_items != 0) give(run);
    };
    int samples = 0, turn = 0;
    for (bool is_early = true;;) {
      std::vector<int> open;
      for (int run = 0; run < runs.width; ++run)
        if (at[static_cast<std::size_t>(run)] < end_of_run(run)) open.push_back(run);
      if (open.empty()) break;
      const int to_border = (samples_of_tile - samples % samples_of_tile) % samples_of_tile;
      if (is_early && to_border == static_cast<int>(open.size()) - 1) {
        for (const int run : open) give(run);
        for (const int run : open) give_up_to_sample(run);
        samples += static_cast<int>(open.size());
        is_early = false;
      } else {
        if (to_border == 0) is_early = true;
        const int run = open[static_cast<std::size_t>(turn++) % open.size()];
        give(run);
        give_up_to_sample(run);
        ++samples;
      }
    }
  }
  return keys;
}

/// Splits of all borders that hardly any runs have, and behind them the groups of the borders.
std::vector<offset> impossible_splits(const pass& core, offset tiles, std::mt19937& random) {
  std::vector<offset> splits(static_cast<std::size_t>(core.splits()));
  for (auto& split : splits) {
    split = random() % 8 == 0 ? static_cast<offset>(random()) - (offset{1} << 31)
                              : static_cast<offset>(random() % static_cast<unsigned>(core.runs.run_items + 9));
  }
  for (offset border = 0; border <= tiles; ++border) {
    splits[static_cast<std::size_t>((tiles + 1) * pass::most_ways + border)] =
        core.group_at(core.diagonal(border)).number();
  }
  return splits;
}

/// Merges groups of runs of 512 elements with such splits. Each place gets an element of its group, and its value.
void check_impossible_splits(int width, int count, std::mt19937& random) {
  INFO(count, " elements, ", width, " runs");
  constexpr int run_items = 512, sample_items = 32;
  std::vector<std::uint32_t> keys;
  for (int i = 0; i < count; ++i) keys.push_back(static_cast<std::uint32_t>(random()));
  for (int i = 0; i < count; i += run_items) std::sort(keys.begin() + i, keys.begin() + std::min(i + run_items, count));
  const input<cuda_executor, std::uint32_t> keys_in(keys);
  const input<cuda_executor, int> values_in(numbers_below(keys.size()));
  const sorted_array keys_out(cuda_executor{}, std::vector<std::uint32_t>(keys.size(), 0xabababab));
  const sorted_array values_out(cuda_executor{}, std::vector<int>(keys.size(), -1));
  const int runs = (count + run_items - 1) / run_items;
  const pass core{{keys_in.begin(), values_in.begin(), run_items, sample_items, runs, count},
                  mgpu::detail::core::run_groups::of(runs, 1, width),
                  width * sample_items,
                  keys_out.begin(),
                  values_out.begin(),
                  order_by_key{},
                  {nullptr}};
  const offset tiles = (core.size() + core.tile_items - 1) / core.tile_items;
  const input<cuda_executor, offset> splits(impossible_splits(core, tiles, random));
  const auto plan = mgpu::detail::exec::plan_of_run_ways<pass>();
  const mgpu::detail::exec::launch_grid grid{tiles, plan.threads, plan.shared_bytes, plan.overlaps_launch, nullptr};
  mgpu::detail::exec::launch(grid, mgpu::detail::exec::run_ways<pass>, core,
                             static_cast<const offset*>(splits.begin()));
  require_cuda(cudaDeviceSynchronize());
  const auto found_keys = keys_out.read();
  const auto found = values_out.read();
  int wrong = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const int from = found[i], group = width * run_items;
    const bool is_of_group = from >= 0 && from < count && from / group == static_cast<int>(i) / group;
    if (!is_of_group || keys[static_cast<std::size_t>(from)] != found_keys[i]) ++wrong;
  }
  CHECK(wrong == 0);
  CHECK(keys_out.guards_untouched());
  CHECK(values_out.guards_untouched());
}

}  // namespace

// With the library's tiles: those of other tests have fewer elements than they could.
TEST_CASE("the fullest tiles that samples make have room for their elements") {
  constexpr mgpu::detail::tuning::sort_case c =
      mgpu::detail::core::sort_case<std::uint32_t, mgpu::detail::base::no_values::value_type>();
  const int run_items = mgpu::detail::tuning::sort_sampled_tiles(gpu().cc, c).items_per_tile();
  const auto way = [](offset count) { return way_of<std::uint32_t>(count, any_array{}, by_key{}); };
  const int count = static_cast<int>(counts_of(sort_way::by_samples, way).last);
  const int width = mgpu::detail::plan::run_passes::of((count + run_items - 1) / run_items, pass::most_ways).width;
  const int room = pass_of_keys::most_items(pass_of_keys::shape(gpu().cc));
  const int sample_items = mgpu::detail::tuning::sort_sample_items(room, width);
  // The elements between two borders, and some more: if borders were so far apart, a tile would have no room.
  const int most = (room - mgpu::detail::core::most_early_border(width, sample_items)) / sample_items;
  for (int more = 0; more < 4; ++more) {
    const auto keys = keys_of_fullest_tiles({count, run_items, width, sample_items}, (most + more) * sample_items);
    const sorting<std::uint32_t> s(keys, one_segment(count), by_key{});
    check_keys<stable_whole>(cuda_executor{}, s, whole_array, by_key{}, 1);
  }
}

TEST_CASE("whatever splits borders have, tiles write every place, with elements of their group") {
  std::mt19937 random(84);
  for (const int width : {2, 4, 16}) {
    const int group = width * 512;
    for (const int count : {group, 5 * group + 1, 3 * group - 100}) check_impossible_splits(width, count, random);
  }
}
