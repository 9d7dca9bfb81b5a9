// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/core/sort/borders.h>
#include <mgpu/core/sort/tiles.h>

MGPU_NAMESPACE_BEGIN
namespace core {

/// A border of two tiles of a small array.
struct few_border : sort_border {
  /// How many passes merge the parts of the segment that it cuts. The elements of that segment move so often: before,
  /// they lie in buffer 1 if that is an odd number, so that they end in buffer 0.
  int passes;
};

/// Which runs passes merge by ranks: first tiles, then what the pass before has merged, `ways` neighbours at a time.
struct rank_runs {
  int tile_items, ways;

  MGPU_HOST_DEVICE few_border with_passes(const sort_border& border) const {
    int passes = 0;
    if (border.cuts()) {
      int first = static_cast<int>(border.begin) / tile_items, last = static_cast<int>(border.end - 1) / tile_items;
      for (; first < last; first /= ways, last /= ways) ++passes;
    }
    return {border, passes};
  }
};

/// What a tile of a small array leaves for the passes that merge it with others.
struct few_tile {
  few_border first, last;
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
struct sort_few_tiles {
  using tile_type = sort_tiles<order_of_ties, kind, Keys, Values, Segments, Compare>;

  tile_type tile;
  offset tiles;
  sort_cells cells;
  rank_runs runs;
  few_tile* record;  // [tiles]; null for a single tile and for a single segment
  rank_guard<typename tile_type::key, typename tile_type::value> guard;

  static constexpr const char* name = "sort few tiles";  // in a profiler

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) { return tile_type::shape(cc); }
  static constexpr int shared_bytes(const base::tile_shape& shape) { return tile_type::shared_bytes(shape); }

  void run(tile::host_thread, offset) const {}  // never called

  template <class Block>
  MGPU_DEVICE void run(Block& block, offset number) const {
    block.let_next_kernel_start();
    few_border first{{0, 0, 0, 0}, 0}, last{core::last_border(tile.segments, tile.count), 0};
    if (tiles > 1) {
      block.find_two([&](int side, const auto& search) { return runs.with_passes(border(number + side, search)); },
                     first, last);
      if (block.thread() == 0 && record != nullptr)
        record[number] = {first, last, core::are_consistent(first, last) ? 0 : 1};
    }
    const tile_parts parts = parts_of(first, last);
    if constexpr (!base::is_strict_weak_order<Compare>)
      prepare_guard(block, number, parts, first.position, static_cast<int>(last.position - first.position));
    tile.sort_between(block, first, last, parts, [&] {
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
  MGPU_DEVICE tile_parts parts_of(const few_border& first, const few_border& last) const {
    if constexpr (Segments::has_one_segment) {
      return tile_parts::whole(base::max(first.passes, last.passes) % 2);
    } else {
      const offset begin = first.position, end = last.position;
      const offset left_end = first.cuts() ? base::min(first.end, end) : begin;
      const offset right_begin = last.cuts() ? base::clamp(last.begin, left_end, end) : end;
      return {static_cast<int>(left_end - begin), static_cast<int>(right_begin - begin), first.passes % 2,
              last.passes % 2};
    }
  }

  template <class Search>
  MGPU_DEVICE sort_border border(offset number, const Search& search) const {
    if (number == 0) return {0, 0, 0, 0};
    if (number == tiles) return core::last_border(tile.segments, tile.count);
    const offset position = number * cells.cell_items;
    return cells.border(position, tile.segments.around(number, position, search));
  }
};

}  // namespace core
MGPU_NAMESPACE_END
