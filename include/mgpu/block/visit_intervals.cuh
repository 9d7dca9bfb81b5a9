// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/tile/block_kinds.h>
#include <mgpu/tile/load_balance.h>
#include <mgpu/tile/word.h>
#include <mgpu/block/block_of.cuh>
#include <mgpu/block/path_block.cuh>

#include <cuda/std/cstdint>

#include <cub/util_ptx.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// Visits one tile of a core::interval. The tile's items are cut into units, whose positions begin at `pad`. A round is
/// what a warp moves at once: 32 * units_per_lane positions.
///
/// Each interval with items in the tile is staged once, and its first position is marked as a head. A position belongs
/// to the interval of the last head up to it. The interval in which a round begins is also staged in the round's own
/// slot. A round that lies completely inside one interval looks for no heads, and may be moved in words.
template <class Core>
class interval_visit {
  static constexpr base::tile_shape shape = Core::shape(MGPU_DEVICE_CC);
  static constexpr int threads = shape.threads, slots = Core::slots(shape);
  using sink = typename Core::sink_type;
  using sink_in_tile = typename sink::in_tile;
  using staged = typename sink::staged;
  using mark = typename Core::mark;
  static constexpr int units_per_item = sink::units_per_item;
  static constexpr int lane_units = sink::units_per_lane;
  static constexpr int round_units = 32 * lane_units;
  static constexpr int group = sink::rounds_at_once;
  static constexpr int margin = sink::moves_words ? lane_units : 0;  // how far words may be read beyond a round

 public:
  MGPU_DEVICE interval_visit(const Core& core, const tile::interval_range& t, char* room)
      : core_(core),
        t_(t),
        sink_(core.sink.at(t.item_begin)),
        end_(sink_.pad + t.item_count() * units_per_item),
        staged_(reinterpret_cast<staged*>(room)),
        marks_(reinterpret_cast<mark*>(room + Core::staged_bytes(shape))),
        is_whole_(reinterpret_cast<unsigned char*>(room + Core::staged_bytes(shape) + Core::mark_bytes(shape))) {}

  /// Call this first. A barrier must follow.
  MGPU_DEVICE void clear(int thread) {
    constexpr int count = (Core::shared_bytes(shape) - Core::staged_bytes(shape)) / tile::word_bytes;
    auto* const words = reinterpret_cast<tile::word*>(marks_);
    MGPU_UNROLL
    for (int i = 0; i < count; i += threads) {
      if (i + thread < count) words[i + thread] = {};
    }
  }

  /// Stages the tile's intervals and the interval in which the tile begins. False if the offsets are found not to
  /// ascend; then nothing may be visited. A barrier must follow.
  MGPU_DEVICE bool stage(int thread) {
    if constexpr (!sink::fills) {
      for (int round = thread; round < Core::rounds(shape); round += threads)
        marks_[Core::positions(shape) + round] = static_cast<mark>(slots + round);
    }
    const bool is_good = stage_begun(thread);
    return thread < threads - 32 ? is_good : stage_before(thread % 32) && is_good;
  }

  MGPU_DEVICE void visit(int thread) {
    const int lane = thread % 32;
    const int rounds = base::ceil_div(end_, round_units);
    if constexpr (sink::fills) {
      for (int round = thread / 32; round < rounds; round += threads / 32) fill(round, lane);
    } else {
      for (int round = thread / 32 * group; round < rounds; round += threads / 32 * group) {
        bool are_whole = true;
        MGPU_UNROLL
        for (int g = 0; g < group; ++g) are_whole &= is_whole_[round + g] != 0;
        if (!are_whole) {
          visit_rows(round, lane);
        } else if constexpr (sink::moves_words) {
          MGPU_UNROLL
          for (int g = 0; g < group; ++g) sink_.move_words(staged_[slots + round + g], (round + g) * round_units, lane);
        } else {
          visit_whole(round, lane);
        }
      }
    }
  }

 private:
  /// Stages the intervals that begin in the tile.
  MGPU_DEVICE bool stage_begun(int thread) {
    constexpr int batch = sink::fills ? 4 : 2;  // intervals that are loaded at once
    const int count = t_.interval_count();
    const auto items = static_cast<cuda::std::uint64_t>(t_.item_count());
    const bool has_very_last = t_.interval_end == core_.interval_count;
    bool is_good = true;
    for (int from = thread; from < count; from += batch * threads) {
      offset begin[batch], end[batch];
      typename sink::fetched fetched[batch];
      MGPU_UNROLL
      for (int k = 0; k < batch; ++k) {
        const int i = from + k * threads;
        if (i < count) {
          begin[k] = core_.begin_of(t_.interval_begin + i);
          end[k] = has_very_last && i == count - 1 ? core_.item_count : core_.begin_of(t_.interval_begin + i + 1);
          sink_.fetch(t_.interval_begin + i, fetched[k]);
        }
      }
      MGPU_UNROLL
      for (int k = 0; k < batch; ++k) {
        const int i = from + k * threads;
        if (i < count) {
          // The next interval checks an end outside the tile, for it is its own beginning. The last interval's end is
          // checked here.
          const auto first = static_cast<cuda::std::uint64_t>(begin[k] - t_.item_begin);
          const auto last = base::min(static_cast<cuda::std::uint64_t>(end[k] - t_.item_begin), items);
          if (first > last || (i == count - 1 && end[k] < t_.item_end)) is_good = false;
          if (is_good && first < last)
            put(i, begin[k], end[k], static_cast<int>(first), static_cast<int>(last), fetched[k]);
        }
      }
    }
    return is_good;
  }

