// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/address.h>
#include <mgpu/base/bad_input_flag.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/core/runs/runs.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/tile/host/merge_runs.h>
#include <mgpu/tile/range.h>
#include <mgpu/tile/shared_layout.h>
#include <mgpu/tile/ways.h>
#include <mgpu/tuning/merge.h>
#include <mgpu/tuning/merge_runs.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// What a pass merges: groups of `width` neighbouring runs. A run of a pass is `stride` neighbouring runs of the call,
/// which the passes before have merged.
struct run_groups {
  offset count;   // of the call's runs
  offset stride;  // 1 in the first pass
  int width;
  offset runs;    // of the pass; kept, since divisions of 64 bits take the GPU long
  offset groups;  // of them

  static run_groups of(offset count, offset stride, int width) {
    const offset runs = base::ceil_div(count, stride);
    return {count, stride, width, runs, base::ceil_div(runs, offset{width})};
  }

  /// The first of the call's runs in run i of the pass.
  MGPU_HOST_DEVICE offset first(offset i) const { return base::min(i * stride, count); }
};

/// A group of runs, as a search for splits sees it.
template <class Runs>
struct group_of_runs {
  const Runs& all;
  const run_groups& cut;
  offset group;

  MGPU_HOST_DEVICE offset number() const { return group; }
  MGPU_HOST_DEVICE offset first_run() const { return group * cut.width; }
  MGPU_HOST_DEVICE int runs() const { return static_cast<int>(base::min<offset>(cut.width, cut.runs - first_run())); }
  MGPU_HOST_DEVICE offset first(int way) const { return cut.first(first_run() + way); }
  MGPU_HOST_DEVICE offset length(int way) const { return all.length(first(way), first(way + 1)); }
  MGPU_HOST_DEVICE offset place(int way) const { return all.place(first(way)); }
  MGPU_HOST_DEVICE auto keys(int way) const { return keys_at(way, place(way)); }
  MGPU_HOST_DEVICE auto keys_at(int way, offset at) const {
    return all.keys_at(Runs::is_one_array ? 0 : first(way), at);
  }
};

/// Whether splits are found from the ranks of samples: those of runs that have them.
template <class Runs, class = void>
inline constexpr bool has_samples = false;
template <class Runs>
inline constexpr bool has_samples<Runs, cuda::std::void_t<decltype(Runs::has_samples)>> = true;

/// A border of tiles that a sample of one of `width` runs makes is fewer elements than this before its diagonal: of
/// each other run, those between two samples may be missing.
MGPU_HOST_DEVICE constexpr int most_early_border(int width, int sample_items) { return width * sample_items; }

/// One pass of merge_runs: merges groups of at most `ways` runs, each group into one run. A single group is cut
/// at every tile_items-th element of its merge. Of several groups each begins a slot: slot begin / tile_items + g is
/// the first of group g, which begins at `begin`. So each group has room for its elements, and the group of a slot is
/// found without a list. Of several groups diagonals are multiples of tile_items.
template <int ways, class Runs, class KeysOut, class ValuesOut, class Compare>
struct merge_runs {
  Runs runs;
  run_groups cut;
  int tile_items;        // between the borders of two tiles
  KeysOut keys_out;      // [runs.total]
  ValuesOut values_out;  // [runs.total]
  Compare compare;
  base::bad_input_flag bad_input;  // raised if the lengths of a single group are found to be bad

  static constexpr int most_ways = ways;
  static constexpr bool is_sampled = core::has_samples<Runs>;

  using keys = typename Runs::keys_type;
  using values = typename Runs::values_type;
  using key = base::value_type<keys>;
  using value = base::value_type<values>;
  using split = tile::way_splits<most_ways>;
  using range = tile::ways<most_ways>;

  static constexpr bool has_values = base::has_values<values>;
  static constexpr int key_bytes = base::element_bytes<keys>;
  static constexpr int value_bytes = has_values ? base::element_bytes<values> : 0;

  /// True if a CPU thread merges in rounds through buffers, into which elements are copied as bytes.
  static constexpr bool in_rounds =
      base::can_be_kept<key> && base::can_be_kept<value> && tuning::merge_runs_host_in_rounds(key_bytes, value_bytes);

