// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/search_order.h>
#include <mgpu/core/join/join.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/tile/host/interleaved_search.h>
#include <mgpu/tile/range.h>
#include <mgpu/tile/value_cut.h>
#include <mgpu/tuning/sorted_search.h>

#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// Inner and left joins of the CPU, as a compacting core whose diagonals are tiles of left rows: each emits the rows of
/// its left rows. A thread alone then reads its inputs once and needs no memory for counts: see exec/host/compaction.h
/// and tile/value_cut.h. As tiles are not divided, all calls cut a join alike, however many threads they have: if the
/// inputs are not sorted, a call that writes would else find other rows than one that counts. Without outputs, which
/// are then base::no_values, rows are only counted.
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
  static constexpr offset host_items_per_tile = 1;
  static constexpr offset tile_rows = tuning::join_host_rows_per_tile;

  offset size() const { return base::ceil_div(left_count, tile_rows); }
  offset max_size() const { return capacity; }

  using split = offset;  // right rows before a left row
  using range = tile::range;

  auto path(offset number) const {
    return tile::value_border<Left, Right, base::lower_bound_order<Compare>>{
        left, right, left_count, right_count, number * tile_rows, is_before};
  }
  range between(offset first, offset last, offset first_split, offset last_split) const {
    return tile::range_of_values(first * tile_rows, base::min(last * tile_rows, left_count), first_split, last_split);
  }

  offset count(tile::host_thread, const range& t) const {
    offset rows = 0, rows_of_few = 0;
    for_each_part(t, [&](const range& part, const tile::source* begins) {
      const int least = keeps_left ? 1 : 0;
      visit_rows(
          part, begins, [&](int, int count) { rows_of_few += base::max(count, least); },
          [&](int i, offset end) { rows = base::saturated_sum(rows, end - (part.b_begin + begins[i])); });
    });
    return base::saturated_sum(rows, rows_of_few);
  }

  /// Writes a tile's rows from `begin` to at most `end`. Returns the end of the output.
  offset run(tile::host_thread, const range& t, offset begin, offset end) const {
    for_each_part(t, [&](const range& part, const tile::source* begins) {
      writer out(*this, part, begin, end);
      visit_rows(
          part, begins, [&](int i, int count) { out.put(i, begins[i], count); },
          [&](int i, offset run_end) { out.put_run(i, begins[i], run_end); });
      out.flush();
      begin = out.at;
    });
    return begin;
  }

 private:
  bool is_partner(offset left_row, offset right_row) const { return is_not_after(right[right_row], left[left_row]); }

  /// Calls f(part, begins) for the parts of a tile. begins[i] right rows of the part come before its left row i.
  template <class Function>
  void for_each_part(const range& t, const Function& f) const {
    tile::source begins[tile_rows];
    const auto comes_before = [this](offset i, offset row) { return is_before(right[i], left[row]); };
    tile::for_each_search_part(t, comes_before, [&](const range& part) {
      const tile::host_search<Left, Right, base::lower_bound_order<Compare>> search{left,   right,        is_before,
                                                                                    begins, part.a_begin, part.b_begin};
      search.run_interleaved(part, std::make_index_sequence<tuning::search_host_lanes>{});
      f(part, begins);
    });
  }

  /// Calls few(i, count) for each left row i of a part that has `count` partners, at most two, and many(i, end) for the
  /// others, whose partners end before right row `end`: behind the part, too. Most have few. So three right rows are
  /// read at once, with one branch for all of them. Equal left rows have the same partners.
  template <class Few, class Many>
  void visit_rows(const range& t, const tile::source* begins, const Few& few, const Many& many) const {
    const bool can_read_three = t.b_end + 2 < right_count;
    offset run_begin = 0, run_end = 0;
    for (int i = 0; i < t.a_count(); ++i) {
      const offset row = t.a_begin + i, begin = t.b_begin + begins[i];
      if (can_read_three) {
        const bool has_one = is_partner(row, begin), has_two = has_one & is_partner(row, begin + 1);
        if (!(has_two & is_partner(row, begin + 2))) {
          few(i, int{has_one} + int{has_two});
          continue;
        }
      }
      if (begin != run_begin || run_begin == run_end) {
        run_begin = begin;
        run_end = tile::partition_point_from(begin, right_count, [&](offset k) { return is_partner(row, k); });
      }
      if (run_end - begin <= 2) few(i, static_cast<int>(run_end - begin));
      else many(i, run_end);
    }
  }

  /// Writes the rows of a part. Those of short runs are first noted by their places in the part, two at a time without
  /// a branch that depends on how many there are.
  struct writer {
    const join_tiles& j;
    const range& t;
    offset at, end;
    int noted = 0;
    int lefts[256], rights[256];

    static constexpr int none = -1, longest_noted = 32;

    writer(const join_tiles& join, const range& part, offset begin, offset limit)
        : j(join), t(part), at(begin), end(limit) {}

    /// Notes the rows of left row i with at most longest_noted partners.
    MGPU_FORCE_INLINE void put(int i, int first, int count) {
      if (noted > 256 - longest_noted) flush();
      lefts[noted] = lefts[noted + 1] = i;
      rights[noted] = count > 0 ? first : none;
      rights[noted + 1] = first + 1;
      for (int k = 2; k < count; ++k) {
        lefts[noted + k] = i;
        rights[noted + k] = first + k;
      }
      noted += base::max(count, j.keeps_left ? 1 : 0);
    }
    void put_run(int i, int first, offset run_end) {
      const offset begin = t.b_begin + first;
      if (run_end - begin <= longest_noted) return put(i, first, static_cast<int>(run_end - begin));
      flush();
      const offset count = base::min(run_end - begin, end - at);
      for (offset k = 0; k < count; ++k) core::write_number(j.left_rows, at + k, t.a_begin + i);
      for (offset k = 0; k < count; ++k) core::write_number(j.right_rows, at + k, begin + k);
      at += count;
    }
    void flush() {
      const int count = static_cast<int>(base::min<offset>(noted, end - at));
      for (int k = 0; k < count; ++k) core::write_number(j.left_rows, at + k, t.a_begin + lefts[k]);
      for (int k = 0; k < count; ++k)
        core::write_number(j.right_rows, at + k, rights[k] == none ? no_row : t.b_begin + rights[k]);
      at += count;
      noted = 0;
    }
  };
};

}  // namespace detail::core
MGPU_NAMESPACE_END