  /// Stages interval number i of the tile. It has items [first, last) of the tile.
  MGPU_DEVICE void put(int i, offset begin, offset end, int first, int last, const typename sink::fetched& fetched) {
    const int position = sink_.pad + first * units_per_item;
    // Of two intervals with items, the later one has a greater number and a greater first item. So half the sum of the
    // two is a slot of its own.
    const int slot = sink::fills ? position : (i + first) / 2 + 1;
    marks_[mark_index(position)] = static_cast<mark>(sink::fills ? 1 : slot);
    staged mine;
    sink_.stage(fetched, t_.interval_begin + i, begin, mine);
    staged_[slot] = mine;
    const int end_position = sink_.pad + last * units_per_item;
    for (int round = base::ceil_div(position, round_units); round * round_units < end_position; ++round)
      put_round(round, mine, begin, end);
  }

  /// Stages the interval that begins before the tile and owns the tile's first items. Called by a whole warp.
  MGPU_DEVICE bool stage_before(int lane) {
    const bool goes_on = t_.interval_count() == 0;
    if (t_.interval_begin == 0) return goes_on ? t_.item_count() == 0 : core_.begin_of(0) == 0;
    const offset interval = t_.interval_begin - 1;
    const offset begin = core_.begin_of(interval), end = core_.end_of(interval);
    typename sink::fetched fetched;
    sink_.fetch(interval, fetched);
    if (begin < 0 || begin > t_.item_begin || end < (goes_on ? t_.item_end : t_.item_begin)) return false;
    staged mine;
    sink_.stage(fetched, interval, begin, mine);
    const int end_position = sink_.pad + static_cast<int>(base::min(end, t_.item_end) - t_.item_begin) * units_per_item;
    for (int round = lane; round * round_units < end_position; round += 32) put_round(round, mine, begin, end);
    return true;
  }

  /// Stages the interval in which a round begins. It has items [begin, end).
  MGPU_DEVICE void put_round(int round, const staged& s, offset begin, offset end) {
    staged_[slots + round] = s;
    const int round_begin = round * round_units - sink_.pad, round_end = round_begin + round_units;
    is_whole_[round] = round_begin >= 0 && round_end <= end_ - sink_.pad &&
                       in_tile(begin) * units_per_item + margin <= round_begin &&
                       round_end + margin <= in_tile(base::min(end, core_.item_count)) * units_per_item;
  }

  /// An item's number in the tile. Items far outside are clamped to just outside.
  MGPU_DEVICE int in_tile(offset item) const {
    return static_cast<int>(
        base::clamp<offset>(item - t_.item_begin, -tile::word_bytes, t_.item_count() + tile::word_bytes));
  }

  /// A lane's marks of one round are neighbours.
  MGPU_DEVICE static int mark_index(int position) {
    if constexpr (sink::fills) return position;
    else return position / round_units * round_units + position % 32 * lane_units + position / 32 % lane_units;
  }

  /// Moves some rounds, each inside one interval, unit by unit.
  MGPU_DEVICE void visit_whole(int round, int lane) {
    constexpr int rows = group * lane_units;
    typename sink::loaded x[rows];
    const int mine = round * round_units + lane;
    const staged* const of_round = staged_ + slots + round;
    MGPU_UNROLL
    for (int k = 0; k < rows; ++k) sink_.load(of_round[k / lane_units], mine, k * 32, x[k]);
    MGPU_UNROLL
    for (int k = 0; k < rows; ++k) sink_.store(of_round[k / lane_units], mine, k * 32, x[k]);
  }

