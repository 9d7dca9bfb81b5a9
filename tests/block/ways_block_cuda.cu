// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Blocks cut the merge of runs into tiles, stage the ways of each, merge them, and know where each element came from.
#include "ways.h"

#include <mgpu/base/order.h>
#include <mgpu/core/runs/merge_runs.h>
#include <mgpu/block/runs/ways_block.cuh>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>

namespace {

using namespace mgpu::detail;
using namespace test;

/// The library's core with tiles of this test's choice.
template <int threads, int items, int ways, class Key>
struct small_tiles : core::merge_runs<ways, core::array_runs<const Key*, base::no_values, const int*>, Key*,
                                      base::no_values, cuda::std::less<>> {
  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int) { return {threads, items, 1, 1}; }
};

/// Each block merges a tile. `places` tells where in the array each element of the result was, and its run.
template <class Core>
__global__ void merge(Core core, const offset* splits, offset* places, int room_bytes, int* strays) {
  using key = typename Core::key;
  using ways_block = block::ways_block<Core>;
  const guarded room(room_bytes);
  ways_block b(room.begin());
  b.open(core, blockIdx.x, splits);
  key* const keys = base::aligned<key>(b.take(Core::template room_bytes<key>(ways_block::shape)));
  auto* const sources = reinterpret_cast<tile::source*>(b.take(0));
  b.stage(core, keys, static_cast<key*>(nullptr));
  b.wait();
  b.template merge_keys<true>(keys, keys, sources, core.compare);
  for (int i = b.thread(); i < b.items(); i += ways_block::shape.threads) {
    const int way = b.way_staged_at(sources[i]);
    core.keys_out[b.out_begin() + i] = keys[i];
    places[2 * (b.out_begin() + i)] = b.place_of(way, sources[i]);
    places[2 * (b.out_begin() + i) + 1] = b.run_of(way);
  }
  b.finish();
  room.check(strays);
}

/// Merges groups of `width` runs with one kind of tiles. `searches`: the blocks look for their own splits.
template <int threads, int items, int ways, class Key>
void check(const sorted_runs& runs, int width, int skipped, bool searches) {
  using core_type = small_tiles<threads, items, ways, Key>;
  const base::tile_shape shape = core_type::shape(0);
  const int tile_items = core_type::items_between_borders(shape), total = runs.size();
  const auto of_all = runs.keys<Key>();
  const input<cuda_executor, Key> keys(of_all, skipped);
  const input<cuda_executor, int> bounds(runs.bounds);
  output<cuda_executor, Key> out(total);
  output<cuda_executor, offset> places(2 * total);
  const core_type core{{{keys.begin(), {}, bounds.begin(), runs.count(), total, nullptr},
                        core::run_groups::of(runs.count(), 1, width),
                        tile_items,
                        out.begin(),
                        {},
                        {},
                        {nullptr}}};
  std::vector<Key> expected;
  std::vector<offset> expected_places, splits, groups;
  // The same on the host: what is in device memory is not to be read.
  int slots = 0, begin = 0;
  for (int first = 0; first < runs.count(); first += width) {
    const int last = std::min(first + width, runs.count()), end = runs.bounds[last];
    std::vector<int> merged;
    for (int i = begin; i < end; ++i) merged.push_back(i);
    std::stable_sort(merged.begin(), merged.end(), [&](int x, int y) { return runs.ranks[x] < runs.ranks[y]; });
    const bool is_one_group = width >= runs.count();
    const int next_slot = is_one_group ? base::ceil_div(total, tile_items) : end / tile_items + first / width + 1;
    std::vector<offset> split(ways, 0);
    for (int i = 0, slot = slots; slot < next_slot; ++slot) {
      splits.insert(splits.end(), split.begin(), split.end());
      groups.push_back(first / width);
      for (const int tile_end = i + tile_items; i < tile_end && i < end - begin; ++i)
        ++split[runs.run_of(merged[i]) - first];
    }
    if (is_one_group) splits.insert(splits.end(), split.begin(), split.end());
    for (const int place : merged) {
      expected.push_back(of_all[place]);
      expected_places.insert(expected_places.end(), {place, runs.run_of(place)});
    }
    slots = next_slot;
    begin = end;
  }
  if (width < runs.count()) {  // the border behind the last tile
    const int slots_of_core = total / tile_items + base::ceil_div(runs.count(), width);
    REQUIRE(slots == slots_of_core);
    splits.insert(splits.end(), ways, 0);
  }
  groups.push_back(width < runs.count() ? base::ceil_div(runs.count(), width) : 0);
  splits.insert(splits.end(), groups.begin(), groups.end());
  const input<cuda_executor, offset> in_splits(splits);
  const counter strays;
  const int room_bytes = block::ways_block<core_type>::own_bytes + core_type::template room_bytes<Key>(shape) +
                         tile::source_bytes(shape) + 2 * items + 16;
  if (slots > 0)
    launch(merge<core_type>, slots, threads, room_bytes, core, searches ? nullptr : in_splits.begin(), places.begin(),
           room_bytes, strays.begin());
  CHECK(out.first_difference(expected) == -1);
  CHECK(places.first_difference(expected_places) == -1);
  CHECK(strays.read() == 0);
}

template <int threads, int items, int ways, class Key>
void check_all() {
  constexpr int tile = threads * items;
  for (const int total : {1, 5, tile / 2, 3 * tile, 10 * tile + 7}) {
    unsigned seed = 0;
    for (const auto& lengths : kinds_of_lengths(ways, total)) {
      const key_pattern pattern = key_patterns[++seed % 6];
      INFO(ways, " runs, ", total, " elements, pattern ", static_cast<int>(pattern));
      const sorted_runs runs(lengths, pattern, ranks<Key>, seed);
      const int skipped = static_cast<int>(seed) % 4;
      check<threads, items, ways, Key>(runs, ways, skipped, true);
      check<threads, items, ways, Key>(runs, ways, skipped, false);
    }
    for (const auto& lengths : kinds_of_lengths(3 * ways - 1, total)) {
      INFO("groups of ", ways, " runs, ", total, " elements");
      const key_pattern pattern = key_patterns[++seed % 6];
      const sorted_runs runs(lengths, pattern, ranks<Key>, seed);
      check<threads, items, ways, Key>(runs, ways, 1, true);
      check<threads, items, ways, Key>(runs, ways, 1, false);
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("tiles of runs are staged and merged, and places are known", Key, std::uint8_t, std::int16_t,
                   std::uint32_t, std::int64_t, key12, key16, key32) {
  check_all<64, 7, 4, Key>();
  check_all<64, 15, 8, Key>();
}

TEST_CASE("tiles merge up to thirty-two runs") {
  check_all<32, 5, 2, std::uint32_t>();
  check_all<256, 7, 16, key12>();
  check_all<256, 15, 32, std::uint32_t>();
}
