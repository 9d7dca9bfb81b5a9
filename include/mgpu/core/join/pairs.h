// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Inner and left joins of the GPU, as a deferring core. The rows are cut into the tiles of a sorted search. A tile
// searches, counts its rows of the result and packs them in shared memory, until their place is known. If more rows
// than fit there come from a tile, it notes its left rows instead, from which its block writes those of the result. A
// tile with many more rows is deferred: blocks of another kernel search it again, and share its rows.

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/core/join/join.h>
#include <mgpu/core/join/notes.h>
#include <mgpu/core/join/shares.h>
#include <mgpu/core/search_sink.h>
#include <mgpu/tile/range.h>
#include <mgpu/tuning/sorted_search.h>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

template <class Left, class Right, class Compare, class LeftRows, class RightRows>
struct deferred_pairs;

/// The join. Without outputs, which are then base::no_values, its rows are only counted.
template <class Left, class Right, class Compare, class LeftRows, class RightRows>
struct join_pairs : join_shares<Left, Right, Compare> {
  using shares = join_shares<Left, Right, Compare>;
  using typename shares::packed_row;
  using typename shares::range;
  using typename shares::share;

  LeftRows left_rows;    // [capacity]
  RightRows right_rows;  // [capacity]
  offset capacity;

  static constexpr const char* name = "join";  // in a profiler

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) {
    constexpr bool is_bulk = base::is_bulk_loadable<Left> && base::is_bulk_loadable<Right>;
    return tuning::join(cc, {{shares::element_bytes, is_bulk, base::is_natural_order<Compare>}});
  }

  MGPU_HOST_DEVICE offset max_size() const { return capacity; }
  /// Limits the rows that are written to those of so many jobs, beside one more of each tile. The executor has no room
  /// for others, which would take days.
  void limit_jobs(offset limit) {
    capacity = base::min(capacity, base::saturated_product(limit, tuning::join_job_rows));
  }
  MGPU_HOST_DEVICE offset size_of_result(offset counted) const { return counted; }

  /// A tile whose rows, or the notes of them, wait in shared memory for their place in the output.
  struct packed_tile {
    char* room;    // of the rows, or of the notes
    offset count;  // of the rows
    int entries;   // how many are noted in place of rows
    offset a_begin, b_begin;

    MGPU_DEVICE join_notes notes() const { return join_notes::at(room, room + join_notes::words_bytes(entries)); }
  };

  /// Counts the rows of this thread's share.
  template <class Block>
  MGPU_DEVICE offset count(Block& block, const range& t) const {
    return shares::count_rows(block, shares::share_of_thread(block, t));
  }

  /// Runs a tile until its rows are packed or noted.
  template <class Block>
  MGPU_DEVICE packed_tile run(Block& block, offset tile, const range& t) const {
    const share s = shares::share_of_thread(block, t);
    const int mine = shares::count_few_rows(block, s);
    packed_tile packed{s.room, 0, 0, t.a_begin, t.b_begin};
    int few;
    const int place = block.place_of(mine, few);
    if (few <= Block::shape.items_per_tile()) {
      packed.count = few;
      shares::pack_rows(block, s, reinterpret_cast<packed_row*>(s.room) + place + mine);
      block.publish_count(tile, packed.count);
    } else {
      offset* const sums = reinterpret_cast<offset*>(block.take(shares::sums_bytes(Block::shape)));
      const offset rows = shares::count_rows(block, s);
      const offset end = block.sum_before(rows, sums, packed.count) + rows;
      block.publish_count(tile, packed.count);
      if (packed.count <= most_noted_rows(block, t)) note_tile(block, s, static_cast<int>(end), sums, packed);
    }
    return packed;
  }

  /// Writes the rows of a tile to their place, unless it is deferred. Returns the end of that place.
  template <class Block>
  MGPU_DEVICE offset store(Block& block, packed_tile& t, offset begin) const {
    if (t.count <= Block::shape.items_per_tile()) {
      const int count = static_cast<int>(base::clamp<offset>(capacity - begin, 0, t.count));
      for (int i = block.thread(); i < count; i += Block::shape.threads) {
        const packed_row row = reinterpret_cast<const packed_row*>(t.room)[i];
        const unsigned right = row >> 16;
        core::write_number(left_rows, begin + i, t.a_begin + static_cast<int>(row & 0xffff));
        core::write_number(right_rows, begin + i,
                           right == shares::no_place ? no_row : t.b_begin + static_cast<int>(right));
      }
    }
    if (t.entries > 0) {
      if (rows_to_write::may_be_neighbours(left_rows, right_rows))
        write_noted<typename rows_to_write::neighbours>(block, t, begin);
      else write_noted<typename rows_to_write::strided>(block, t, begin);
    }
    return base::saturated_sum(begin, t.count);
  }

  /// The core that writes the rows of deferred tiles.
  using deferred = deferred_pairs<Left, Right, Compare, LeftRows, RightRows>;

  /// How many jobs the tile is for that core. Its rows are [begin, begin + count).
  template <class Block>
  MGPU_DEVICE offset deferred_jobs(const Block&, const packed_tile& t, offset begin) const {
    if (t.count <= Block::shape.items_per_tile() || t.entries > 0 || begin >= capacity) return 0;
    return jobs_of(base::min(t.count, capacity - begin));
  }

 protected:
  using rows_to_write = noted_rows<LeftRows, RightRows>;

  static MGPU_DEVICE offset jobs_of(offset rows) { return base::ceil_div(rows, offset{tuning::join_job_rows}); }

  /// Whether the block writes the rows of a noted tile. If not, the tile loses its notes and is deferred: one long tile
  /// among others would keep the block busy when all other blocks have ended.
  template <class Block>
  MGPU_DEVICE bool keeps_notes(const Block& block, packed_tile& t) const {
    constexpr offset items = Block::shape.items_per_tile();
    if (t.count <= tuning::join_rows_of_any_tile * items) return true;
    const offset tiles = base::ceil_div(shares::size(), offset{this->tile_items});
    // Each thread looks at one tile that has been counted.
    const offset rows = block.count_if_known(block.thread() * tiles / Block::shape.threads);
    const int long_ones = block.count_of_block(rows > tuning::join_rows_of_most_tiles * items);
    const bool keeps = 2 * long_ones >= block.count_of_block(rows >= 0);
    if (!keeps && block.thread() == 0) t.entries = 0;
    return keeps;
  }

  /// Not inlined, as other tiles would be slower: 2^26 unique rows of int 584 us, not 569, of int64_t 807, not 782
  /// (H200, 2026-11-25).
  template <class Lane, class Block>
  MGPU_DEVICE MGPU_NO_INLINE_IN_KERNELS void write_noted(const Block& block, packed_tile& t, offset begin) const {
    if (!keeps_notes(block, t)) return;
    const auto count = static_cast<int>(base::clamp<offset>(capacity - begin, 0, t.count));
    const rows_to_write rows{t.notes(), left_rows, right_rows, t.a_begin, t.b_begin};
    rows.template write<Lane>(block, t.entries, begin, count);
  }

  /// At most so many rows of a tile its block writes itself.
  template <class Block>
  MGPU_DEVICE int most_noted_rows(const Block&, const range& t) const {
    constexpr int items = Block::shape.items_per_tile();
    static_assert(items <= 1 << join_notes::left_bits && items * tuning::join_noted_rows <= join_notes::most_rows);
    return t.count() * tuning::join_noted_rows;
  }

  /// Notes all entries of a tile, if they have room where its rows would lie. The rows of this share end at `end`.
  template <class Block>
  MGPU_DEVICE void note_tile(Block& block, const share& s, int end, offset* sums, packed_tile& packed) const {
    constexpr int items = Block::shape.items_per_thread;
    block.sync();  // sums are written again
    const int own = shares::count_entries(s);
    offset all;
    const int entries_end = static_cast<int>(block.sum_before(own, sums, all)) + own;
    const auto entries = static_cast<int>(all);
    if (join_notes::words_bytes(entries) + join_notes::other_bytes(entries) > shares::rows_bytes(Block::shape)) return;
    packed.entries = entries;
    // What is behind a share is behind its last left row, so it is no more than the rows of the tile.
    shares::template note_entries<items>(s, static_cast<int>(s.behind), packed.notes(), end, entries_end,
                                         static_cast<int>(packed.count));
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