  /// Moves some rounds unit by unit. Neighbouring lanes have neighbouring positions.
  MGPU_DEVICE void visit_rows(int first_round, int lane) {
    constexpr int batch = base::min(lane_units, 8);
    static_assert(group == 1 || batch == lane_units);
    struct alignas(batch * sizeof(mark)) marks {
      mark of[batch];
    };
    const unsigned up_to_mine = ~0u >> (31 - lane);
    const unsigned inside = static_cast<unsigned>(end_ - sink_.pad);
    int last_head = 0;
    MGPU_UNROLL
    for (int row = 0; row < lane_units; row += batch) {
      typename sink::loaded x[group * batch];
      const staged* at[group * batch];
      MGPU_UNROLL
      for (int g = 0; g < group; ++g) {
        const int begin = (first_round + g) * round_units + row;
        const marks mine = reinterpret_cast<const marks&>(marks_[begin + lane * lane_units]);
        if (row == 0) last_head = Core::positions(shape) + first_round + g;
        MGPU_UNROLL
        for (int k = 0; k < batch; ++k) {
          const unsigned heads = __ballot_sync(~0u, mine.of[k] != 0);
          const unsigned mine_up = heads & up_to_mine;
          at[g * batch + k] =
              staged_ +
              marks_[mine_up != 0 ? begin + k + (31 - __clz(static_cast<int>(mine_up))) * lane_units : last_head];
          if (heads != 0) last_head = begin + k + (31 - __clz(static_cast<int>(heads))) * lane_units;
        }
      }
      const int mine = first_round * round_units + row * 32 + lane;
      MGPU_UNROLL
      for (int k = 0; k < group * batch; ++k) {
        const int step = k / batch * round_units + k % batch * 32;
        if (static_cast<unsigned>(mine - sink_.pad + step) < inside) sink_.load(*at[k], mine, step, x[k]);
        else if constexpr (sink::is_cut) x[k] = {};  // otherwise the registers keep what the last batch left in them
      }
      MGPU_UNROLL
      for (int k = 0; k < group * batch; ++k) {
        const int step = k / batch * round_units + k % batch * 32;
        if (static_cast<unsigned>(mine - sink_.pad + step) < inside) sink_.store(*at[k], mine, step, x[k]);
      }
    }
  }

  /// A round of copies. Each lane writes one word.
  MGPU_DEVICE void fill(int round, int lane) {
    using unit = typename sink::loaded;
    struct alignas(tile::word_bytes) units {
      unit of[lane_units];
    };
    struct alignas(lane_units) flags {
      unsigned char of[lane_units];
    };
    const int first = round * round_units + lane * lane_units;
    unit x = staged_[slots + round].units[0];
    units word;
    if (is_whole_[round]) {
      MGPU_UNROLL
      for (int i = 0; i < lane_units; ++i) word.of[i] = x;
      reinterpret_cast<units&>(sink_.out[first]) = word;
      return;
    }
    const flags is_head = reinterpret_cast<const flags&>(marks_[first]);
    word = reinterpret_cast<const units&>(staged_[first]);
    bool has_head = false;
    unit last = x;
    MGPU_UNROLL
    for (int i = 0; i < lane_units; ++i) {
      has_head |= is_head.of[i] != 0;
      last = is_head.of[i] ? word.of[i] : last;
    }
    // The last head of the nearest earlier lane that has one.
    const unsigned before = __ballot_sync(~0u, has_head) & ((1u << lane) - 1);
    const unit carried = cub::ShuffleIndex<32>(last, before != 0 ? 31 - __clz(static_cast<int>(before)) : 0, ~0u);
    if (before != 0) x = carried;
    MGPU_UNROLL
    for (int i = 0; i < lane_units; ++i) word.of[i] = x = is_head.of[i] ? word.of[i] : x;
    if (first >= sink_.pad && first + lane_units <= end_) {
      reinterpret_cast<units&>(sink_.out[first]) = word;
    } else {
      MGPU_UNROLL
      for (int i = 0; i < lane_units; ++i) {
        if (first + i >= sink_.pad && first + i < end_) sink_.out[first + i] = word.of[i];
      }
    }
  }

  const Core& core_;
  const tile::interval_range& t_;
  const sink_in_tile sink_;
  const int end_;                  // behind the last position
  staged* const staged_;           // [slots + rounds]
  mark* const marks_;              // [positions + rounds]
  unsigned char* const is_whole_;  // [rounds]
};

/// A path_block that visits intervals.
template <class Core>
class interval_block : public path_block<Core> {
 public:
  using path_block<Core>::path_block;

  MGPU_DEVICE void visit_intervals(const Core& core, const typename Core::range& t) {
    interval_visit<Core> visit(core, t, this->take(0));
    visit.clear(this->thread());
    this->sync();
    if (__syncthreads_and(t.is_consistent && visit.stage(this->thread()))) {
      visit.visit(this->thread());
    } else if (this->thread() == 0) {
      core.report_bad_input();
    }
  }
};

template <>
struct block_of_kind<tile::visits_intervals> {
  template <class Core>
  using type = interval_block<Core>;
};

}  // namespace detail::block
MGPU_NAMESPACE_END
