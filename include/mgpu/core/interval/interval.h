// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/bad_input_flag.h>
#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/tile/block_kinds.h>
#include <mgpu/tile/load_balance.h>
#include <mgpu/tile/range.h>
#include <mgpu/tile/word.h>
#include <mgpu/tuning/interval.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// The core of expand, gather, scatter, move and every other visit to the items of intervals. It visits (item,
/// interval, rank). The sink says what is done with them: see core/interval/sink.h.
template <class Offsets, class Sink>
struct interval {
  Offsets offsets;  // [interval_count], an exclusive scan of counts
  offset interval_count;
  offset item_count;  // the sum of the counts
  Sink sink;
  base::bad_input_flag bad_input;  // raised if the offsets are found to be no such scan

  using sink_type = Sink;
  using split = offset;
  using range = tile::interval_range;
  using block_kind = tile::visits_intervals;

  static constexpr const char* name = "interval";  // in a profiler

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) {
    return tuning::interval(
        cc, {Sink::unit_bytes, Sink::unit_bytes * Sink::units_per_item, Sink::fills, Sink::scatters, Sink::gathers});
  }

  // The shared memory of a tile. Its items have positions, in whole rounds of warps: see block/visit_intervals.cuh.

  static MGPU_HOST_DEVICE constexpr int rounds(const base::tile_shape& shape) {
    constexpr int unit_count = 32 * Sink::units_per_lane * Sink::rounds_at_once;
    return base::ceil_div(shape.items_per_tile() * Sink::units_per_item + Sink::max_pad, unit_count) *
           Sink::rounds_at_once;
  }
  static MGPU_HOST_DEVICE constexpr int positions(const base::tile_shape& shape) {
    return rounds(shape) * 32 * Sink::units_per_lane;
  }
  /// Where whole words are read, an interval is staged at its first position. Otherwise what is staged lies closer
  /// together.
  static MGPU_HOST_DEVICE constexpr int slots(const base::tile_shape& shape) {
    return Sink::fills ? positions(shape) : shape.items_per_tile() / 2 + 1;
  }
  /// For a position: whether an interval begins there, and the slot that it is staged in. For a round: the round's own
  /// slot.
  using mark = cuda::std::conditional_t<Sink::fills, unsigned char, unsigned short>;

  static MGPU_HOST_DEVICE constexpr int staged_bytes(const base::tile_shape& shape) {
    return base::align_up((slots(shape) + rounds(shape)) * int{sizeof(typename Sink::staged)}, tile::word_bytes);
  }
  static MGPU_HOST_DEVICE constexpr int mark_bytes(const base::tile_shape& shape) {
    return base::align_up((positions(shape) + rounds(shape)) * int{sizeof(mark)}, tile::word_bytes);
  }
  static MGPU_HOST_DEVICE constexpr int shared_bytes(const base::tile_shape& shape) {
    return staged_bytes(shape) + mark_bytes(shape) + base::align_up(rounds(shape), tile::word_bytes);
  }

  MGPU_HOST_DEVICE offset size() const { return interval_count + item_count; }

  /// The path that is searched for the split of the tiles that meet at a diagonal: the intervals that begin before it.
  /// The executor chooses who searches: path.find(search).
  MGPU_HOST_DEVICE auto path(offset diagonal) const {
    return tile::load_balance_path<Offsets>{offsets, interval_count, item_count, diagonal};
  }

  MGPU_HOST_DEVICE range between(offset first, offset last, offset first_split, offset last_split) const {
    return range::between(first, last, first_split, last_split);
  }

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE offset begin_of(offset i) const { return static_cast<offset>(offsets[i]); }
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE offset end_of(offset i) const {
    return i + 1 < interval_count ? static_cast<offset>(offsets[i + 1]) : item_count;
  }

  MGPU_HOST_DEVICE void report_bad_input() const {
    if (bad_input.is_asked()) bad_input.raise();
  }

  static constexpr offset host_items_per_tile = tuning::interval_host_items_per_tile;

  /// Checks the offsets of an interval before it visits its items.
  void run(tile::host_thread, const range& t) const {
    if (!t.is_consistent) return report_bad_input();
    offset item = t.item_begin;
    offset i = base::max<offset>(t.interval_begin - 1, 0);
    offset begin = i < t.interval_end ? begin_of(i) : item;
    if (i < t.interval_begin ? begin < 0 || begin > item : begin != item) return report_bad_input();
    for (; i < t.interval_end; ++i) {
      const offset end = end_of(i);
      if (end < item || (end > t.item_end && i + 1 != t.interval_end)) return report_bad_input();
      sink.prefetch(base::min(i + tuning::interval_host_prefetch_distance, interval_count - 1));
      const offset last = base::min(end, t.item_end);
      if (item < last) sink.visit(i, begin, item, last, t.item_end);
      item = last;
      begin = end;
    }
    if (item != t.item_end) report_bad_input();
  }

  template <class Block>
  MGPU_DEVICE void run(Block& block, const range& t) const {
    block.visit_intervals(*this, t);
  }
};

template <class Offsets, class Sink>
MGPU_HOST_DEVICE interval(Offsets, offset, offset, Sink, base::bad_input_flag)->interval<Offsets, Sink>;

}  // namespace detail::core
MGPU_NAMESPACE_END
