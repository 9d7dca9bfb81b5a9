// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/tuning/odd_even_merge_sort.h>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// Some layers of an odd-even merge sort, run on tiles in one pass over the array. A tile takes 2^rows_log rows of
/// 2^row_log neighbouring elements. The rows are 2^last_stride_log elements apart, so the layers on them are the same
/// network with shorter strides. Comparisons across the borders of tiles are run by a pass before, on smaller tiles
/// around the borders. Such a tile has what these comparisons need: in each layer as many elements on both sides of the
/// border as the stride is long.
struct odd_even_pass {
  enum class part {
    groups,        // all layers of groups up to the tile's size; a tile takes neighbouring elements
    whole_groups,  // the first layers of larger groups; a tile takes all rows of a group
    around_borders,
    between_borders,
  };

  part kind;
  int group_log;                          // 2^group_log elements are merged
  int first_stride_log, last_stride_log;  // strides
  int rows_log, row_log;

  MGPU_HOST_DEVICE int size_log() const { return rows_log + row_log; }
  /// From a tile's first row to that of the next tile, 2^span_log() elements.
  MGPU_HOST_DEVICE int span_log() const { return rows_log + last_stride_log + (kind == part::around_borders ? 1 : 0); }
  /// Where the first tile begins. Tiles between borders are shifted by half a tile, so that a group begins at the
  /// middle of a tile. Tiles around borders are half as large, and have these borders in their middles.
  MGPU_HOST_DEVICE offset begin() const {
    const offset span = offset{1} << span_log();
    return kind == part::between_borders ? -span / 2 : kind == part::around_borders ? span / 4 : 0;
  }
  MGPU_HOST_DEVICE offset tiles(offset count) const {
    if (count <= begin()) return 0;
    return base::ceil_div(count - begin(), offset{1} << span_log()) << (last_stride_log - row_log);
  }
};

/// Calls f(pass) for each pass of a sort of `count` elements. tile_items is a power of two.
template <class Function>
void for_each_odd_even_pass(offset count, int element_bytes, int tile_items, const Function& f) {
  using part = odd_even_pass::part;
  int tile_log = 0;
  while ((1 << tile_log) < tile_items && offset{1} << tile_log < count) ++tile_log;
  if (tile_log == 0) return;
  f(odd_even_pass{part::groups, tile_log, tile_log - 1, 0, tile_log, 0});
  const int row_log = base::min(tile_log - 2, tuning::odd_even_row_log(element_bytes));
  const int most_row_log = tuning::odd_even_most_row_log(tile_items);
  for (int group_log = tile_log + 1; offset{1} << (group_log - 1) < count; ++group_log) {
    const auto run = [&](part kind, int first_stride_log, int last_stride_log, int rows_log) {
      const int row = base::min(base::min(tile_log - rows_log, most_row_log), last_stride_log);
      f(odd_even_pass{kind, group_log, first_stride_log, last_stride_log, rows_log, row});
    };
    // A tile of 2^k rows runs k layers of whole groups, or k - 1 layers between borders. The last layers need one row
    // only.
    const int last_layers = tile_log - 1;
    const int whole = base::min(group_log - last_layers, tile_log - row_log);
    run(part::whole_groups, group_log - 1, group_log - whole, whole);
    for (int left = group_log - whole; left > 0;) {
      const int layers = left > last_layers ? base::min(left - last_layers, tile_log - row_log - 1) : left;
      run(part::around_borders, left - 1, left - layers, layers);
      run(part::between_borders, left - 1, left - layers, layers + 1);
      left -= layers;
    }
  }
}

}  // namespace detail::core
MGPU_NAMESPACE_END
