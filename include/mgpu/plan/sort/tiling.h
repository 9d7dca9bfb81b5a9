// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/core/sort/borders.h>
#include <mgpu/tile/sort_runs.h>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// How a sort cuts an array of `count` elements into tiles.
struct sort_tiling {
  offset count;
  core::sort_cells cells;
  offset tiles;
  int most_levels;                   // that a segment of all elements takes
  bool is_single_tile;               // one tile has all elements, is sorted in place, and leaves no record
  bool is_small = false;             // its tiles find their borders themselves: plan/sort/small_sort.h
  bool begin_with_segments = false;  // tiles do: a segment has as many as it needs, and `tiles` are the most of all

  /// Tiles of `tile_items` elements.
  static sort_tiling of_tiles(offset count, int tile_items) {
    const core::sort_cells cells = core::sort_cells::of_tile(tile_items);
    const tile::sort_runs<offset> all{0, count, cells.cell_items};
    return {count, cells, base::ceil_div(count, cells.cell_items), all.levels(), false};
  }

  /// Small tiles of `items` elements of one segment.
  static sort_tiling of_equal_tiles(offset count, offset items) {
    return {count, {items, 0}, base::ceil_div(count, items), 0, false, true};
  }
  /// Small tiles of `items` elements, or of up to `most_items` where a segment ends a little later.
  static sort_tiling of_cells(offset count, offset items, int most_items) {
    return {count, {items, base::min(items, most_items - items)}, base::ceil_div(count, items), 0, false, true};
  }
  /// Small tiles of at most `most_items` that begin with segments, if these are so many at most.
  static sort_tiling of_segments(offset count, offset stretches, int most_items) {
    return {count, {most_items, 0}, stretches + count / most_items, 0, false, true, true};
  }

  static sort_tiling of_single_tile(offset count) { return {count, {count, 0}, 1, 0, true}; }
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
