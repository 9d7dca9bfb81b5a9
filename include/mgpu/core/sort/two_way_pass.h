// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/core/merge.h>
#include <mgpu/core/sort/borders.h>
#include <mgpu/core/sort/cut_segment.h>
#include <mgpu/core/sort/item.h>
#include <mgpu/core/sort/job_queue.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/tile/block_kinds.h>
#include <mgpu/tile/border_search.h>
#include <mgpu/tile/merge_path.h>
#include <mgpu/tile/range.h>
#include <mgpu/tile/sort_runs.h>
#include <mgpu/tuning/sort.h>

#include <cuda/std/type_traits>

#include MGPU_STD_COPY_HEADER

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// A merge of elements of two neighbouring runs, at most one tile of them. Those behind a border may lie in the other
/// buffer.
struct two_way_job {
  tile::range range;  // of a in positions of the array, of b in positions behind `middle`
  offset middle;
  base::splice a, b, out;

  /// The elements stay in their buffers.
  MGPU_HOST_DEVICE bool is_in_place() const { return out.border >= 0; }
  MGPU_HOST_DEVICE bool is_empty() const { return range.a_begin == range.a_end && range.b_begin == range.b_end; }
  MGPU_HOST_DEVICE bool is_copy() const { return range.a_begin == range.a_end || range.b_begin == range.b_end; }
};

/// A pass that merges two runs to one, of all segments that tile borders cut: one level of their merge sort. The part
/// of a segment in a cell goes to the other buffer, unless it is in order: then it stays. If at most one tile of
/// elements around the middle of two runs are out of place, only these are merged, and they stay in their buffers.
template <class Key, class Value, class Compare>
struct two_way_pass {
  static constexpr bool has_values = sort_item<Key, Value>::has_values;
  using job_keys = base::spliced_later<Key>;
  using job_values = cuda::std::conditional_t<has_values, base::spliced_later<Value>, base::no_values>;
  using merge_core = core::merge<job_keys, job_keys, job_values, job_values, job_keys, job_values, Compare>;

  sort_buffers<Key, Value> buffers;
  offset count;
  offset tiles;
  sort_cells cells;
  const sort_border* borders;  // [tiles + 1]
  part_buffers before, after;  // of the pass
  sort_progress* progress;
  two_way_job* jobs;  // [2 * tiles]
  int level;
  sort_passes passes;
  Compare compare;

