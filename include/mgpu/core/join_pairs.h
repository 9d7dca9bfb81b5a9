// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Inner and left joins of the GPU, as a compacting core. The rows are cut into the tiles of a sorted search. A tile
// searches, counts its rows of the result and packs them in shared memory, until their place is known. A tile with more
// rows than fit there is deferred: blocks of another kernel search it again, and share its rows.

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/search_order.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/core/join.h>
#include <mgpu/core/sorted_search.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/tile/range.h>
#include <mgpu/tile/shared_layout.h>
#include <mgpu/tuning/sorted_search.h>

#include <cuda/std/bit>
#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace core {

/// The sink of a search whose steps a join takes itself.
struct no_sink {
  static constexpr bool is_array = false, is_judge = false, is_forward = false;
  static constexpr int bytes = 0;
  using result = offset;
};

/// A row that a thread looks at: in registers, or where it is if copying it runs code.
template <class T, bool = cuda::std::is_trivially_copyable_v<T>>
struct held_row {
  T value;
  MGPU_DEVICE explicit held_row(const T* at) : value(*at) {}
  MGPU_DEVICE const T& operator*() const { return value; }
};
template <class T>
struct held_row<T, false> {
  const T* at;
  MGPU_DEVICE explicit held_row(const T* row) : at(row) {}
  MGPU_DEVICE const T& operator*() const { return *at; }
};

template <class Left, class Right, class Compare, class LeftRows, class RightRows>
struct deferred_pairs;

/// The join. Without outputs, which are then base::no_values, its rows are only counted.
template <class Left, class Right, class Compare, class LeftRows, class RightRows>
struct join_pairs : sorted_search<Left, Right, no_sink, base::lower_bound_order<Compare>> {
  using search = sorted_search<Left, Right, no_sink, base::lower_bound_order<Compare>>;
  using typename search::element;
  using typename search::range;
  using typename search::value;

  base::order<Compare> compare;
  LeftRows left_rows;    // [capacity]
  RightRows right_rows;  // [capacity]
  offset capacity;
  bool keeps_left;  // a left row without partner gives one row

