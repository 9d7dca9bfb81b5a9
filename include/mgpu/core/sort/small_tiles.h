// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/core/sort/borders.h>
#include <mgpu/core/sort/tiles.h>
#include <mgpu/tile/block_kinds.h>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// A border of two tiles of a small array.
struct small_border : sort_border {
  /// How many passes merge the parts of the segment that it cuts. The elements of that segment move so often: before,
  /// they lie in buffer 1 if that is an odd number, so that they end in buffer 0.
  int passes;
};

/// Which runs passes merge by ranks: first a segment's parts in tiles, then what the pass before has merged, `ways`
/// neighbours at a time.
struct rank_runs {
  int tile_items, ways;
  bool begin_with_segments;  // as tiles do; else they are counted from the cell that the segment begins in

  /// Where the first run of a segment begins, or of all that lie in its cell.
  MGPU_HOST_DEVICE int origin(int segment_begin) const {
    return begin_with_segments ? segment_begin : segment_begin / tile_items * tile_items;
  }

  MGPU_HOST_DEVICE small_border with_passes(const sort_border& border) const {
    int passes = 0;
    if (border.cuts()) {
      const int end = static_cast<int>(border.end), begin = origin(static_cast<int>(border.begin));
      for (int others = (end - 1 - begin) / tile_items; others > 0; others /= ways) ++passes;
    }
    return {border, passes};
  }
};

/// What a tile of a small array leaves for the passes that merge it with others.
struct small_tile {
  small_border first, last;
  int has_bad_segments;
};

/// What passes need if the comparator may be no strict weak ordering: some places then get no element or no number,
/// others several.
template <class Key, class Value>
struct rank_guard {
  unsigned* cleared;  // [cleared_count], 0 before the first pass
  offset cleared_count;
  Key* unwritten_keys;  // [count], buffer 1, if passes may write where nothing lies yet; else null
  Value* unwritten_values;
};

/// Sorts the parts of segments in a tile of an array that is not large. The tile finds its borders itself. On the GPU.
template <ties order_of_ties, tile_kind kind, class Keys, class Values, class Segments, class Compare>
struct sort_small_tiles {
  using tile_type = sort_tiles<order_of_ties, kind, Keys, Values, Segments, Compare>;

  tile_type tile;
  offset tiles;
  sort_cells cells;
  rank_runs runs;
  small_tile* record;  // [tiles]; null for a single tile and for a single segment
  rank_guard<typename tile_type::key, typename tile_type::value> guard;

