// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/address.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/core/sort/borders.h>
#include <mgpu/core/sort/cut_segment.h>
#include <mgpu/core/sort/item.h>
#include <mgpu/core/sort/job_queue.h>
#include <mgpu/tile/block_kinds.h>
#include <mgpu/tile/border_search.h>
#include <mgpu/tile/shared_layout.h>
#include <mgpu/tile/sort_runs.h>
#include <mgpu/tile/ways.h>
#include <mgpu/tuning/sort.h>

#include <cuda/std/cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// A merge of elements of neighbouring runs, at most one cell of them.
template <int ways>
struct wide_job {
  static_assert(ways <= 8, "a bit for each buffer of a run");

  offset begin[ways];  // what each run gives begins at these positions of the array
  offset out_begin;
  cuda::std::uint16_t count[ways];
  cuda::std::uint16_t first_count[ways];  // of these, before the border of two cells
  cuda::std::uint16_t buffers;            // a bit each: see first_buffer and last_buffer
  cuda::std::uint16_t out_buffer;
  int size;  // the sum of the counts

  /// The buffers that the elements of run r lie in: those before the border, and those behind it.
  MGPU_HOST_DEVICE int first_buffer(int r) const { return buffers >> r & 1; }
  MGPU_HOST_DEVICE int last_buffer(int r) const { return buffers >> (ways + r) & 1; }
  MGPU_HOST_DEVICE void set_buffers(int r, int first, int last) {
    buffers = static_cast<cuda::std::uint16_t>(buffers | first << r | last << (ways + r));
  }

  MGPU_HOST_DEVICE bool is_copy() const {
    bool result = false;
    MGPU_UNROLL
    for (int r = 0; r < ways; ++r) result |= count[r] == size;
    return result;
  }
};

/// The runs of a merge sort that are merged at once, as a search for splits sees them. Places are positions in the
/// array.
template <int ways, class Key>
struct group_of_cut_runs {
  cut_segment<Key> segment;
  tile::run_group<offset> all;

  MGPU_DEVICE offset size() const { return all.end - all.begin; }
  MGPU_DEVICE int runs() const { return ways; }
  MGPU_DEVICE offset place(int run) const { return all.bound(run); }
  MGPU_DEVICE offset length(int run) const { return all.bound(run + 1) - all.bound(run); }
  MGPU_DEVICE auto keys(int run) const { return keys_at(run, place(run)); }
  MGPU_DEVICE auto keys_at(int, offset at) const { return segment + at; }
};

/// A pass that merges groups of `ways` runs, each group into one run, of all segments that tile borders cut: several
/// levels of their merge sort at once. It runs on the GPU only. As in two_way_pass, the part of a segment in a cell
/// goes to the other buffer, unless it is in order: then it stays.
template <class Key, class Value, class Compare>
struct wide_pass {
  using items = sort_item<Key, Value>;
  using item = typename items::type;
  static constexpr int ways = 1 << tuning::sort_wide_levels;
  using job = wide_job<ways>;
  using split = tile::way_splits<ways>;
  using searcher = tile::ways_search<ways, Key>;

  /// Items are merged as a whole, so they have to be small.
  static constexpr bool is_possible = !items::carries_places && sizeof(item) <= 16;

  sort_buffers<Key, Value> buffers;
  offset tiles;
  const sort_border* borders;  // [tiles + 1]
  part_buffers before, after;  // of the pass
  sort_progress* progress;
  job* jobs;  // [2 * tiles]
  sort_passes passes;
  int pass_number;
  Compare compare;

