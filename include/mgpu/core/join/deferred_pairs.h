// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/core/join/notes.h>
#include <mgpu/core/join/pairs.h>
#include <mgpu/tuning/sorted_search.h>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// The rows of deferred tiles, in jobs of join_job_rows rows at most, or parts of them. A block notes the left rows of
/// its part once. Then each warp writes rows of it, without waiting for others.
template <class Left, class Right, class Compare, class LeftRows, class RightRows>
struct deferred_pairs : join_pairs<Left, Right, Compare, LeftRows, RightRows> {
  using base_type = join_pairs<Left, Right, Compare, LeftRows, RightRows>;
  using typename base_type::range;
  using typename base_type::share;

  static constexpr const char* name = "long tiles of a join";  // in a profiler

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) {
    base::tile_shape s = base_type::shape(cc);
    s.blocks_per_sm = tuning::join_job_blocks_per_sm(cc);
    return base::fitted(s, cc);
  }
  static constexpr int shared_bytes(const base::tile_shape& shape) {
    return base_type::shared_bytes(shape) + join_notes::other_bytes(shape.items_per_tile());
  }

  /// Into how many parts `jobs` jobs are cut, each, for `blocks` blocks that run at once.
  static MGPU_DEVICE int parts_of_job(offset jobs, int blocks) { return tuning::parts_of_join_job(jobs, blocks); }
  struct job_part {
    int number, of;
  };

  /// Writes the rows of a part of one job of a tile. The tile's rows are [tile_begin, tile_end) of the result.
  template <class Block>
  MGPU_DEVICE void run_job(Block& block, const range& t, offset tile_begin, offset tile_end, offset job,
                           const job_part& part) const {
    constexpr int most_entries = Block::shape.items_per_tile();
    static_assert(tuning::join_job_rows <= join_notes::most_rows);
    const share mine = base_type::share_of_thread(block, t);
    offset* const sums = reinterpret_cast<offset*>(block.take(base_type::sums_bytes(Block::shape)));
    const auto n = join_notes::at(mine.room, block.take(join_notes::other_bytes(most_entries)));
    const offset rows = base_type::count_rows(block, mine);
    constexpr int items = Block::shape.items_per_thread;
    const int entries = base_type::count_entries(mine);
    offset total;
    const offset begin = tile_begin + block.sum_before(rows, sums, total);
    block.sync();  // sums are written again
    const int entries_end = static_cast<int>(block.sum_before(entries, sums, total)) + entries;
    const offset end = base::min(tile_end, this->capacity);
    const offset parts = base_type::jobs_of(end - tile_begin) * part.of;
    const auto part_rows = static_cast<int>(base::ceil_div(end - tile_begin, parts));
    const offset first = tile_begin + (job * part.of + part.number) * part_rows;
    const auto count = static_cast<int>(base::min<offset>(end - first, part_rows));
    const auto note = [&](auto behind, auto rows_end) {
      this->template note_entries<items>(mine, behind, n, rows_end, entries_end, count);
    };
    if (begin < first + count && begin + rows > first) {
      constexpr offset far = 1 << 30;  // most threads need no 64-bit arithmetic
      const offset rows_end = begin + rows - first;
      if (begin - first > -far && rows < far) note(static_cast<int>(mine.behind), static_cast<int>(rows_end));
      else note(mine.behind, rows_end);
    }
    block.sync();
    using noted = noted_rows<LeftRows, RightRows>;
    const noted of_part{n, this->left_rows, this->right_rows, t.a_begin, t.b_begin};
    if (noted::may_be_neighbours(this->left_rows, this->right_rows))
      of_part.template write<typename noted::neighbours>(block, most_entries, first, count);
    else of_part.template write<typename noted::strided>(block, most_entries, first, count);
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