  using block_kind = tile::sorts;
  static constexpr const char* name = "merge two runs";  // in a profiler

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) {
    return tuning::sort_two_way(cc, sort_case<Key, Value>());
  }

  using job = two_way_job;
  using searcher = tile::partition_search;

  /// What the border of two cells is searched for.
  struct split {
    offset from_first;  // so many elements of the first run go before the border
    // The elements out of place around the middle of two runs, if only these are merged. Otherwise empty.
    offset region_begin, region_end;

    MGPU_HOST_DEVICE bool is_in_place() const { return region_begin < region_end; }
  };

  MGPU_HOST_DEVICE int number() const { return level; }
  MGPU_HOST_DEVICE job_queue<two_way_pass> queue() const { return {*this}; }
  MGPU_HOST_DEVICE bool is_needed() const { return level < progress->needed_levels(); }

  /// Finds where two runs are split at the border before a tile.
  ///   search  tile::serial_search or block::warp_search
  template <class Search>
  MGPU_HOST_DEVICE split find_split(offset tile, const Search& search) const {
    if (tile >= tiles || !borders[tile].cuts()) return {0, 0, 0};
    const segment_keys s = keys_of(borders[tile]);
    if (!concerns(s)) return {0, 0, 0};
    const auto pair = s.runs.pair_of(tile, level);
    const offset position = tile * cell_items();
    const offset a_count = pair.middle - pair.begin, diagonal = position - pair.begin;
    // Elements around a place may have a region of their own.
    offset low = position - cell_items(), middle = position, high = base::min(s.runs.end, position + cell_items());
    const bool is_near = level == 1 && tile > s.runs.first_cell() && position == pair.begin;
    bool may_have_region = is_near;
    if (is_near) {
      if (!are_near(s, tile, search)) return {0, 0, 0};
    } else {
      if (!pair.exists() || position <= pair.begin) return {0, 0, 0};
      low = base::max(pair.begin, pair.middle - cell_items());
      middle = pair.middle;
      high = base::min(pair.end, pair.middle + cell_items());
      // Bit 0: the runs overlap. Bit 1: by more than a cell of the first run. Bit 2: by more than a cell of the second.
      const unsigned overlaps = search.which(3, [&](int i) {
        const offset x = i == 1 ? low - 1 : middle - 1, y = i == 2 ? high : middle;
        return x >= pair.begin && y < pair.end && compare(s[y], s[x]);
      });
      // All borders of the runs ask the same, so that no job reads what is merged in its place, whatever compare
      // answers.
      if ((overlaps & 1) == 0 || (overlaps == 1 && position != middle)) return {base::min(diagonal, a_count), 0, 0};
      may_have_region = overlaps == 1;
    }
    if (may_have_region) {
      const split region = find_region(s, low, middle, high, search);
      if (region.is_in_place()) return region;
    }
    if (is_near) {
      MGPU_SET_FLAG(&progress->has_far_elements);
      return {0, 0, 0};
    }
    const tile::merge_path path{s + pair.begin, s + pair.middle, a_count, pair.end - pair.middle, diagonal, compare};
    return {search.partition_point(path.low(), path.high(), path), 0, 0};
  }

  /// Calls emit(job) for the parts of the segment that the first border of a tile cuts: for the part in the tile, and,
  /// if the segment begins in the tile before, for the part there.
  template <class Emit>
  MGPU_HOST_DEVICE void plan(offset tile, const split& own, const split& next, const Emit& emit) const {
    const sort_border& border = borders[tile];
    if (!border.cuts()) return;
    const segment_keys s = keys_of(border);
    if (!concerns(s)) return;
    MGPU_UNROLL_1
    for (offset cell = tile == s.runs.first_cell() + 1 ? tile - 1 : tile; cell <= tile; ++cell)
      plan_cell(s, cell, own, cell < tile ? own : next, emit);
    if (own.is_in_place()) plan_region(s, tile, own, emit);
  }

  static constexpr int shared_bytes(const base::tile_shape& shape) { return merge_core::shared_bytes(shape); }

  void run(tile::host_thread, const two_way_job& work) const {
    if (!work.is_in_place()) return merge_serially(work);
    // Merges to the other buffers, where nobody else reads or writes these positions, and copies from there back.
    two_way_job there = work;
    there.out = {work.out.border, work.out.before ^ 1, work.out.from ^ 1};
    merge_serially(there);
    const offset begin = work.range.a_begin, end = work.middle + work.range.b_end;
    std::copy(buffers.keys[there.out.before] + begin, buffers.keys[there.out.before] + work.middle,
              buffers.keys[work.out.before] + begin);
    std::copy(buffers.keys[there.out.from] + work.middle, buffers.keys[there.out.from] + end,
              buffers.keys[work.out.from] + work.middle);
    if constexpr (has_values) {
      std::copy(buffers.values[there.out.before] + begin, buffers.values[there.out.before] + work.middle,
                buffers.values[work.out.before] + begin);
      std::copy(buffers.values[there.out.from] + work.middle, buffers.values[there.out.from] + end,
                buffers.values[work.out.from] + work.middle);
    }
  }

  /// `work` lies in shared memory.
  template <class Block>
  MGPU_DEVICE void run(Block& block, const two_way_job& work) const {
    const auto at = [](auto* const(&x)[2], const base::splice& p, offset begin) { return splice_later(x, p, begin); };
    merge_of(work, at).run(block, tile::range(work.range));
  }

 private:
  /// Positions are divided by it. On the GPU it is a constant.
  MGPU_HOST_DEVICE offset cell_items() const {
    if constexpr (MGPU_DEVICE_CC > 0) {
      constexpr int items =
          tuning::sort_cell_items(tuning::sort(MGPU_DEVICE_CC, sort_case<Key, Value>()).items_per_tile());
      static_assert(items <= shape(MGPU_DEVICE_CC).items_per_tile(), "a tile holds a cell");
      return items;
    } else {
      return cells.cell_items;
    }
  }

  using segment_keys = cut_segment<Key>;
  MGPU_HOST_DEVICE segment_keys keys_of(const sort_border& border) const {
    return {{border.begin, border.end, cell_items()}, buffers.keys[0], buffers.keys[1], before.buffer, cell_items(), 0};
  }

  /// A pass that does not concern a segment is the first, so its elements lie in the same buffers before and after it.
  MGPU_HOST_DEVICE bool concerns(const segment_keys& s) const {
    return !passes.only_odd || passes.are_odd(s.runs.levels());
  }

  /// Finds the elements out of place around the middle of [low, high), if they are at most one cell of them.
  template <class Search>
  MGPU_HOST_DEVICE split find_region(const segment_keys& s, offset low, offset middle, offset high,
                                     const Search& search) const {
    constexpr split no_region{0, 0, 0};
    // Values that are not staged are read while the output is written: they cannot be merged in their place.
    if constexpr (merge_core::has_values && !merge_core::stages_values) return no_region;
    // Most often too many are out of place. Two comparisons tell whether it is half a cell or more on both sides.
    const offset half = cell_items() / 2;
    const unsigned overlaps = search.which(2, [&](int i) {
      const offset a = i == 0 ? middle - 1 - half : middle - 1, b = i == 0 ? middle : middle + half;
      return a >= low && b < high && compare(s[b], s[a]);
    });
    if (overlaps == 3) return no_region;
    const offset begin = search.partition_point(low, middle, [&](offset i) { return !compare(s[middle], s[i]); });
    const offset end = search.partition_point(middle, high, [&](offset i) { return compare(s[i], s[middle - 1]); });
    if (end - begin > cell_items() || begin >= middle || end <= middle) return no_region;
    return {0, begin, end};
  }

  /// The first two runs of this level and the next two are merged by a later level. The elements around the border
  /// between them are merged now if none has to go further than to the next cell, and if no other merge of this level
  /// touches the cells at the border. Returns whether that is so.
  template <class Search>
  MGPU_HOST_DEVICE bool are_near(const segment_keys& s, offset tile, const Search& search) const {
    const offset end = s.runs.end;
    // For each of the cells tile - 1 to tile + 2 and each of tile - 3 to tile: whether the first key of the one goes
    // before the last key of the other.
    const unsigned overlaps = search.which(16, [&](int i) {
      const offset begin = (tile - 1 + i / 4) * cell_items(), last = (tile - 2 + i % 4) * cell_items() - 1;
      return begin < end && last < end && compare(s[begin], s[last]);
    });
    const auto are_apart = [&](int cell, int other) { return (overlaps >> (4 * (cell + 1) + other + 3) & 1) == 0; };
    // Then the level's other merges leave the cells at the border as they are, or bring what is in order there.
    const bool others_are_apart = are_apart(0, -3) && are_apart(2, -1) && are_apart(2, -3);
    if (!are_apart(0, -1) && others_are_apart && are_apart(0, -2) && are_apart(-1, -3) && are_apart(1, -1) &&
        are_apart(2, 0))
      return true;
    if (!are_apart(0, -1) || !others_are_apart) MGPU_SET_FLAG(&progress->has_far_elements);
    return false;
  }

  /// `first` and `last`: of the borders of the cell. Where the segment begins, `first` is not read.
  MGPU_EXEC_CHECK_DISABLE
  template <class Emit>
  MGPU_HOST_DEVICE void plan_cell(const segment_keys& s, offset cell, const split& first, const split& last,
                                  const Emit& emit) const {
    const auto pair = s.runs.pair_of(cell, level);
    const int buffer = s.buffer(cell);
    unsigned char& buffer_after = after.buffer[s.part(cell)];
    buffer_after = static_cast<unsigned char>(buffer);
    if (!pair.exists()) return;
    const offset begin = base::max(s.runs.begin, cell * s.cell_items);
    const offset end = base::min(s.runs.end, (cell + 1) * s.cell_items);
    if ((begin == pair.middle && first.is_in_place()) || (end == pair.middle && last.is_in_place())) return;
    const offset first_split = begin == pair.begin ? 0 : first.from_first;
    const offset last_split = end == pair.end ? pair.middle - pair.begin : last.from_first;
    tile::range range = tile::range::between(begin - pair.begin, end - pair.begin, first_split, last_split);
    range.a_begin += pair.begin;
    range.a_end += pair.begin;
    const bool stays = (range.b_begin == range.b_end && range.a_begin == begin) ||
                       (range.a_begin == range.a_end && pair.middle + range.b_begin == begin);
    if (stays) return;
    buffer_after = static_cast<unsigned char>(buffer ^ 1);
    emit(two_way_job{range,
                     pair.middle,
                     s.place_of(range.a_begin, range.a_end),
                     s.place_of(pair.middle + range.b_begin, pair.middle + range.b_end),
                     {-1, buffer ^ 1, buffer ^ 1}});
  }

  MGPU_EXEC_CHECK_DISABLE
  template <class Emit>
  MGPU_HOST_DEVICE void plan_region(const segment_keys& s, offset cell, const split& found, const Emit& emit) const {
    const offset middle = cell * s.cell_items;
    const int left = s.buffer(cell - 1), right = s.buffer(cell);
    emit(two_way_job{{found.region_begin, middle, 0, found.region_end - middle},
                     middle,
                     {middle, left, left},
                     {found.region_end, right, right},
                     {middle, left, right}});
  }

  template <class T>
  static MGPU_HOST_DEVICE auto splice(T* const (&x)[2], const base::splice& p, offset begin) {
    if constexpr (cuda::std::is_same_v<T, base::no_values::value_type>) return base::no_values{};
    else return base::spliced<T>{p.before != 0 ? x[1] : x[0], p.from != 0 ? x[1] : x[0], p.border} + begin;
  }
  template <class T>
  static MGPU_HOST_DEVICE auto splice_later(T* const (&x)[2], const base::splice& p, offset begin) {
    if constexpr (cuda::std::is_same_v<T, base::no_values::value_type>) return base::no_values{};
    else return base::spliced_later<T>{&p, {x[0], x[1]}, begin};
  }
  template <class T>
  static MGPU_HOST_DEVICE auto array_at(T* const (&x)[2], int buffer, offset begin) {
    if constexpr (cuda::std::is_same_v<T, base::no_values::value_type>) return base::no_values{};
    else return x[buffer] + begin;
  }

  void merge_serially(const two_way_job& work) const {
    const auto is_one = [](const base::splice& p) { return p.before == p.from; };
    if (is_one(work.a) && is_one(work.b) && is_one(work.out)) {
      const auto at = [](auto* const(&x)[2], const base::splice& p, offset begin) {
        return array_at(x, p.before, begin);
      };
      merge_of(work, at).run(tile::host_thread{}, work.range, 0);
    } else {
      const auto at = [](auto* const(&x)[2], const base::splice& p, offset begin) { return splice(x, p, begin); };
      merge_of(work, at).run(tile::host_thread{}, work.range, 0);
    }
  }

  MGPU_EXEC_CHECK_DISABLE
  template <class At>
  MGPU_HOST_DEVICE auto merge_of(const two_way_job& work, const At& at) const {
    return core::merge{
        at(buffers.keys, work.a, 0),   at(buffers.keys, work.b, work.middle), work.middle,
        count - work.middle,           at(buffers.values, work.a, 0),         at(buffers.values, work.b, work.middle),
        at(buffers.keys, work.out, 0), at(buffers.values, work.out, 0),       compare};
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
