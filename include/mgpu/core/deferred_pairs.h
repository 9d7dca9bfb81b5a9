// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/core/join.h>
#include <mgpu/core/join_pairs.h>
#include <mgpu/tile/shared_layout.h>
#include <mgpu/tuning/sorted_search.h>

#include <cuda/std/bit>
#include <cuda/std/cstdint>
#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace core {

/// The rows of deferred tiles, in jobs of join_job_rows rows at most.
template <class Left, class Right, class Compare, class LeftRows, class RightRows>
struct deferred_pairs : join_pairs<Left, Right, Compare, LeftRows, RightRows> {
  using base_type = join_pairs<Left, Right, Compare, LeftRows, RightRows>;
  using typename base_type::packed_row;
  using typename base_type::range;
  using typename base_type::search;
  using typename base_type::share;

  static constexpr const char* name = "long tiles of a join";  // in a profiler

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) {
    base::tile_shape s = base_type::shape(cc);
    s.blocks_per_sm = tuning::join_job_blocks_per_sm;
    return base::fitted(s, cc);
  }
  static constexpr int shared_bytes(const base::tile_shape& shape) {
    return base_type::shared_bytes(shape) + words * int{sizeof(unsigned) + sizeof(source)} + 16;
  }

  /// Writes the rows of one job of a tile, the rows of which begin at `tile_begin`.
  template <class Block>
  MGPU_DEVICE void run_job(Block& block, const range& t, offset tile_begin, offset tile_end, offset job) const {
    const share mine = base_type::share_of_thread(block, t);
    offset* const sums = reinterpret_cast<offset*>(block.take(base_type::sums_bytes(Block::shape)));
    notes n = notes_at(mine.room, block.take(words * int{sizeof(unsigned) + sizeof(source)} + 16));
    const offset rows = base_type::count_rows(block, mine);
    const int entries = count_entries<Block::shape.items_per_thread>(mine);
    offset total;
    const offset begin = tile_begin + block.sum_before(rows, sums, total);
    block.sync();
    const int entries_end = static_cast<int>(block.sum_before(entries, sums, total)) + entries;
    const offset first = tile_begin + job * tuning::join_job_rows;
    const offset last = base::min(base::min(tile_end, this->capacity), first + tuning::join_job_rows);
    for (offset at = first / chunk_rows * chunk_rows; at < last; at += chunk_rows) {
      const int low = static_cast<int>(base::max<offset>(first - at, 0));
      const int high = static_cast<int>(base::min<offset>(last - at, chunk_rows));
      for (int i = block.thread(); i < words; i += Block::shape.threads) n.heads[i] = 0;
      block.sync();
      if (begin - at < high && begin + rows - at > low) {
        constexpr offset far = 1 << 30;  // most threads need no 64-bit arithmetic
        constexpr int items = Block::shape.items_per_thread;
        if (begin - at > -far && rows < far)
          note_entries<items>(mine, static_cast<int>(mine.behind), n, static_cast<int>(begin + rows - at), entries_end,
                              low, high);
        else note_entries<items>(mine, mine.behind, n, begin + rows - at, entries_end, low, high);
      }
      block.sync();
      write(block, t, n, at, low, high);
      block.sync();
    }
  }

 private:
  using source = tile::source;
  static constexpr int chunk_rows = tuning::join_chunk_rows;
  static constexpr int words = chunk_rows / 32;
  static_assert(chunk_rows <= 1 << 15 && tuning::join_job_rows % chunk_rows == 0);

  /// A left row that has rows in the result.
  struct entry {
    source row;                // its number in the tile; no_partner more if it has none
    cuda::std::int16_t shift;  // from a row of the chunk to the place of the right row in the tile
  };
  static constexpr int no_partner = 1 << 15;

  /// What a block notes of a chunk in shared memory.
  struct notes {
    entry* entries;      // of the tile, in order
    unsigned* heads;     // [words], a bit for each row of the chunk with which an entry begins
    source* entries_at;  // [words], the entry of every 32nd row of the chunk
    offset* skipped;     // how many rows of the chunk's first entry lie before the chunk
    int* first_entry;    // of the chunk
  };
  static MGPU_DEVICE notes notes_at(char* entries, char* room) {
    notes n;
    n.entries = reinterpret_cast<entry*>(entries);
    n.skipped = reinterpret_cast<offset*>(room);
    n.first_entry = reinterpret_cast<int*>(n.skipped + 1);
    n.heads = reinterpret_cast<unsigned*>(room + 16);
    n.entries_at = reinterpret_cast<source*>(n.heads + words);
    return n;
  }

  /// How many left rows of a share have rows in the result. If rows are out of order, the last ones may have partners
  /// by `matched` and no row, as nothing is behind them.
  template <int items>
  MGPU_DEVICE int count_entries(const share& s) const {
    const int last = s.behind == 0 ? cuda::std::countl_one(s.passed << (32 - items)) : 0;
    const unsigned without_row = s.matched & ~((1u << (items - last)) - 1);
    return cuda::std::popcount(s.passed & (this->keeps_left ? ~without_row : s.matched & ~without_row));
  }

  /// Notes the entries of a share that have rows in [low, high) of the chunk. Its rows end at row `end` of the chunk,
  /// its entries before entry `number`.
  template <int items, class Index>
  MGPU_DEVICE void note_entries(const share& s, Index behind, const notes& n, Index end, int number, int low,
                                int high) const {
    base_type::template for_each_step<items>(s, behind, [&](Index rows, packed_row row) {
      const Index begin = end - rows;
      if (rows > 0) {
        --number;
        if (begin < high && end > low) {
          const int last = static_cast<int>(base::min<Index>(end, high));
          const bool has_partner = row >> 16 != base_type::no_place;
          const int first = static_cast<int>(base::max<Index>(begin, 0));
          n.entries[number] = {static_cast<source>((row & 0xffff) + (has_partner ? 0 : no_partner)),
                               static_cast<cuda::std::int16_t>(static_cast<int>(row >> 16) - first)};
          if (begin <= low) {
            *n.first_entry = number;
            *n.skipped = first - begin;
          }
          const int from = begin <= low ? low / 32 * 32 : first;
          if (from % 32 != 0) atomicOr(n.heads + from / 32, 1u << from % 32);
          for (int i = base::ceil_div(from, 32); i * 32 < last; ++i) n.entries_at[i] = static_cast<source>(number);
        }
      }
      end = begin;
    });
  }

  /// Writes rows [low, high) of a chunk, which begins at row `at` of the result.
  template <class Block>
  MGPU_DEVICE void write(const Block& block, const range& t, const notes& n, offset at, int low, int high) const {
    constexpr int group = 4;
    const int first_entry = *n.first_entry;
    const offset skipped = *n.skipped;
    const auto entry_of = [&](int i) {
      const int wanted = n.entries_at[i / 32] + cuda::std::popcount(n.heads[i / 32] & ((2u << i % 32) - 1));
      return base::min(wanted, Block::shape.items_per_tile() - 1);  // whatever compare answers
    };
    const auto left_of = [&](const entry& e) { return t.a_begin + (e.row & (no_partner - 1)); };
    const auto right_of = [&](const entry& e, int number, int i) {
      const offset partner = t.b_begin + i + e.shift + (number == first_entry ? skipped : 0);
      return (e.row & no_partner) == 0 ? partner : no_row;
    };
    if constexpr (writes_arrays) {
      if (is_aligned(this->left_rows) && is_aligned(this->right_rows)) {
        for (int i = (low / group + block.thread()) * group; i < high; i += Block::shape.threads * group) {
          const unsigned heads = n.heads[i / 32];
          int number = entry_of(i);
          entry e = n.entries[number];
          numbers<LeftRows> lefts;
          numbers<RightRows> rights;
          MGPU_UNROLL
          for (int k = 0; k < group; ++k) {
            if (k > 0 && (heads >> (i + k) % 32 & 1) != 0) {
              number = base::min(number + 1, Block::shape.items_per_tile() - 1);
              e = n.entries[number];
            }
            lefts.x[k] = static_cast<base::value_type<LeftRows>>(left_of(e));
            rights.x[k] = static_cast<base::value_type<RightRows>>(right_of(e, number, i + k));
          }
          if (low <= i && i + group <= high) {
            *reinterpret_cast<numbers<LeftRows>*>(this->left_rows + at + i) = lefts;
            *reinterpret_cast<numbers<RightRows>*>(this->right_rows + at + i) = rights;
          } else {
            MGPU_UNROLL
            for (int k = 0; k < group; ++k) {
              if (i + k < low || i + k >= high) continue;
              this->left_rows[at + i + k] = lefts.x[k];
              this->right_rows[at + i + k] = rights.x[k];
            }
          }
        }
        return;
      }
    }
    for (int i = low + block.thread(); i < high; i += Block::shape.threads) {
      const int number = entry_of(i);
      const entry e = n.entries[number];
      core::write_number(this->left_rows, at + i, left_of(e));
      core::write_number(this->right_rows, at + i, right_of(e, number, i));
    }
  }

  static constexpr bool writes_arrays = is_array_of_numbers<LeftRows> && is_array_of_numbers<RightRows>;

  /// Neighbouring numbers that are written at once.
  template <class Rows>
  struct alignas(base::min<int>(16, 4 * sizeof(base::value_type<Rows>))) numbers {
    base::value_type<Rows> x[4];
  };
  template <class Rows>
  static MGPU_DEVICE bool is_aligned(const Rows& rows) {
    return reinterpret_cast<cuda::std::uintptr_t>(rows) % alignof(numbers<Rows>) == 0;
  }
};

}  // namespace core
MGPU_NAMESPACE_END
