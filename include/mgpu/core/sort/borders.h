// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/core/sort/segments.h>
#include <mgpu/tile/sort_runs.h>
#include <mgpu/tuning/sort.h>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// The places of a sort's tiles in the array. Tile t takes the cell [t * cell_items, (t + 1) * cell_items). If the last
/// segment that begins in the cell ends at most `slack` elements behind it, the tile takes these elements, too.
struct sort_cells {
  offset cell_items;
  offset slack;

  static sort_cells of_tile(int items) { return {tuning::sort_cell_items(items), tuning::sort_slack(items)}; }

  /// The border of two tiles at or behind the end of a cell, a position in the segment s. Borders ascend even if
  /// segments are bad, as the slack is no more than a cell.
  MGPU_HOST_DEVICE sort_border border(offset position, const stretch& s) const {
    // If a segment that begins in the cell before ends within the slack, its tile takes the end, too.
    const bool ends_before = s.end - position <= slack && s.begin >= position - cell_items;
    return ends_before ? sort_border{s.end, s.end, s.end, s.bound} : sort_border{position, s.begin, s.end, s.bound};
  }
};

/// The passes of a sort over its cut segments. The first passes are two-way passes: each merges two runs to one, and
/// takes a segment one level further. The others are wide passes, which take a segment `wide_levels` levels further.
struct sort_passes {
  int two_way_count;
  int wide_levels;
  /// There is one two-way pass, and it merges only segments of which wide passes would leave one level.
  bool only_odd;

  /// Whether wide passes leave one of so many levels.
  MGPU_HOST_DEVICE bool are_odd(int levels) const { return levels % wide_levels == 1; }
  /// How many of a segment's levels are two-way passes.
  MGPU_HOST_DEVICE int two_way_levels(int levels) const {
    return only_odd ? (are_odd(levels) ? 1 : 0) : base::min(levels, two_way_count);
  }
  /// How many passes take all segments of up to `levels` levels to their end.
  MGPU_HOST_DEVICE int count(int levels) const {
    return levels <= two_way_count ? levels : two_way_count + base::ceil_div(levels - two_way_count, wide_levels);
  }
  /// The level that a segment has reached before a wide pass.
  MGPU_HOST_DEVICE int level_before(int pass, int levels) const {
    return two_way_levels(levels) + wide_levels * (pass - two_way_count);
  }

  /// How often the elements of a cell move, if none is in its place. It may be less often than there are passes: a
  /// segment's last run may have no neighbour to be merged with.
  MGPU_HOST_DEVICE int moves_of(const tile::sort_runs<offset>& runs, offset cell) const {
    const int in_segment = static_cast<int>(cell - runs.first_cell());
    const int cells = static_cast<int>(runs.end_cell() - runs.first_cell());
    const int levels = runs.levels(), two = two_way_levels(levels);
    int count = 0;
    for (int level = 0; level < levels;) {
      const int merged_levels = level < two ? 1 : wide_levels;
      const int group = in_segment >> (level + merged_levels) << (level + merged_levels);
      if (group + (1 << level) < cells) ++count;
      level += merged_levels;
    }
    return count;
  }
};

/// What the steps of one sort tell the next steps.
struct sort_progress {
  static constexpr int most_passes = 48;

  int levels;               // of the longest cut segment
  int has_bad_segments;     // then nothing is merged
  int has_far_elements;     // after near_levels some elements are more than a cell away from their places
  int merged[most_passes];  // merges queued, by pass
  int copied[most_passes];  // copies queued, by pass
  int taken[most_passes];   // of both, by the blocks that run them, by pass

  /// After so many levels every element is in its place, unless has_far_elements.
  static constexpr int near_levels = 2;

  /// The levels that have anything to merge.
  MGPU_HOST_DEVICE int needed_levels() const {
    if (has_bad_segments != 0) return 0;
    return has_far_elements != 0 ? levels : base::min(levels, near_levels);
  }
};

/// The buffer that each part of a cut segment lies in. Buffer 0 is where the results belong, buffer 1 is scratch
/// memory. A tile has at most two such parts: the left one is of the segment that its first border cuts, the right one
/// of the segment that begins in it.
struct part_buffers {
  unsigned char* buffer;  // [2 * tiles]

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
  int levels;  // that are known before the tiles are sorted
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
    return cells.border(position, segments.around(tile, position));
  }
};

/// Whether two neighbouring borders cut the same segment, or different segments that do not overlap. Otherwise segments
/// are bad.
MGPU_HOST_DEVICE inline bool are_consistent(const sort_border& x, const sort_border& y) {
  if (x.cuts() && x.end > y.position) return y.begin == x.begin && y.end == x.end;
  return !y.cuts() || (y.begin >= x.position && (!x.cuts() || y.begin >= x.end));
}

/// Whether all elements between two borders are of one segment.
MGPU_HOST_DEVICE inline bool is_inside_segment(const sort_border& x, const sort_border& y) {
  return x.cuts() ? x.end >= y.position : y.cuts() && y.begin == x.position;
}

}  // namespace detail::core
MGPU_NAMESPACE_END
