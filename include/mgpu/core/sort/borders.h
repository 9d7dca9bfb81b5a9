// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/core/sort/segments.h>
#include <mgpu/tile/sort_runs.h>
#include <mgpu/tuning/sort.h>

MGPU_NAMESPACE_BEGIN
namespace core {

/// How the tiles of a sort lie in the array: tile t takes the cell [t * cell_items, (t + 1) * cell_items), and of a segment
/// that begins in it up to `slack` elements more.
struct sort_cells {
  offset cell_items;
  offset slack;

  static sort_cells of_tile(int items) { return {tuning::sort_cell_items(items), tuning::sort_slack(items)}; }
};

/// The passes of a sort over its cut segments: the first ones merge two runs to one, which is one level; the others four, which
/// is two.
struct sort_passes {
  int by_two;
  bool only_odd;  // only segments that take an odd number of levels have one of them merged by two

  /// The levels of a segment that are merged by two.
  MGPU_HOST_DEVICE int levels_by_two(int levels) const { return only_odd ? levels & 1 : base::min(levels, by_two); }
  /// The passes of segments that take up to so many levels.
  MGPU_HOST_DEVICE int of(int levels) const {
    return levels <= by_two ? levels : by_two + base::ceil_div(levels - by_two, 2);
  }
  /// The level that a segment has reached before one of the passes by four.
  MGPU_HOST_DEVICE int level(int pass, int levels) const { return levels_by_two(levels) + 2 * (pass - by_two); }

  /// How often the elements of a cell move, if none is where it belongs: the last run of a segment may have no neighbour.
  MGPU_HOST_DEVICE int moves(const tile::sort_runs<offset>& runs, offset cell) const {
    const int in_segment = static_cast<int>(cell - runs.first_cell());
    const int cells = static_cast<int>(runs.end_cell() - runs.first_cell());
    const int levels = runs.levels(), two = levels_by_two(levels);
    int count = 0;
    for (int level = 0; level < levels;) {
      const int merged_levels = level < two ? 1 : 2;
      const int group = in_segment >> (level + merged_levels) << (level + merged_levels);
      if (group + (1 << level) < cells) ++count;
      level += merged_levels;
    }
    return count;
  }
};

/// What the steps of one sort leave for the next ones.
struct sort_progress {
  static constexpr int most_passes = 48;

  int levels;               // that the longest of the cut segments takes
  int has_bad_segments;     // the segments are none: nothing is merged
  int has_far_elements;     // after near_levels some elements are still more than a cell away from their places
  int merged[most_passes];  // jobs by pass, that merge
  int copied[most_passes];  // and that only move
  int taken[most_passes];   // of both, by the blocks that run them

  /// After so many levels no element that was near to its place is away from it.
  static constexpr int near_levels = 2;

  /// The levels that merge anything.
  MGPU_HOST_DEVICE int needed_levels() const {
    if (has_bad_segments != 0) return 0;
    return has_far_elements != 0 ? levels : base::min(levels, near_levels);
  }
};

/// The two places that each part of a cut segment may lie in: buffer 0 is where the results belong, 1 is scratch memory.
/// Every tile has two such parts at most: that of the segment which its first border cuts, and that of the one which begins
/// in it.
struct part_buffers {
  unsigned char* of;  // [2 * tiles]

  static MGPU_HOST_DEVICE offset left(offset tile) { return 2 * tile; }
  static MGPU_HOST_DEVICE offset right(offset tile) { return 2 * tile + 1; }
};

/// The border behind the last tile.
template <class Segments>
MGPU_HOST_DEVICE sort_border last_border(const Segments& segments, offset count) {
  return {count, count, count, segments.bound_count()};
}

/// Finds the borders of the tiles.
template <class Segments>
struct find_sort_borders {
  Segments segments;
  offset count;  // of the elements
  offset tiles;
  sort_cells cells;
  sort_border* borders;  // [tiles + 1]
  sort_progress* progress;
  int levels;  // to begin with
  bool expects_near_elements;

  MGPU_HOST_DEVICE void operator()(offset tile) const {
    if (tile == 0) {
      *progress = sort_progress{};
      progress->levels = levels;
      progress->has_far_elements = expects_near_elements ? 0 : 1;
    }
    borders[tile] = border(tile);
  }

 private:
  MGPU_HOST_DEVICE sort_border border(offset tile) const {
    if (tile == 0) return {0, 0, 0, 0};
    if (tile == tiles) return core::last_border(segments, count);
    const offset position = tile * cells.cell_items;
    const stretch s = segments.around(tile, position);
    // The tile before takes a short end of a segment that begins in it.
    const bool ends_before = s.end - position <= cells.slack && s.begin >= position - cells.cell_items;
    const offset end = ends_before ? s.end : position;
    return ends_before ? sort_border{end, end, end, s.bound} : sort_border{position, s.begin, s.end, s.bound};
  }
};

/// Whether two neighbouring borders cut the same segment, or different ones that do not overlap.
MGPU_HOST_DEVICE inline bool agree(const sort_border& x, const sort_border& y) {
  if (x.cuts() && x.end > y.position) return y.begin == x.begin && y.end == x.end;
  return !y.cuts() || (y.begin >= x.position && (!x.cuts() || y.begin >= x.end));
}

/// The elements between two borders are of one segment.
MGPU_HOST_DEVICE inline bool is_inside_segment(const sort_border& x, const sort_border& y) {
  return x.cuts() ? x.end >= y.position : y.cuts() && y.begin == x.position;
}

}  // namespace core
MGPU_NAMESPACE_END
