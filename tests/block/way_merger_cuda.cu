// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A block merges the ways of a tile stably: keys, keys with the places they came from, or these places alone.
#include "ways.h"

#include <mgpu/base/order.h>
#include <mgpu/block/runs/way_merger.cuh>

#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>

namespace {

using namespace mgpu::detail;
using namespace test;

enum class moved { keys, keys_with_places, places };

/// How a tile lies in shared memory: ways with gaps of up to most_gap elements between them, results, places.
template <class Key, int threads, int share, int ways>
struct layout {
  static constexpr int most_gap = 3, items = threads * share;
  static constexpr int staged_items = items + ways * most_gap + share + 1;
  static constexpr int table_bytes = base::align_up(int{sizeof(block::way_table<ways>)}, 16);
  static constexpr int staged_bytes = base::align_up(staged_items * int{sizeof(Key)}, 32);
  static constexpr int place_bytes = base::align_up((items + 2 * share) * int{sizeof(tile::source)}, 16) + 16;
  static constexpr int bytes = 32 + table_bytes + staged_bytes + place_bytes;
};

/// Each block stages the ways of its tile and merges them, in place. `out` gets the results, `places_out` the places in
/// the tile, as its ways follow each other.
template <class Key, int threads, int share, int ways, moved what>
__global__ void __launch_bounds__(threads)
    merge(const Key* keys, const int* lengths, int own_share, Key* out, int* places_out, int* strays) {
  using layout = layout<Key, threads, share, ways>;
  const guarded room(layout::bytes);
  auto& table = *reinterpret_cast<block::way_table<ways>*>(room.begin());
  Key* const staged = base::aligned<Key>(room.begin() + layout::table_bytes);
  auto* const places = reinterpret_cast<tile::source*>(room.begin() + 32 + layout::table_bytes + layout::staged_bytes);
  const int thread = static_cast<int>(threadIdx.x), tile = static_cast<int>(blockIdx.x);
  if (thread < 32) {
    const int length = thread < ways ? lengths[tile * ways + thread] : 0, before = block::warp_sum_before(length);
    const int start = before + block::warp_sum_before(length > 0 ? thread % (layout::most_gap + 1) : 0);
    table.put(length, before, start);
    table.give_threads(own_share);
  }
  __syncthreads();
  for (int i = thread; i < table.items(); i += threads) {
    const int way = table.way_at(table.begin, i);
    base::construct(staged + table.start[way] + i - table.begin[way], keys[tile * layout::items + i]);
  }
  __shared__ int starts[ways], begins[ways];
  if (thread < ways) {
    starts[thread] = thread < table.count ? table.start[thread] : 1 << 30;
    begins[thread] = table.begin[thread];
  }
  __syncthreads();
  const cuda::std::less<> compare;
  if constexpr (what == moved::places) {
    block::way_merger<block::moved_places<Key>, ways, share, cuda::std::less<>> merger(
        table, own_share, {staged, nullptr}, places, nullptr, compare);
    merger.template merge<false>();
  } else {
    block::way_merger<block::moved_keys<Key>, ways, share, cuda::std::less<>> merger(
        table, own_share, {staged, staged}, staged, what == moved::keys ? nullptr : places, compare);
    merger.template merge<what == moved::keys_with_places>();
  }
  for (int i = thread; i < table.items(); i += threads) {
    out[tile * layout::items + i] = what == moved::places ? staged[places[i]] : staged[i];
    if (what == moved::keys) continue;
    const int way = table.way_at(starts, places[i]);
    places_out[tile * layout::items + i] = begins[way] + places[i] - starts[way];
  }
  room.check(strays, what == moved::keys ? layout::bytes - layout::place_bytes : layout::bytes);
}

template <class Key, int threads, int share, int ways, moved what>
void check(int total, int own_share, key_pattern pattern) {
  using layout = layout<Key, threads, share, ways>;
  INFO(ways, " ways, ", total, " elements, ", own_share, " for a thread, pattern ", static_cast<int>(pattern));
  const auto kinds = kinds_of_lengths(ways, total);
  const int tiles = static_cast<int>(kinds.size());
  std::vector<int> lengths;
  std::vector<Key> keys(static_cast<std::size_t>(tiles * layout::items), make_key<Key>(0, 0));
  output<cuda_executor, Key> out(tiles * layout::items);
  output<cuda_executor, int> places(tiles * layout::items);
  auto expected = out.read();
  auto expected_places = places.read();
  for (int t = 0; t < tiles; ++t) {
    const sorted_runs runs(kinds[t], pattern, std::min(ranks<Key>, 1 << 16), static_cast<unsigned>(t));
    const auto of_tile = runs.keys<Key>();
    const auto merged = runs.merged_places();
    lengths.insert(lengths.end(), kinds[t].begin(), kinds[t].end());
    for (int i = 0; i < total; ++i) {
      keys[t * layout::items + i] = of_tile[i];
      expected[t * layout::items + i] = of_tile[merged[i]];
      if (what != moved::keys) expected_places[t * layout::items + i] = merged[i];
    }
  }
  const input<cuda_executor, Key> in(keys);
  const input<cuda_executor, int> in_lengths(lengths);
  const counter strays;
  launch(merge<Key, threads, share, ways, what>, tiles, threads, layout::bytes, in.begin(), in_lengths.begin(),
         own_share, out.begin(), places.begin(), strays.begin());
  CHECK(out.first_difference(expected) == -1);
  CHECK(places.first_difference(expected_places) == -1);
  CHECK(strays.read() == 0);
}

/// All sizes of tiles, with whole shares, halves and quarters.
template <class Key, int threads, int share, int ways, moved what>
void check_sizes() {
  for (const int own_share : {share, tile::smaller_share(share, 2), tile::smaller_share(share, 4)}) {
    const int most = tile::most_items_of_ways({threads, own_share, 1, 1}, ways);
    for (const int total : {0, 1, 2, own_share, 3 * own_share + 1, most / 2, most - 1, most}) {
      for (const key_pattern pattern : key_patterns) check<Key, threads, share, ways, what>(total, own_share, pattern);
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("a block merges the ways of a tile, and equal keys keep their order", Key, std::uint8_t,
                   std::int16_t, std::uint32_t, std::int64_t, key12, key16, key32) {
  check_sizes<Key, 64, 7, 8, moved::keys>();
  check_sizes<Key, 64, 7, 4, moved::keys_with_places>();
  check_sizes<Key, 64, 7, 8, moved::places>();
}

TEST_CASE("tiles have two to thirty-two ways, and blocks of all sizes") {
  check_sizes<key12, 32, 5, 2, moved::keys_with_places>();
  check_sizes<key12, 128, 15, 16, moved::keys_with_places>();
  check_sizes<std::uint32_t, 256, 15, 32, moved::keys>();
  check_sizes<std::uint32_t, 512, 11, 8, moved::places>();
}
