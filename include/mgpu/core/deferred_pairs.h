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

/// The rows of deferred tiles, in jobs of join_job_rows rows at most, or parts of them. A block notes the left rows of
/// its part once. Then each warp writes rows of it, without waiting for others.
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
    return base_type::shared_bytes(shape) + notes_bytes(shape);
  }

  /// Into how many parts `jobs` jobs are cut, each, for `blocks` blocks that run at once.
  static MGPU_DEVICE int parts_of_job(offset jobs, int blocks) { return tuning::parts_of_join_job(jobs, blocks); }
  struct job_part {
    int number, of;
  };

  /// Writes the rows of a part of one job of a tile, the rows of which are [tile_begin, tile_end) of the result.
  template <class Block>
  MGPU_DEVICE void run_job(Block& block, const range& t, offset tile_begin, offset tile_end, offset job,
                           const job_part& part) const {
    static_assert(Block::shape.items_per_tile() <= 1 << left_bits);
    const share mine = base_type::share_of_thread(block, t);
    offset* const sums = reinterpret_cast<offset*>(block.take(base_type::sums_bytes(Block::shape)));
    const notes n = notes_at(mine.room, block.take(notes_bytes(Block::shape)));
    const offset rows = base_type::count_rows(block, mine);
    const int entries = count_entries<Block::shape.items_per_thread>(mine);
    offset total;
    const offset begin = tile_begin + block.sum_before(rows, sums, total);
    block.sync();
    const int entries_end = static_cast<int>(block.sum_before(entries, sums, total)) + entries;
    const offset end = base::min(tile_end, this->capacity);
    const offset parts = base_type::jobs_of(end - tile_begin) * part.of;
    const auto part_rows = static_cast<int>(base::ceil_div(end - tile_begin, parts));
    const offset first = tile_begin + (job * part.of + part.number) * part_rows;
    const auto count = static_cast<int>(base::min<offset>(end - first, part_rows));
    if (begin < first + count && begin + rows > first) {
      constexpr offset far = 1 << 30;  // most threads need no 64-bit arithmetic
      constexpr int items = Block::shape.items_per_thread;
      if (begin - first > -far && rows < far)
        note_entries<items>(mine, static_cast<int>(mine.behind), n, static_cast<int>(begin + rows - first), entries_end,
                            count);
      else note_entries<items>(mine, mine.behind, n, begin + rows - first, entries_end, count);
    }
    block.sync();
    write(block, t, n, first, count);
  }

 private:
  static constexpr int left_bits = 13;
  static constexpr int window = 128;  // rows that a warp writes at once
  static_assert(tuning::join_job_rows <= 1 << (31 - left_bits - 1));

  /// What a block notes of a job in shared memory. An entry is a left row that has rows in the job. Its word: its place
  /// in the tile, above that whether it has no partner, and above that the row of the job with which it begins.
  struct notes {
    unsigned* words;       // [entries], in order
    tile::source* rights;  // [entries], the place in the tile of the first partner
    offset* skipped;       // how many rows of the first entry lie before the job
    int* ends;             // [2], the first and the last entry of the job
  };
  static constexpr unsigned no_partner = 1u << left_bits;
  static MGPU_HOST_DEVICE constexpr int notes_bytes(const base::tile_shape& shape) {
    return 16 + base::align_up(shape.items_per_tile() * int{sizeof(tile::source)}, 16);
  }
  static MGPU_DEVICE notes notes_at(char* words, char* room) {
    notes n;
    n.words = reinterpret_cast<unsigned*>(words);
    n.rights = reinterpret_cast<tile::source*>(room + 16);
    n.skipped = reinterpret_cast<offset*>(room);
    n.ends = reinterpret_cast<int*>(n.skipped + 1);
    return n;
  }
  static MGPU_DEVICE int begin_of(unsigned word) { return static_cast<int>(word >> (left_bits + 1)); }

  /// How many left rows of a share have rows in the result. If rows are out of order, the last ones may have partners
  /// by `matched` and no row, as nothing is behind them.
  template <int items>
  MGPU_DEVICE int count_entries(const share& s) const {
    const int last = s.behind == 0 ? cuda::std::countl_one(s.passed << (32 - items)) : 0;
    const unsigned without_row = s.matched & ~((1u << (items - last)) - 1);
    return cuda::std::popcount(s.passed & (this->keeps_left ? ~without_row : s.matched & ~without_row));
  }

  /// Notes the entries of a share that have rows in [0, count) of the job. Its rows end at row `end` of the job, its
  /// entries before entry `number`.
  template <int items, class Index>
  MGPU_DEVICE void note_entries(const share& s, Index behind, const notes& n, Index end, int number, int count) const {
    base_type::template for_each_step<items>(s, behind, [&](Index rows, packed_row row) {
      const Index begin = end - rows;
      if (rows > 0) {
        --number;
        if (begin < count && end > 0) {
          const bool has_partner = row >> 16 != base_type::no_place;
          const auto first = static_cast<unsigned>(base::max<Index>(begin, 0));
          n.words[number] = first << (left_bits + 1) | (has_partner ? 0 : no_partner) | (row & 0xffff);
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

  /// Writes the rows of a job, which begins at row `at` of the result. The warps take windows in turns: so what a block
  /// writes at a time lies together.
  template <class Block>
  MGPU_DEVICE void write(const Block& block, const range& t, const notes& n, offset at, int count) const {
    constexpr int group = window / 32, words = window / 32;
    constexpr int most_entries = Block::shape.items_per_tile();
    const int lane = block.thread() % 32;
    // Whatever compare answers, entries lie in the room for them.
    const int first_entry = base::clamp(n.ends[0], 0, most_entries - 1);
    const int last_entry = base::clamp(n.ends[1], first_entry, most_entries - 1);
    const offset skipped = *n.skipped;
    int entry = first_entry;
    unsigned own_word[words], up_to_own[words];
    MGPU_UNROLL
    for (int k = 0; k < words; ++k) {
      own_word[k] = lane * group / 32 == k ? ~0u : 0;
      up_to_own[k] = lane * group / 32 > k ? ~0u : own_word[k] & ((2u << lane * group % 32) - 1);
    }
    const auto left_of = [&](unsigned word) { return t.a_begin + static_cast<int>(word & (no_partner - 1)); };
    const auto right_of = [&](unsigned word, int number, int i) {
      const offset partner =
          t.b_begin + (n.rights[number] - begin_of(word) + i) + (number == first_entry ? skipped : 0);
      return (word & no_partner) == 0 ? partner : no_row;
    };
    bool by_groups = false;
    if constexpr (writes_arrays) by_groups = is_aligned(this->left_rows) && is_aligned(this->right_rows);
    static_assert(Block::shape.threads / 32 * window <= 1024);
    // Windows begin at multiples in the result.
    for (int row = block.thread() / 32 * window - static_cast<int>(at % window); row < count;
         row += Block::shape.threads / 32 * window) {
      MGPU_UNROLL
      for (int step = 32; step >= 1; step /= 32) {  // an entry for each row, at most, since the warp's last window
        const int next = entry + (lane + 1) * step;
        entry += step * block.count_of_warp(next <= last_entry && begin_of(n.words[next]) < row);
      }
      // A bit for each row of the window with which an entry begins, but the first one.
      unsigned heads[words] = {};
      for (int next = entry + 1;; next += 32) {
        const int begin = next + lane <= last_entry ? begin_of(n.words[next + lane]) - row : window;
        if (block.any_of_warp(begin < window)) {
          MGPU_UNROLL
          for (int k = 0; k < words; ++k) heads[k] |= block.bits_of_warp(begin >> 5 == k ? 1u << (begin & 31) : 0);
        }
        if (block.any_of_warp(begin >= window)) break;
      }
      const int first_of_window = entry;
      if constexpr (writes_arrays) {
        if (by_groups) {
          const int i = row + lane * group, bit = lane * group % 32;
          // Without branches and selections, for which the compiler would put the bits into local memory.
          unsigned own = 0;
          int number = first_of_window;
          MGPU_UNROLL
          for (int k = 0; k < words; ++k) {
            own |= heads[k] & own_word[k];
            number += cuda::std::popcount(heads[k] & up_to_own[k]);
          }
          number = base::min(number, last_entry);
          unsigned word = n.words[number];
          numbers<LeftRows> lefts;
          numbers<RightRows> rights;
          MGPU_UNROLL
          for (int k = 0; k < group; ++k) {
            if (k > 0 && (own >> (bit + k) & 1) != 0) {
              number = base::min(number + 1, last_entry);
              word = n.words[number];
            }
            lefts.x[k] = static_cast<base::value_type<LeftRows>>(left_of(word));
            rights.x[k] = static_cast<base::value_type<RightRows>>(right_of(word, number, i + k));
          }
          if (0 <= i && i + group <= count) {
            *reinterpret_cast<numbers<LeftRows>*>(this->left_rows + at + i) = lefts;
            *reinterpret_cast<numbers<RightRows>*>(this->right_rows + at + i) = rights;
          } else {
            MGPU_UNROLL
            for (int k = 0; k < group; ++k) {
              if (i + k < 0 || i + k >= count) continue;
              this->left_rows[at + i + k] = lefts.x[k];
              this->right_rows[at + i + k] = rights.x[k];
            }
          }
          continue;
        }
      }
      int number_before = first_of_window;
      MGPU_UNROLL
      for (int k = 0; k < words; ++k) {
        const int i = row + k * 32 + lane;
        const int number = base::min(number_before + cuda::std::popcount(heads[k] & ((2u << lane) - 1)), last_entry);
        number_before += cuda::std::popcount(heads[k]);
        if (i < 0 || i >= count) continue;
        const unsigned word = n.words[number];
        core::write_number(this->left_rows, at + i, left_of(word));
        core::write_number(this->right_rows, at + i, right_of(word, number, i));
      }
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
