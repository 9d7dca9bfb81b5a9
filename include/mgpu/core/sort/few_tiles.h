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

/// What a tile of a small array leaves for the passes that merge it with others.
struct few_tile {
  sort_border first, last;
  int has_bad_segments;
};

/// What passes need if the comparator may be no strict weak ordering: some places then get no element or no number,
/// others several.
template <class Key, class Value>
struct rank_guard {
  unsigned* cleared;  // [cleared_count], 0 before the first pass
  offset cleared_count;
  Key* unwritten_keys;  // [count], where the first pass writes, if nothing lies there yet; else null
  Value* unwritten_values;
};

/// Sorts the parts of segments in a tile of an array that is not large. The tile finds its borders itself. On the GPU.
template <ties order_of_ties, tile_kind kind, class Keys, class Values, class Segments, class Compare>
struct sort_few_tiles {
  using tile_type = sort_tiles<order_of_ties, kind, Keys, Values, Segments, Compare>;

  tile_type tile;
  offset tiles;
  int tile_items;
  typename tile_type::key* keys_to;  // the array itself, or scratch memory
  typename tile_type::value* values_to;
  few_tile* record;  // [tiles]; null for a single tile and for a single segment
  rank_guard<typename tile_type::key, typename tile_type::value> guard;

  static constexpr const char* name = "sort few tiles";  // in a profiler

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) { return tile_type::shape(cc); }
  static constexpr int shared_bytes(const base::tile_shape& shape) { return tile_type::shared_bytes(shape); }

  void run(tile::host_thread, offset) const {}  // never called

  template <class Block>
  MGPU_DEVICE void run(Block& block, offset number) const {
    block.let_next_kernel_start();
    sort_border first{0, 0, 0, 0}, last = core::last_border(tile.segments, tile.count);
    if (tiles > 1) {
      block.find_two([&](int side, const auto& search) { return border(number + side, search); }, first, last);
      if (block.thread() == 0 && record != nullptr)
        record[number] = {first, last, core::are_consistent(first, last) ? 0 : 1};
    }
    if constexpr (!base::is_strict_weak_order<Compare>) prepare_guard(block, number, first.position, last.position);
    tile.sort_between(block, first, last, keys_to == tile.keys, keys_to, values_to, [&] {
      if (record != nullptr) record[number].has_bad_segments = 1;
      tile.report_bad_segments();
    });
  }

 private:
  /// Where passes write, each place holds an element of the array before.
  template <class Block>
  MGPU_DEVICE void prepare_guard(Block& block, offset number, offset begin, offset end) const {
    constexpr int threads = Block::shape.threads;
    for (offset i = number * threads + block.thread(); i < guard.cleared_count; i += tiles * threads)
      guard.cleared[i] = 0;
    if (guard.unwritten_keys == nullptr) return;
    for (offset i = begin + block.thread(); i < end; i += threads) {
      guard.unwritten_keys[i] = tile.keys[i];
      if constexpr (tile_type::has_values) guard.unwritten_values[i] = tile.values[i];
    }
  }

  template <class Search>
  MGPU_DEVICE sort_border border(offset number, const Search& search) const {
    if (number == 0) return {0, 0, 0, 0};
    if (number == tiles) return core::last_border(tile.segments, tile.count);
    const offset position = number * tile_items;
    const stretch s = tile.segments.around(number, position, search);
    return {position, s.begin, s.end, s.bound};
  }
};

}  // namespace core
MGPU_NAMESPACE_END