  using block_kind = tile::sorts;
  static constexpr const char* name = "sort small tiles";  // in a profiler
  static constexpr bool has_one_part = Segments::has_one_segment || core::has_one_segment(kind);

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) { return tile_type::shape(cc); }
  static constexpr int shared_bytes(const base::tile_shape& shape) { return tile_type::shared_bytes(shape); }

  template <class Block>
  MGPU_DEVICE void run(Block& block, offset number) const {
    block.let_next_kernel_start();
    small_border first{{0, 0, 0, 0}, 0}, last{core::last_border(tile.segments, tile.count), 0};
    if (tiles > 1) {
      bool are_bad = false;
      if (core::has_stretches<Segments> && runs.begin_with_segments) {
        are_bad = !find_in_segments(block, number, first, last);
        if (are_bad) tile.report_bad_segments();
      } else {
        block.find_two([&](int side, const auto& search) { return runs.with_passes(border(number + side, search)); },
                       first, last);
        are_bad = !core::are_consistent(first, last);
      }
      if (block.thread() == 0 && record != nullptr) record[number] = {first, last, are_bad ? 1 : 0};
    }
    const tile_parts parts = parts_of(first, last);
    if constexpr (!base::is_strict_weak_order<Compare>)
      prepare_guard(block, number, parts, first.position, static_cast<int>(last.position - first.position));
    // Of other tiles without elements, too, segments are checked.
    if (runs.begin_with_segments && first.position == last.position) return;
    const bool has_one_segment = has_one_part || runs.begin_with_segments || core::is_inside_segment(first, last);
    tile.sort_between(block, first, last, parts, has_one_segment, [&] {
      if (record != nullptr) record[number].has_bad_segments = 1;
      tile.report_bad_segments();
    });
  }

 private:
  /// Where passes write, each place holds an element of the array before: in buffer 0 one of those that were there, in
  /// buffer 1 what the tile writes, or else one of these.
  template <class Block>
  MGPU_DEVICE void prepare_guard(Block& block, offset number, const tile_parts& parts, offset begin, int count) const {
    constexpr int threads = Block::shape.threads;
    for (offset i = number * threads + block.thread(); i < guard.cleared_count; i += tiles * threads)
      guard.cleared[i] = 0;
    if (guard.unwritten_keys == nullptr) return;
    for (int i = block.thread(); i < count; i += threads) {
      if (parts.buffer_of(i) != 0) continue;
      guard.unwritten_keys[begin + i] = tile.keys[begin + i];
      if constexpr (tile_type::has_values) guard.unwritten_values[begin + i] = tile.values[begin + i];
    }
  }

  /// The parts of the tile, each of which goes where its segment's first pass finds it.
  MGPU_DEVICE tile_parts parts_of(const small_border& first, const small_border& last) const {
    if constexpr (has_one_part) {
      return tile_parts::whole(base::max(first.passes, last.passes) % 2);
    } else {
      const offset begin = first.position, end = last.position;
      const offset left_end = first.cuts() ? base::min(first.end, end) : begin;
      const offset right_begin = last.cuts() ? base::clamp(last.begin, left_end, end) : end;
      return {static_cast<int>(left_end - begin), static_cast<int>(right_begin - begin), first.passes % 2,
              last.passes % 2};
    }
  }

  /// Finds the borders of a tile if tiles begin with segments: a segment has as many as it needs. If there are fewer
  /// tiles, or if segments are bad, which all tiles find out, the tile has no elements. Returns false if they are bad.
  template <class Block>
  MGPU_DEVICE bool find_in_segments(Block& block, offset number, small_border& first, small_border& last) const {
    if constexpr (core::has_stretches<Segments>) {
      const Segments& s = tile.segments;
      const offset share = base::ceil_div(s.stretch_count(), offset{Block::shape.threads});
      const offset begin = base::min(block.thread() * share, s.stretch_count());
      const offset end = base::min(begin + share, s.stretch_count());
      const auto tiles_of = [&](offset i) {
        const offset items = s.stretch_end(i) - s.stretch_begin(i);
        return items <= 0 ? 0 : (static_cast<int>(items) - 1) / runs.tile_items + 1;
      };
      bool are_sound = true;
      int count = 0;
      for (offset i = begin; i < end; ++i) {
        are_sound = are_sound && s.is_sound(i);
        if (are_sound) count += tiles_of(i);
      }
      first = last = {{tile.count, tile.count, tile.count, s.bound_count()}, 0};
      if (block.any(!are_sound)) return false;
      int before = block.sum_of_threads_before(count);
      bool has_tile = false;
      for (offset i = begin; i < end; ++i) {
        const int in_segment = static_cast<int>(number) - before, segment_tiles = tiles_of(i);
        if (0 <= in_segment && in_segment < segment_tiles) {
          has_tile = true;
          const offset from = s.stretch_begin(i), to = s.stretch_end(i);
          const offset at = from + offset{in_segment} * runs.tile_items, tile_end = base::min(at + runs.tile_items, to);
          first = runs.with_passes(at == from ? sort_border{at, at, at, i} : sort_border{at, from, to, i});
          last = runs.with_passes(tile_end == to ? sort_border{to, to, to, i} : sort_border{tile_end, from, to, i});
        }
        before += segment_tiles;
      }
      block.share_one(has_tile, first, last);
    }
    return true;
  }

  template <class Search>
  MGPU_DEVICE sort_border border(offset number, const Search& search) const {
    if (number == 0) return {0, 0, 0, 0};
    if (number == tiles) return core::last_border(tile.segments, tile.count);
    const offset position = number * cells.cell_items;
    return cells.border(position, tile.segments.around(number, position, search));
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
