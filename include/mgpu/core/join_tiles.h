// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/search_order.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/core/join.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/tile/interleaved_search.h>
#include <mgpu/tile/range.h>
#include <mgpu/tile/value_cut.h>
#include <mgpu/tuning/sorted_search.h>

#include <limits>
#include <utility>

MGPU_NAMESPACE_BEGIN
namespace core {

/// Inner and left joins of the CPU, as a compacting core whose diagonals are left rows: each tile emits the rows of its
/// left rows. A thread alone then reads its inputs once and needs no memory for counts: see exec/host/tiles.h and
/// tile/value_cut.h. Without outputs, which are then base::no_values, rows are only counted.
template <class Left, class Right, class LeftRows, class RightRows, class Compare>
struct join_tiles {
  Left left;    // [left_count], sorted
  Right right;  // [right_count], sorted
  offset left_count, right_count;
  base::lower_bound_order<Compare> is_before;
  base::upper_bound_order<Compare> is_not_after;
  LeftRows left_rows;    // [capacity]
  RightRows right_rows;  // [capacity]
  offset capacity;
  bool keeps_left;  // a left row without partner gives one row

  static constexpr const char* name = "join";  // in a profiler
  static constexpr offset host_items_per_tile = tuning::join_host_rows_per_tile;
  static constexpr bool may_be_in_place = false;
  struct packed_tile {};

  // The GPU has no such tiles.
  static constexpr base::tile_shape shape(int) { return {32, 1, 1, 1}; }
  static constexpr int shared_bytes(const base::tile_shape&) { return 0; }

  offset size() const { return left_count; }
  offset max_size() const { return capacity; }
  bool emits_nothing() const { return left_count == 0; }

  using split = offset;  // right rows before a left row
  using range = tile::range;

  auto path(offset row) const {
    return tile::value_border<Left, Right, base::lower_bound_order<Compare>>{left,        right, left_count,
                                                                             right_count, row,   is_before};
  }
  template <class Search>
  split find_split(offset row, const Search& search) const {
    return path(row).find(search);
  }
  range between(offset first, offset last, offset first_split, offset last_split) const {
    return tile::range_of_values(first, last, first_split, last_split);
  }

  offset count(tile::host_thread, const range& t) const {
    offset rows = 0;
    partners p;
    for_each_part(t, [&](const range& part) { rows += count_part(part, p); });
    return rows;
  }

  /// Writes a tile's rows from `begin` to at most `end`. Returns the end of the output.
  offset run(tile::host_thread, const range& t, offset begin, offset end) const {
    partners p;
    for_each_part(t, [&](const range& part) { begin = write_part(part, p, begin, end); });
    return begin;
  }

 private:
  static constexpr int most_buffered = 64;

  template <class Function>
  void for_each_part(const range& t, const Function& f) const {
    tile::for_each_search_part(
        t, [this](offset i, offset row) { return is_before(right[i], left[row]); }, f);
  }

  /// The partners of each left row of a part, by their places in the part. Those of the last left rows may lie behind
  /// the part, too: of `first_open` and the rows after it they end at `open_end`.
  struct partners {
    tile::source begin[host_items_per_tile], end[host_items_per_tile];
    int first_open;
    offset open_end;

    void find(const join_tiles& j, const range& t) {
      const auto lanes = std::make_index_sequence<tuning::search_host_lanes>{};
      const tile::host_search<Left, Right, base::lower_bound_order<Compare>> lower{j.left, j.right,   j.is_before,
                                                                                   begin,  t.a_begin, t.b_begin};
      const tile::host_search<Left, Right, base::upper_bound_order<Compare>> upper{j.left, j.right,   j.is_not_after,
                                                                                   end,    t.a_begin, t.b_begin};
      lower.run_interleaved(t, lanes);
      upper.run_interleaved(t, lanes);
      const auto is_open = [&](int i) { return end[i] == t.b_count() && j.is_partner(t.a_begin + i, t.b_end); };
      first_open = t.a_count();
      open_end = t.b_end;
      if (t.b_end == j.right_count) return;
      while (first_open > 0 && is_open(first_open - 1)) --first_open;
      if (first_open == t.a_count()) return;
      const offset row = t.a_begin + first_open;
      open_end = tile::partition_point(t.b_end, j.right_count, [&](offset i) { return j.is_partner(row, i); });
    }
  };

  offset count_part(const range& t, partners& p) const {
    p.find(*this, t);
    const offset least = keeps_left ? 1 : 0;
    offset rows = 0;
    for (int i = 0; i < p.first_open; ++i) rows += base::max<offset>(p.end[i] - p.begin[i], least);
    for (int i = p.first_open; i < t.a_count(); ++i) rows += p.open_end - (t.b_begin + p.begin[i]);
    return rows;
  }

  offset write_part(const range& t, partners& p, offset begin, offset end) const {
    p.find(*this, t);
    writer out(*this, t, begin, end);
    for (int i = 0; i < p.first_open; ++i) {
      const int count = p.end[i] - p.begin[i];
      if (count > most_buffered) {
        out.write_run(t.a_begin + i, t.b_begin + p.begin[i], t.b_begin + p.end[i]);
      } else {
        out.put(i, p.begin[i], count, keeps_left);
      }
    }
    for (int i = p.first_open; i < t.a_count(); ++i) out.write_run(t.a_begin + i, t.b_begin + p.begin[i], p.open_end);
    out.flush();
    return out.at;
  }

  bool is_partner(offset left_row, offset right_row) const { return is_not_after(right[right_row], left[left_row]); }

  /// Writes rows. Short runs are first noted by their places in the tile, two rows at a time without a branch that
  /// depends on how many there are.
  struct writer {
    const join_tiles& j;
    const range& t;
    offset at, end;
    int noted = 0;
    tile::source lefts[4 * most_buffered], rights[4 * most_buffered];

    static constexpr tile::source none = std::numeric_limits<tile::source>::max();

    writer(const join_tiles& join, const range& tile, offset begin, offset limit)
        : j(join), t(tile), at(begin), end(limit) {}

    MGPU_FORCE_INLINE void put(int row, int first, int count, bool is_kept) {
      if (noted > 3 * most_buffered - 2) flush();
      const bool is_alone = count <= 0;
      lefts[noted] = lefts[noted + 1] = static_cast<tile::source>(row);
      rights[noted] = is_alone ? none : static_cast<tile::source>(first);
      rights[noted + 1] = static_cast<tile::source>(first + 1);
      for (int i = 2; i < count; ++i) {
        lefts[noted + i] = static_cast<tile::source>(row);
        rights[noted + i] = static_cast<tile::source>(first + i);
      }
      noted += is_alone ? int{is_kept} : count;
    }
    void flush() {
      const int count = static_cast<int>(base::min<offset>(noted, end - at));
      for (int i = 0; i < count; ++i) core::write_number(j.left_rows, at + i, t.a_begin + lefts[i]);
      for (int i = 0; i < count; ++i) {
        core::write_number(j.right_rows, at + i, rights[i] == none ? no_row : t.b_begin + rights[i]);
      }
      at += count;
      noted = 0;
    }
    void write_run(offset row, offset first, offset last) {
      flush();
      for (; first < last && at < end; ++first, ++at) {
        core::write_number(j.left_rows, at, row);
        core::write_number(j.right_rows, at, first);
      }
    }
  };
};

}  // namespace core
MGPU_NAMESPACE_END