  static constexpr offset host_items_per_tile = tuning::merge_runs_host_items_per_tile(key_bytes, value_bytes);

  static constexpr const char* name = "merge runs";  // in a profiler

  /// True if keys themselves are moved from round to round on the GPU. Otherwise the places are in which they were
  /// staged.
  static constexpr bool moves_keys =
      cuda::std::is_trivially_copyable_v<key> && tuning::merge_runs_moves_keys(key_bytes);
  static constexpr bool moves_places = has_values || !moves_keys;
  /// True if values are staged in shared memory like keys. Otherwise they are gathered from the inputs.
  static constexpr bool stages_values =
      has_values && base::is_bulk_loadable<values> && tuning::merge_runs_stages_values(key_bytes, value_bytes);

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) {
    return tuning::merge_runs(cc, {key_bytes, value_bytes, moves_keys, stages_values, most_ways, is_sampled});
  }

  /// The part of a run in a tile begins at a multiple of so many places in shared memory, and some places behind it: so
  /// it begins at the same byte of a 16-byte word as in global memory, and bulk copies can bring it. Where that
  /// does not make whole words of its room, threads copy most parts.
  static constexpr int staging_grid =
      base::max(base::is_bulk_loadable<keys> ? tuning::merge_runs_grid(key_bytes) : 1,
                stages_values&& key_bytes <= 8 ? tuning::merge_runs_grid(value_bytes) : 1);

  /// Places of a tile's room in shared memory, with those between its ways and those that are read, not used.
  static MGPU_HOST_DEVICE constexpr int room_items(const base::tile_shape& shape) {
    return shape.items_per_tile() + shape.items_per_thread + 1 + most_ways * 2 * staging_grid;
  }
  template <class T>
  static MGPU_HOST_DEVICE constexpr int room_bytes(const base::tile_shape& shape) {
    return base::align_up(room_items(shape) * int{sizeof(T)}, 16) + (alignof(T) > 16 ? int{alignof(T)} : 16);
  }
  static MGPU_HOST_DEVICE constexpr int shared_bytes(const base::tile_shape& shape) {
    return room_bytes<key>(shape) + (stages_values ? room_bytes<value>(shape) : 0) +
           (moves_places ? tile::source_bytes(shape) + 2 * shape.items_per_thread + 16 : 0);
  }

  /// The elements of a tile, at most.
  static MGPU_HOST_DEVICE constexpr int most_items(const base::tile_shape& shape) {
    return tile::most_items_of_ways(shape, most_ways);
  }
  /// The elements between two borders of tiles, about.
  static MGPU_HOST_DEVICE constexpr int items_between_borders(const base::tile_shape& shape) {
    const int least_slack = base::min(tuning::merge_runs_slack, shape.items_per_tile() / 64);
    return base::max(1, most_items(shape) - 2 * least_slack - 2);
  }
  /// The shape of tiles that have only a half or a quarter of the elements: then threads merge smaller shares.
  static MGPU_HOST_DEVICE constexpr base::tile_shape smaller(base::tile_shape shape, int part) {
    if (part > 1) shape.items_per_thread = tile::smaller_share(shape.items_per_thread, part);
    return shape;
  }
  /// The shape of this pass's tiles.
  MGPU_HOST_DEVICE base::tile_shape own_shape(base::tile_shape shape) const {
    if constexpr (is_sampled) return shape;  // a tile may have twice as many elements as another one
    int part = 4;
    while (part > 1 && tile_items > items_between_borders(smaller(shape, part))) part /= 2;
    return smaller(shape, part);
  }
  /// A border that comes from samples is fewer elements than this before its diagonal.
  MGPU_HOST_DEVICE int most_early() const { return core::most_early_border(cut.width, runs.sample_items); }

  /// How many elements a border may be away from its diagonal, on the GPU. Borders stay in their order.
  MGPU_HOST_DEVICE int slack(base::tile_shape shape) const {
    return base::max(0, base::min((most_items(shape) - tile_items) / 2 - 1, tile_items / 8));
  }
  /// Of several groups all tiles end at multiples of tile_items, the last one, too.
  MGPU_HOST_DEVICE offset diagonal(offset tile) const {
    return is_one_group() ? base::min(tile * tile_items, runs.total) : tile * tile_items;
  }

  MGPU_HOST_DEVICE bool is_one_group() const { return cut.groups <= 1; }
  MGPU_HOST_DEVICE offset size() const {
    return is_one_group() ? runs.total : (runs.total / tile_items + cut.groups) * tile_items;
  }

  /// The numbers that the splits of all borders take, and their groups.
  offset splits() const { return (base::ceil_div(size(), offset{tile_items}) + 1) * (most_ways + 1); }

  /// How many elements of a group go before a diagonal.
  MGPU_HOST_DEVICE offset in_group(const group_of_runs<Runs>& group, offset diagonal) const {
    const offset first = is_one_group() ? 0 : first_slot(group.number()) * tile_items;
    return base::max<offset>(diagonal - first, 0);
  }

  /// The path that is searched for the split of the tiles that meet at a diagonal. If a group begins there, the split
  /// is that group's: nothing is taken.
  MGPU_HOST_DEVICE auto path(offset diagonal) const {
    const group_of_runs<Runs> group = group_at(diagonal);
    return tile::ways_path<most_ways, group_of_runs<Runs>, Compare>{group, in_group(group, diagonal), compare};
  }

  /// The group of runs that a diagonal goes through.
  MGPU_HOST_DEVICE group_of_runs<Runs> group_at(offset diagonal) const { return {runs, cut, number_at(diagonal)}; }
  /// The same of a border of tiles. `groups`: of all borders, or null.
  MGPU_HOST_DEVICE group_of_runs<Runs> group_of_border(offset border, const offset* groups) const {
    return {runs, cut, is_one_group() ? 0 : groups == nullptr ? number_of_slot(border) : groups[border]};
  }
  /// Where a group begins in the output.
  MGPU_HOST_DEVICE offset group_begin(const group_of_runs<Runs>& group) const {
    return is_one_group() ? 0 : runs.bound(group.first(0));
  }

  /// The split at a diagonal, given that of one `distance` before it. Near splits are found near.
  split find_split_after(const split& before, offset diagonal, offset distance) const {
    const auto p = path(diagonal);
    return before.group == p.group.number() ? p.split_after(before, distance) : p.split();
  }

  /// The tile between two diagonals and their splits. It belongs to the group of the first one.
  MGPU_HOST_DEVICE range between(offset first, offset last, const split& first_split, const split& last_split) const {
    const group_of_runs<Runs> group{runs, cut, first_split.group};
    const bool ends_group = first_split.group != last_split.group;
    range t;
    t.first_run = group.first(0);
    t.ways_count = group.runs();
    offset before = 0;
    for (int w = 0; w < t.ways_count; ++w) before += first_split.of[w];
    t.out_begin = before + (is_one_group() ? 0 : runs.bound(t.first_run));
    const offset items = base::min(last - first, runs.total - t.out_begin);
    t.total = tile::cut_ways(
        t.ways_count, items, [&](int w) { return first_split.of[w]; },
        [&](int w) { return ends_group ? group.length(w) : last_split.of[w]; },
        [&](int w, offset from, int count) {
          t.begin[w] = group.place(w) + from;
          t.count[w] = count;
        });
    return t;
  }

  /// What a CPU thread keeps from tile to tile: memory for the rounds.
  using host_worker = tile::host_runs_worker<keys, values, host_items_per_tile>;

  void run(host_worker& worker, const range& t) const {
    if (is_at_bad_runs(t)) bad_input.raise();
    worker.ways.clear();
    for (int w = 0; w < t.ways_count; ++w) {
      if (t.count[w] == 0) continue;
      const offset run = t.run_of(w);
      worker.ways.push_back({runs.keys_at(run, t.begin[w]), runs.values_at(run, t.begin[w]), t.count[w]});
    }
    const tile::host_runs_merge<tuning::merge_host_lanes, keys, values, KeysOut, ValuesOut, Compare> serial{
        keys_out + t.out_begin, values_out + t.out_begin, compare};
    if constexpr (in_rounds) serial.run_in_rounds(worker);
    else serial.run(worker);
  }

  template <class Block>
  MGPU_DEVICE void run(Block& block) const {
    if (false) base::must_compare_on_device<key, key>(compare);
    static_assert(
        cuda::std::is_trivially_destructible_v<key> && cuda::std::is_trivially_destructible_v<value>,
        "on the GPU keys and values must be trivially destructible: merge pointers to them, or their numbers");
    static_assert(key_bytes <= 256,
                  "a tile of keys over 256 bytes has no room in shared memory: merge pointers to them");
    constexpr base::tile_shape shape = Block::shape;
    if constexpr (!is_sampled) {
      if (block.thread() == 0 && bad_input.is_asked() && is_one_group() && block.out_begin() == 0 &&
          core::are_bad_runs(runs)) {
        bad_input.raise();
      }
    }
    char* const key_room = aligned_room<key>(block);
    char* const value_room = stages_values ? aligned_room<value>(block) : nullptr;
    tile::source* const sources =
        moves_places ? reinterpret_cast<tile::source*>(block.take(tile::source_bytes(shape))) : nullptr;
    const auto* const staged = reinterpret_cast<const key*>(key_room);
    block.stage(*this, reinterpret_cast<key*>(key_room), reinterpret_cast<value*>(value_room));
    block.wait();
    const int items = block.items();
    const offset out_begin = block.out_begin();
    if constexpr (moves_keys) {
      key* placed = reinterpret_cast<key*>(key_room);
      constexpr bool is_bytewise = base::is_bytewise_output<const key*, const key*, KeysOut>;
      if constexpr (is_bytewise) placed = block.place(key_room, keys_out + out_begin);
      block.template merge_keys<has_values>(staged, placed, sources, compare);
      if constexpr (is_bytewise) {
        block.publish();
        block.store_placed(placed, keys_out + out_begin, items);
      } else {
        for (int i = block.thread(); i < items; i += shape.threads) keys_out[out_begin + i] = placed[i];
      }
    } else {
      block.merge_places(staged, sources, compare);
      for (int i = block.thread(); i < items; i += shape.threads) keys_out[out_begin + i] = staged[sources[i]];
    }
    if constexpr (stages_values) {
      const auto* const staged_values = reinterpret_cast<const value*>(value_room);
      for (int i = block.thread(); i < items; i += shape.threads) {
        values_out[out_begin + i] = staged_values[sources[i]];
      }
    } else if constexpr (has_values) {
      for (int i = block.thread(); i < items; i += shape.threads) {
        const int way = block.way_staged_at(sources[i]);
        values_out[out_begin + i] = runs.values_at(block.run_of(way), block.place_of(way, sources[i]))[offset{0}];
      }
    }
  }

 private:
  template <class T, class Block>
  static MGPU_DEVICE char* aligned_room(Block& block) {
    return reinterpret_cast<char*>(base::aligned<T>(block.take(room_bytes<T>(Block::shape))));
  }

  /// The tile at the beginning of the merge looks at all lengths. Several groups are looked at before the first pass.
  MGPU_HOST_DEVICE bool is_at_bad_runs(const range& t) const {
    return bad_input.is_asked() && is_one_group() && t.out_begin == 0 && core::are_bad_runs(runs);
  }

  MGPU_HOST_DEVICE offset first_slot(offset group) const {
    return runs.bound(cut.first(group * cut.width)) / tile_items + group;
  }
  MGPU_HOST_DEVICE offset number_at(offset diagonal) const {
    return is_one_group() ? 0 : number_of_slot(diagonal / tile_items);
  }
  MGPU_HOST_DEVICE offset number_of_slot(offset slot) const {
    // Group 0 begins at slot 0. first_slot(g) <= slot is asked without a division.
    const auto is_reached = [&](offset g) {
      return runs.bound(cut.first(g * cut.width)) < (slot - g + 1) * tile_items;
    };
    return tile::partition_point(offset{1}, cut.groups, is_reached) - 1;
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
