// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// Two neighbouring runs that a merge sort merges into one: [begin, middle) and [middle, end).
template <class Index>
struct run_pair {
  Index begin, middle, end;

  /// The last run of a level may have no neighbour.
  MGPU_HOST_DEVICE bool exists() const { return middle < end; }
};

/// Neighbouring runs that a merge sort merges into one.
template <class Index>
struct run_group {
  Index begin, end;
  Index first, run_items;  // run r: [first + r * run_items, first + (r + 1) * run_items), cut to [begin, end)

  /// Where run r begins and the run before it ends.
  MGPU_HOST_DEVICE Index bound(int r) const { return base::clamp(first + r * run_items, begin, end); }
  MGPU_HOST_DEVICE bool has_two() const { return bound(1) < end; }
};

/// The runs of a merge sort of the segment [begin, end) of an array whose cells of `cell_items` elements are already
/// sorted. At level 0 a run is the segment's part of one cell, then of 2, 4, ... cells, counted from the cell in which
/// the segment begins. So a segment takes as many levels as its own length requires, wherever in the array it lies.
template <class Index>
struct sort_runs {
  Index begin, end;
  Index cell_items;

  MGPU_HOST_DEVICE Index first_cell() const { return begin / cell_items; }
  MGPU_HOST_DEVICE Index end_cell() const { return base::ceil_div(end, cell_items); }

  MGPU_HOST_DEVICE int levels() const {
    int count = 0;
    for (Index rest = end_cell() - first_cell() - 1; rest > 0; rest >>= 1) ++count;
    return count;
  }

  /// The two runs of the level that the cell belongs to.
  MGPU_HOST_DEVICE run_pair<Index> pair_of(Index cell, int level) const {
    const Index first = first_cell(), step = Index{1} << level;
    const Index pair = first + ((cell - first) & ~(2 * step - 1));
    const Index middle = (pair + step) * cell_items;
    return {base::max(begin, pair * cell_items), middle, base::min(end, middle + step * cell_items)};
  }

  /// The runs that several levels merge at once: at most `ways` of them, a power of two.
  MGPU_HOST_DEVICE run_group<Index> group_of(Index cell, int level, int ways) const {
    const Index first = first_cell(), step = Index{1} << level, size = ways * step;
    const Index group = first + ((cell - first) & ~(size - 1));
    return {base::max(begin, group * cell_items), base::min(end, (group + size) * cell_items), group * cell_items,
            step * cell_items};
  }
};

}  // namespace detail::tile
MGPU_NAMESPACE_END