  static constexpr const char* name = "join";  // in a profiler
  static constexpr bool may_be_in_place = false;

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) {
    constexpr bool is_bulk = base::is_bulk_loadable<Left> && base::is_bulk_loadable<Right>;
    return tuning::join(cc, {{search::element_bytes, is_bulk, base::is_natural_order<Compare>}});
  }

  /// Of the left and right rows, or of the rows of the result.
  static MGPU_HOST_DEVICE constexpr int rows_bytes(const base::tile_shape& shape) {
    return base::max(tile::staged_pair_bytes<value, element>(shape, look_ahead),
                     base::align_up(shape.items_per_tile() * int{sizeof(packed_row)}, 16));
  }
  static MGPU_HOST_DEVICE constexpr int sums_bytes(const base::tile_shape& shape) {
    return base::align_up(shape.threads / 32 * int{sizeof(offset)}, 16);
  }
  static MGPU_HOST_DEVICE constexpr int shared_bytes(const base::tile_shape& shape) {
    return rows_bytes(shape) + sums_bytes(shape);
  }

  MGPU_HOST_DEVICE offset max_size() const { return capacity; }
  MGPU_HOST_DEVICE offset size_of_result(offset counted) const { return counted; }
  bool emits_nothing() const { return false; }

  // By a thread of the host: never called.
  offset count(tile::host_thread, const range&) const { return 0; }
  offset run(tile::host_thread, const range&, offset begin, offset) const { return begin; }

  /// A row of the result: the place of its left row in the tile, and above it, in the upper half, that of its right row
  /// or no_place.
  using packed_row = unsigned;
  static constexpr unsigned no_place = 0xffff;

  /// A tile whose rows wait in shared memory for their place in the output.
  struct packed_tile {
    const packed_row* rows;  // [count], if they are not deferred
    offset count;
    offset a_begin, b_begin;
  };

  /// Counts the rows of this thread's share.
  template <class Block>
  MGPU_DEVICE offset count(Block& block, const range& t) const {
    return count_rows(block, share_of_thread(block, t));
  }

  /// Runs a tile until its rows are packed.
  template <class Block>
  MGPU_DEVICE packed_tile run(Block& block, offset tile, const range& t) const {
    const share s = share_of_thread(block, t);
    const int mine = count_few_rows(block, s);
    packed_tile packed{reinterpret_cast<const packed_row*>(s.room), 0, t.a_begin, t.b_begin};
    int few;
    const int place = block.place_of(mine, few);
    if (few <= Block::shape.items_per_tile()) {
      packed.count = few;
      pack_rows(block, s, reinterpret_cast<packed_row*>(s.room) + place + mine);
    } else {
      block.sum_before(count_rows(block, s), reinterpret_cast<offset*>(block.take(sums_bytes(Block::shape))),
                       packed.count);
    }
    block.publish_count(tile, packed.count);
    return packed;
  }

  /// Writes the rows of a tile to their place, unless they are deferred. Returns the end of that place.
  template <class Block>
  MGPU_DEVICE offset store(Block& block, const packed_tile& t, offset begin) const {
    if (t.count <= Block::shape.items_per_tile() && begin >= 0) {
      const int count = static_cast<int>(base::clamp<offset>(capacity - begin, 0, t.count));
      for (int i = block.thread(); i < count; i += Block::shape.threads) {
        const packed_row row = t.rows[i];
        const unsigned right = row >> 16;
        core::write_number(left_rows, begin + i, t.a_begin + static_cast<int>(row & 0xffff));
        core::write_number(right_rows, begin + i, right == no_place ? no_row : t.b_begin + static_cast<int>(right));
      }
    }
    return begin + t.count;
  }

  /// The core that writes the rows of deferred tiles.
  using deferred = deferred_pairs<Left, Right, Compare, LeftRows, RightRows>;

  /// How many jobs the tile is for that core. Its rows are [begin, begin + count).
  template <class Block>
  MGPU_DEVICE offset deferred_jobs(const Block&, offset count, offset begin) const {
    if (count <= Block::shape.items_per_tile() || begin < 0 || begin >= capacity) return 0;
    return jobs_of(base::min(count, capacity - begin));
  }

 protected:
  static MGPU_DEVICE offset jobs_of(offset rows) { return base::ceil_div(rows, offset{tuning::join_job_rows}); }

  /// So many right rows behind a tile are staged too, so that most runs end there.
  static constexpr int look_ahead = 96;
  using inputs = typename search::tile_inputs;

  /// A thread's share of a tile: its steps along the path.
  struct share {
    tile::cursor begin;
    int count;         // of steps
    unsigned passed;   // bit i: step i passes a left row
    unsigned matched;  // bit i: the left row passed last, or by step i, and the next right row are partners
    unsigned goes_on;  // bit i: if step i passes a right row, its run goes on behind step i
    offset behind;     // rows behind the share that go on with the last run
    char* room;        // of the staged rows

    MGPU_DEVICE int lefts() const { return cuda::std::popcount(passed); }
    /// The last left row, if it or right rows behind it have a run that goes on behind the share, and its equals.
    MGPU_DEVICE int last_lefts() const {
      const int last = cuda::std::countl_zero(passed);
      const int equals = cuda::std::countl_one(passed << last);
      return cuda::std::popcount((passed & matched) << last >> (32 - equals));
    }
  };

  template <class Block>
  MGPU_DEVICE share share_of_thread(Block& block, const range& t) const {
    constexpr int items = Block::shape.items_per_thread;
    static_assert(items < 32, "a thread notes its steps in a word");
    tile::range reached = t;
    reached.b_end = base::min(t.b_end + look_ahead, search::element_count);
    char* const room = block.take(0);
    const auto parts =
        block.stage(search::values, search::value_count, search::elements, search::element_count, reached);
    block.take_from(room + rows_bytes(Block::shape));
    block.wait();
    const inputs in{parts.a, parts.b, parts.b, parts.b + reached.b_count()};
    share s{search::begin_of_thread(block, t, in),
            base::clamp(t.count() - block.thread() * items, 0, items),
            0,
            0,
            0,
            0,
            parts.room};
    take_steps<items>(in, s);
    // A run goes on with a right row that is a partner of the left row passed last, if no left row lies between.
    s.goes_on = (s.matched & ~s.passed & ~(s.passed << 1)) >> 1 | (s.count == items ? 1u << (items - 1) : 0);
    s.behind = rows_behind(t, in, s);
    return s;
  }

  /// inner_join as in tuning::join, and of 2^24 rows with each key 4 times, us: loops unrolled 4 times 576 and 424,
  /// once 624 and 452, wholly 670 and 742. One read of either side, from a chosen address, 599 and 435 (2026-11-23).
  template <int items>
  MGPU_DEVICE void take_steps(const inputs& in, share& s) const {
    const value *left = in.a + s.begin.a, *const left_end = in.a + s.begin.a_end;
    const element *right = in.b + s.begin.b, *const right_end = in.b + s.begin.b_end;
    held_row<value> next_left(left), last_left(left);
    held_row<element> next_right(right);
    unsigned bit = 1;
    const auto step = [&](bool is_right, bool may_match) {
      if (!is_right) last_left = next_left;
      if (!is_right) s.passed |= bit;
      if (may_match && !compare(*last_left, *next_right)) s.matched |= bit;
      bit *= 2;
      if (is_right) next_right = held_row<element>(++right);
      else next_left = held_row<value>(++left);
    };
    if (left + items <= left_end && right + items <= right_end) {
      MGPU_UNROLL_4
      for (int i = 0; i < items; ++i) step(search::before(*next_right, *next_left), true);
    } else {
      MGPU_UNROLL_1
      for (int i = 0; i < s.count; ++i) {
        const bool is_right = right < right_end && (left == left_end || search::before(*next_right, *next_left));
        step(is_right, is_right ? s.passed != 0 : right < in.end);
      }
    }
  }

  /// The right rows behind a thread's share that are partners of its last left row, if the run of its partners goes on
  /// there. It may go on behind the tile.
  MGPU_DEVICE offset rows_behind(const range& t, const inputs& in, const share& s) const {
    if (s.passed == 0) return 0;
    const unsigned from_last = ((1u << s.count) - 1) & ~((1u << (31 - cuda::std::countl_zero(s.passed))) - 1);
    if ((s.matched & from_last) != from_last) return 0;
    const value& left = in.a[s.begin.a + s.lefts() - 1];
    const element* const next = in.b + s.begin.b + (s.count - s.lefts());
    const int near = static_cast<int>(in.end - next);
    const int count = tile::partition_point_from(0, near, [&](int i) { return !compare(left, next[i]); });
    const offset end = t.b_begin + static_cast<int>(in.end - in.b);
    if (count < near || end >= search::element_count) return count;
    const auto is_partner = [&](offset i) { return !compare(left, search::elements[i]); };
    return count + tile::partition_point_from(end, search::element_count, is_partner) - end;
  }

  /// Calls visit(rows, row) for the steps of a share, from the last to the first one. So many rows of the result come
  /// from a step: those of a left row, or none. `row` is a packed_row: the left row, and its first partner. `behind` is
  /// that of the share, or less.
  template <int items, class Count, class Visit>
  MGPU_DEVICE void for_each_step(const share& s, Count behind, const Visit& visit) const {
    const Count alone = keeps_left ? 1 : 0;
    // What is behind the last step counts as right rows.
    packed_row row =
        static_cast<packed_row>(s.begin.a + s.lefts()) + (static_cast<packed_row>(s.begin.b + items - s.lefts()) << 16);
    Count run = behind;
    unsigned bit = 1u << items;
    MGPU_UNROLL_4
    for (int i = 0; i < items; ++i) {
      bit /= 2;
      const bool is_left = (s.passed & bit) != 0, has_partner = (s.matched & bit) != 0;
      row -= is_left ? 1u : 1u << 16;
      if (!is_left) run = (s.goes_on & bit) != 0 ? run + 1 : 1;
      const Count rows = has_partner ? run : alone;
      visit(is_left ? rows : Count{0}, has_partner ? row : row | no_place << 16);
    }
  }

  /// As many rows behind a share as a tile that is not deferred may have, and one more.
  template <class Block>
  static MGPU_DEVICE int few_behind(const Block&, const share& s) {
    return static_cast<int>(base::min<offset>(s.behind, Block::shape.items_per_tile() + 1));
  }
  /// The rows that a share gives if no more than these are behind it.
  template <class Block>
  MGPU_DEVICE int count_few_rows(const Block& block, const share& s) const {
    int sum = 0;
    for_each_step<Block::shape.items_per_thread>(s, few_behind(block, s), [&](int rows, packed_row) { sum += rows; });
    return sum;
  }
  template <class Block>
  MGPU_DEVICE offset count_rows(const Block& block, const share& s) const {
    const offset few = count_few_rows(block, s), more = s.behind - few_behind(block, s);
    return more == 0 ? few : few + more * s.last_lefts();
  }

  /// Packs the rows of a share. They end at `to`.
  template <class Block>
  MGPU_DEVICE void pack_rows(const Block& block, const share& s, packed_row* to) const {
    constexpr packed_row one_right = 1u << 16;
    for_each_step<Block::shape.items_per_thread>(s, few_behind(block, s), [&](int rows, packed_row row) {
      to -= rows;
      if (rows > 0) to[0] = row;
      if (rows > 1) to[1] = row + one_right;
      if (rows > 2) to[2] = row + 2 * one_right;
      if (rows > 3) {
        for (int i = 3; i < rows; ++i) to[i] = row + static_cast<packed_row>(i) * one_right;
      }
    });
  }
};

}  // namespace core
MGPU_NAMESPACE_END
