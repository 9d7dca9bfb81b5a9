// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How the threads of a block search a tile of a join, and count its rows of the result.

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/search_order.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/core/join/notes.h>
#include <mgpu/core/sorted_search.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/tile/range.h>
#include <mgpu/tile/shared_layout.h>

#include <cuda/std/bit>
#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// The sink of a search whose steps a join takes itself.
struct no_sink {
  static constexpr bool is_array = false, is_judge = false, is_forward = false, is_counted = true;
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

/// The part of a join that does not depend on its outputs.
template <class Left, class Right, class Compare>
struct join_shares : sorted_search<Left, Right, no_sink, base::lower_bound_order<Compare>> {
  using search = sorted_search<Left, Right, no_sink, base::lower_bound_order<Compare>>;
  using typename search::element;
  using typename search::range;
  using typename search::value;

  base::order<Compare> compare;
  bool keeps_left;  // a left row without partner gives one row
  int tile_items;   // rows of both sides in a tile: those of its shape, or fewer

  /// Chooses tile_items for a GPU of so many multiprocessors: small inputs make two tiles for each nevertheless.
  void choose_tile_items(int threads, int most, int multiprocessors) {
    const offset needed = base::ceil_div(search::size(), offset{2} * multiprocessors);
    const int least = base::min(tuning::least_join_items_per_thread * threads, most);
    tile_items = static_cast<int>(base::clamp<offset>(base::align_up<offset>(needed, threads), least, most));
  }

  /// A row of the result: the place of its left row in the tile, and above it, in the upper half, that of its right row
  /// or no_place.
  using packed_row = unsigned;
  static constexpr unsigned no_place = 0xffff;

  /// Of the left and right rows; then of the rows of the result, or of notes.
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

 protected:
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
    if (false) base::must_compare_on_device<value, element>(compare);
    if (false) base::must_compare_on_device<element, value>(compare);
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
    const int steps = base::ceil_div(t.count(), Block::shape.threads);
    const int first = base::min(block.thread() * steps, t.count());
    share s{search::begin_of_thread(t, in, first), base::min(steps, t.count() - first), 0, 0, 0, 0, parts.room};
    take_steps<items>(in, s);
    // A run goes on with a right row that is a partner of the left row passed last, if no left row lies between.
    s.goes_on = (s.matched & ~s.passed & ~(s.passed << 1)) >> 1 | (~0u << s.count) >> 1;
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
    if (s.count == items && left + items <= left_end && right + items <= right_end) {
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
    // What is behind the last step counts as right rows, up to as many steps as a share may have.
    packed_row row =
        static_cast<packed_row>(s.begin.a + s.lefts()) + (static_cast<packed_row>(s.begin.b + items - s.lefts()) << 16);
    Count run = behind - (items - s.count);
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

  /// As many rows behind a share as a tile whose rows are packed may have, and one more.
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

  /// How many left rows of a share have rows in the result. If rows are out of order, the last ones may have partners
  /// by `matched` and no row, as nothing is behind them.
  MGPU_DEVICE int count_entries(const share& s) const {
    if (s.count == 0) return 0;
    const int last = s.behind == 0 ? cuda::std::countl_one(s.passed << (32 - s.count)) : 0;
    const unsigned without_row = s.matched & ~((1u << (s.count - last)) - 1);
    return cuda::std::popcount(s.passed & (this->keeps_left ? ~without_row : s.matched & ~without_row));
  }

  /// Notes the entries of a share that have rows in [0, count) of a part of the result. The share's rows end at row
  /// `end` of the part, its entries before entry `number`.
  template <int items, class Index>
  MGPU_DEVICE void note_entries(const share& s, Index behind, const join_notes& n, Index end, int number,
                                int count) const {
    for_each_step<items>(s, behind, [&](Index rows, packed_row row) {
      const Index begin = end - rows;
      if (rows > 0) {
        --number;
        if (begin < count && end > 0) {
          const bool has_partner = row >> 16 != no_place;
          const auto first = static_cast<unsigned>(base::max<Index>(begin, 0));
          n.words[number] =
              first << (join_notes::left_bits + 1) | (has_partner ? 0 : join_notes::no_partner) | (row & 0xffff);
          n.rights[number] = static_cast<tile::source>(row >> 16);
          if (begin <= 0) {
            n.ends[0] = number;
            *n.skipped = -static_cast<offset>(begin);
          }
          if (end >= count) n.ends[1] = number;
        }
      }
      end = begin;
    });
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
