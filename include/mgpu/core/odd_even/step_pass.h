// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/core/odd_even/pass.h>
#include <mgpu/tuning/odd_even_merge_sort.h>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// A pass of tiles that run by steps. The borders between tiles may be further apart than the rows around them reach.
/// Then the pass around borders reads only a part of the array. If the rows around a border fill no tile, a tile takes
/// several windows, each with a border in its middle.
struct odd_even_step_pass : odd_even_pass {
  int windows_log = 0;      // a tile has 2^windows_log windows, each of 2^rows_log rows
  int border_distance_log;  // 2^border_distance_log rows lie between two borders; where there are none, in a tile

  /// The same pass, with one window in a tile.
  explicit odd_even_step_pass(const odd_even_pass& pass)
      : odd_even_pass(pass), border_distance_log(pass.span_log() - pass.last_stride_log) {}

  MGPU_HOST_DEVICE int window_log() const { return rows_log + row_log; }
  MGPU_HOST_DEVICE int size_log() const { return window_log() + windows_log; }
  /// From a window's first row to that of the next window, 2^span_log() elements.
  MGPU_HOST_DEVICE int span_log() const { return border_distance_log + last_stride_log; }
  /// Where the first tile begins. Tiles between borders are shifted by half of a tile, those around borders so far that
  /// the borders lie in the middles of windows.
  MGPU_HOST_DEVICE offset begin() const {
    const offset half_span = offset{1} << span_log() >> 1, half_window = offset{1} << (rows_log + last_stride_log) >> 1;
    return kind == part::between_borders ? -half_span : kind == part::around_borders ? half_span - half_window : 0;
  }
  MGPU_HOST_DEVICE offset tiles(offset count) const {
    if (count <= begin()) return 0;
    return base::ceil_div(count - begin(), offset{1} << (span_log() + windows_log)) << (last_stride_log - row_log);
  }
};

/// The passes of a group in a large array: few, with many layers each. The first pass leaves at least
/// tuning::odd_even_least_last_layers. The passes after it run as many of them as fast, and its own rows are longer.
template <class Function>
class odd_even_step_plan {
 public:
  odd_even_step_plan(int tile_log, const Function& f)
      : tile_log_(tile_log), most_rows_log_(tile_log - tuning::odd_even_step_row_log), f_(f) {}

  void run(int group_log) const {
    // Between borders a tile of 2^k rows runs k - 1 layers. The last layers need rows of one element only.
    const int last_most = tile_log_ - 1, middle_most = most_rows_log_ - 1, least = group_log - most_rows_log_;
    int left = base::max(tuning::odd_even_least_last_layers, least);
    if (left > last_most) left = least;
    run_whole(group_log, group_log - left);
    while (left > last_most) {
      // About half of what is left. Then both passes around borders read a small part of the array, in long rows.
      const int layers = base::min(middle_most, left - (left + tuning::odd_even_step_row_log) / 2);
      run_inner(group_log, left, layers);
      left -= layers;
    }
    run_inner(group_log, left, left);
  }

 private:
  using part = odd_even_pass::part;

  /// The longest rows that a tile of so many rows has room for.
  int row_log(int rows_log, int last_stride_log) const { return base::min(tile_log_ - rows_log, last_stride_log); }

  void run_whole(int group_log, int layers) const {
    const int last = group_log - layers;
    f_(odd_even_step_pass({part::whole_groups, group_log, group_log - 1, last, layers, row_log(layers, last)}));
  }
  /// The layers of strides 2^(left - 1) to 2^(left - layers), around borders and between them. A tile between borders
  /// takes as many rows as it has room for: there are then fewer borders.
  void run_inner(int group_log, int left, int layers) const {
    const int last = left - layers, rows_log = last == 0 ? tile_log_ : base::max(layers + 1, most_rows_log_);
    odd_even_step_pass around({part::around_borders, group_log, left - 1, last, layers, row_log(layers, last)});
    if (last == 0) around.windows_log = tile_log_ - layers;
    around.border_distance_log = rows_log;
    f_(around);
    f_(odd_even_step_pass({part::between_borders, group_log, left - 1, last, rows_log, row_log(rows_log, last)}));
  }

  int tile_log_, most_rows_log_;
  const Function& f_;
};

/// Calls f(pass) for each pass of a sort of `count` keys by steps. tile_items is a power of two.
template <class Function>
void for_each_odd_even_step_pass(offset count, int key_bytes, int tile_items, const Function& f,
                                 offset fewer_passes_from = tuning::odd_even_fewer_passes_from) {
  using part = odd_even_pass::part;
  int tile_log = 0;
  while (1 << tile_log < tile_items) ++tile_log;
  if (count < base::max(fewer_passes_from, offset{tile_items}) || tile_log < tuning::odd_even_step_row_log + 2) {
    core::for_each_odd_even_pass(count, key_bytes, tile_items,
                                 [&](const odd_even_pass& pass) { f(odd_even_step_pass(pass)); });
    return;
  }
  f(odd_even_step_pass({part::groups, tile_log, tile_log - 1, 0, tile_log, 0}));
  const odd_even_step_plan<Function> passes(tile_log, f);
  for (int group_log = tile_log + 1; offset{1} << (group_log - 1) < count; ++group_log) passes.run(group_log);
}

}  // namespace detail::core
MGPU_NAMESPACE_END