  using block_kind = tile::sorts;
  static constexpr const char* name = "merge runs of cells";  // in a profiler

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) {
    return tuning::sort_wide(cc, sort_case<Key, Value>());
  }
  static constexpr int shared_bytes(const base::tile_shape& shape) {
    return tile::staged_pair_bytes<item, item>(shape);
  }

  MGPU_HOST_DEVICE int number() const { return pass_number; }
  MGPU_HOST_DEVICE job_queue<wide_pass> queue() const { return {*this}; }
  MGPU_HOST_DEVICE bool is_needed() const { return pass_number < passes.count(progress->needed_levels()); }

  /// Finds where runs are split at the border before a tile.
  template <class Search>
  MGPU_DEVICE split find_split(offset tile, const Search& search) const {
    if (tile >= tiles || !borders[tile].cuts()) return {};
    const cut_segment<Key> s = segment(borders[tile]);
    const auto runs = group_of(s, tile);
    const offset diagonal = tile * cell_items() - runs.begin;
    if (!runs.has_two() || diagonal <= 0) return {};
    return search.find(group_of_cut_runs<ways, Key>{s, runs}, diagonal, compare);
  }

  /// Calls emit(job) for the parts of the segment that the first border of a tile cuts: for the part in the tile, and,
  /// if the segment begins in the tile before, for the part there.
  template <class Emit>
  MGPU_DEVICE void plan(offset tile, const split& own, const split& next, const Emit& emit) const {
    const sort_border& border = borders[tile];
    if (!border.cuts()) return;
    const cut_segment<Key> s = segment(border);
    MGPU_UNROLL_1
    for (offset cell = tile == s.runs.first_cell() + 1 ? tile - 1 : tile; cell <= tile; ++cell)
      plan_cell(s, cell, own, cell < tile ? own : next, emit);
  }

  /// `work` lies in shared memory.
  template <class Block>
  MGPU_DEVICE void run(Block& block, const job& work) const {
    Key* const keys_out = buffers.keys[work.out_buffer] + work.out_begin;
    item* sorted;
    if constexpr (items::has_values) sorted = reinterpret_cast<item*>(block.take(0));
    else sorted = block.place(block.take(0), keys_out);
    item* to = sorted;
    MGPU_UNROLL  // u32 and u32, 2^26 in one segment: 4,470 us instead of 4,710
    for (int r = 0; r < ways; ++r) {
      const int first = work.first_count[r], rest = work.count[r] - first;
      start(block, work.first_buffer(r), work.begin[r], first, to);
      start(block, work.last_buffer(r), work.begin[r] + first, rest, to + first);
      to += first + rest;
    }
    auto& opened = block.open_ways(work.count);
    block.wait_for_copies();
    block.merge_ways(opened, sorted, compare_items<items, Compare>{compare});
    if constexpr (items::has_values) {
      Value* const values_out = buffers.values[work.out_buffer] + work.out_begin;
      for (int i = block.thread(); i < work.size; i += Block::shape.threads) {
        const item element = sorted[i];
        keys_out[i] = element.key;
        values_out[i] = element.with;
      }
    } else {
      block.publish();
      block.store_placed(sorted, keys_out, work.size);
    }
  }

 private:
  static MGPU_DEVICE constexpr offset cell_items() {
    constexpr int items =
        tuning::sort_cell_items(tuning::sort(MGPU_DEVICE_CC, sort_case<Key, Value>()).items_per_tile());
    static_assert(items <= tile::most_items_of_ways(shape(MGPU_DEVICE_CC), ways), "a tile holds a cell");
    static_assert(items < 1 << 16, "counts of jobs are short");
    return items;
  }

  MGPU_DEVICE tile::run_group<offset> group_of(const cut_segment<Key>& s, offset cell) const {
    return s.runs.group_of(cell, passes.level_before(pass_number, s.runs.levels()), ways);
  }

  MGPU_DEVICE cut_segment<Key> segment(const sort_border& border) const {
    return {{border.begin, border.end, cell_items()}, buffers.keys[0], buffers.keys[1], before.buffer, cell_items(), 0};
  }

  /// Starts to copy elements [begin, begin + count) to shared memory.
  template <class Block>
  MGPU_DEVICE void start(Block& block, int buffer, offset begin, int count, item* to) const {
    const Key* const keys_from = (buffer != 0 ? buffers.keys[1] : buffers.keys[0]) + begin;
    if constexpr (items::has_values) {
      const Value* const values_from = (buffer != 0 ? buffers.values[1] : buffers.values[0]) + begin;
      for (int i = block.thread(); i < count; i += Block::shape.threads) {
        block.start_copy(base::address(to[i].key), keys_from + i);
        block.start_copy(base::address(to[i].with), values_from + i);
      }
    } else {
      for (int i = block.thread(); i < count; i += Block::shape.threads) block.start_copy(to + i, keys_from + i);
    }
  }

  /// `first` and `last`: of the borders of the cell. Where the segment begins, `first` is not read.
  template <class Emit>
  MGPU_DEVICE void plan_cell(const cut_segment<Key>& s, offset cell, const split& first, const split& last,
                             const Emit& emit) const {
    const auto runs = group_of(s, cell);
    const int buffer = s.buffer(cell);
    unsigned char& buffer_after = after.buffer[s.part(cell)];
    buffer_after = static_cast<unsigned char>(buffer);
    if (!runs.has_two()) return;
    const offset begin = base::max(s.runs.begin, cell * cell_items());
    const offset end = base::min(s.runs.end, (cell + 1) * cell_items());
    offset from[ways], to[ways];
    bool is_planned = true;
    MGPU_UNROLL
    for (int r = 0; r < ways; ++r) {
      from[r] = begin == runs.begin ? runs.bound(r) : runs.bound(r) + first.of[r];
      to[r] = end == runs.end ? runs.bound(r + 1) : runs.bound(r) + last.of[r];
      if (from[r] > to[r]) is_planned = false;  // compare is not a strict weak ordering: the part stays as it is
      if (from[r] == begin && to[r] == end) is_planned = false;  // the part is in order
    }
    if (!is_planned) return;
    job planned;
    planned.out_begin = begin;
    planned.out_buffer = static_cast<cuda::std::uint16_t>(buffer ^ 1);
    planned.buffers = 0;
    planned.size = static_cast<int>(end - begin);
    MGPU_UNROLL
    for (int r = 0; r < ways; ++r) {
      const base::splice place = s.place_of(from[r], to[r]);
      planned.begin[r] = from[r];
      planned.count[r] = static_cast<cuda::std::uint16_t>(to[r] - from[r]);
      planned.first_count[r] = static_cast<cuda::std::uint16_t>(base::clamp(place.border, from[r], to[r]) - from[r]);
      planned.set_buffers(r, place.before, place.from);
    }
    buffer_after = static_cast<unsigned char>(buffer ^ 1);
    emit(planned);
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
