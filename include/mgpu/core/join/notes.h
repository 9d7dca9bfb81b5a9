// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How blocks write the rows of a join that do not fit into shared memory. A block notes the left rows of a tile, or of
// a part of it; then each of its warps writes rows of theirs, without waiting for others.

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/core/join/join.h>
#include <mgpu/core/search_sink.h>
#include <mgpu/tile/shared_layout.h>
#include <mgpu/tuning/sorted_search.h>

#include <cuda/std/cstdint>
#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// What a block notes in shared memory. An entry is a left row of a tile that has rows in the part to be written.
struct join_notes {
  unsigned* words;       // [entries], in order
  tile::source* rights;  // [entries], the place in the tile of the first partner
  offset* skipped;       // how many rows of the first entry lie before the part
  int* ends;             // [2], the first and the last entry

  // A word: the place of the left row in the tile, above that whether it has no partner, and above that the row of the
  // part with which it begins.
  static constexpr int left_bits = 13;
  static constexpr unsigned no_partner = 1u << left_bits;
  static constexpr int most_rows = 1 << (32 - left_bits - 1);

  static MGPU_DEVICE int begin_of(unsigned word) { return static_cast<int>(word >> (left_bits + 1)); }
  static MGPU_DEVICE int left_of(unsigned word) { return static_cast<int>(word & (no_partner - 1)); }

  static MGPU_HOST_DEVICE constexpr int words_bytes(int entries) {
    return base::align_up(entries * int{sizeof(unsigned)}, 16);
  }
  /// Of all but the words.
  static MGPU_HOST_DEVICE constexpr int other_bytes(int entries) {
    return 16 + base::align_up(entries * int{sizeof(tile::source)}, 16);
  }
  static MGPU_DEVICE join_notes at(char* words, char* others) {
    join_notes n;
    n.words = reinterpret_cast<unsigned*>(words);
    n.rights = reinterpret_cast<tile::source*>(others + 16);
    n.skipped = reinterpret_cast<offset*>(others);
    n.ends = reinterpret_cast<int*>(n.skipped + 1);
    return n;
  }
};

/// The rows that the entries of a tile stand for, and where they are written.
template <class LeftRows, class RightRows>
struct noted_rows {
  join_notes notes;
  LeftRows left_rows;
  RightRows right_rows;
  offset a_begin, b_begin;  // of the tile

  static constexpr bool writes_arrays = is_array_of_numbers<LeftRows> && is_array_of_numbers<RightRows>;

  template <class Rows>
  using number_of = cuda::std::conditional_t<is_array_of_numbers<Rows>, base::value_type<Rows>, offset>;
  /// No more than 16 bytes of either side: of 32 the lanes would store each half alone, and half a sector at a time.
  /// inner_join of 2^22 rows with each key 64 times into 64-bit rows: 1,132 us, not 2,072 (H200, 2026-11-25).
  static constexpr int rows_at_once =
      base::min<int>(4, 16 / base::max(sizeof(number_of<LeftRows>), sizeof(number_of<RightRows>)));

  /// Which rows of a window are those of a lane: neighbours, which it stores at once, or those at its place among the
  /// lanes.
  struct neighbours {
    static MGPU_DEVICE constexpr int row(int lane, int k) { return lane * rows_at_once + k; }
  };
  struct strided {
    static MGPU_DEVICE constexpr int row(int lane, int k) { return k * 32 + lane; }
  };

  /// Whether a lane may have neighbours: not if it cannot store them at once.
  static MGPU_DEVICE bool may_be_neighbours(const LeftRows& left_rows, const RightRows& right_rows) {
    if constexpr (writes_arrays) return is_aligned<LeftRows>(left_rows) && is_aligned<RightRows>(right_rows);
    else return false;
  }

  /// Writes `count` rows. The first one is row `at` of the result. There is room for `room` entries. The warps take
  /// stretches of windows in turns: so what a block writes at a time lies together.
  template <class Lane, class Block>
  MGPU_DEVICE void write(const Block& block, int room, offset at, int count) const {
    constexpr int window = 32 * rows_at_once, stretch = tuning::join_stretch_windows * window;
    constexpr int stride = Block::shape.threads / 32 * stretch;
    const int lane = block.thread() % 32;
    // Whatever compare answers, entries lie in the room for them.
    const int first_entry = base::clamp(notes.ends[0], 0, room - 1);
    const entries in{*this, first_entry, base::clamp(notes.ends[1], first_entry, room - 1), *notes.skipped};
    int entry = first_entry;  // the first that the warp holds: it begins at the first row of the window or before it
    // Windows begin at multiples in the result.
    for (int first = block.thread() / 32 * stretch - static_cast<int>(at % window); first < count; first += stride) {
      static_assert(stride <= 1 << 14);
      MGPU_UNROLL
      for (int step = 1 << 10; step >= 1; step /= 32)  // an entry for each row, at most, since the warp's last stretch
        entry += step * block.count_of_warp(in.begin(entry + (lane + 1) * step) <= first);
      held_entry held = in.held(entry + lane);
      int passed = 0;  // of the entries held, so many beside the first one begin before the window
      for (int row = first; row < base::min(first + stretch, count); row += window) {
        found_rows<Lane> found;
        const auto begun = [&] { return block.count_of_warp(lane > 0 && held.begin < row + window); };
        int begins = begun();
        found.find(block, held, row, lane, passed, begins, -window);
        while (begins == 31) {
          entry += begins;
          held = in.held(entry + lane);
          begins = begun();
          found.find(block, held, row, lane, 0, begins, block.of_lane(held.begin, 0));
        }
        passed = begins;
        store(found, at, row, lane, count);
      }
    }
  }

 private:
  template <class Rows>
  struct alignas(base::min<int>(16, rows_at_once * sizeof(number_of<Rows>))) numbers {
    number_of<Rows> x[rows_at_once];
  };
  template <class Rows>
  static MGPU_DEVICE bool is_aligned(const Rows& rows) {
    return reinterpret_cast<cuda::std::uintptr_t>(rows) % alignof(numbers<Rows>) == 0;
  }

  /// As lanes give it to others.
  template <class Rows>
  using moved = cuda::std::conditional_t<sizeof(number_of<Rows>) <= sizeof(unsigned), unsigned, offset>;
  /// What one lane holds of an entry.
  struct held_entry {
    int begin;  // its first row, or behind all if it lies behind the last entry
    moved<LeftRows> left;
    moved<RightRows> to_right;  // from the number of a row to its right row
  };

  /// The entries of the part, by number.
  struct entries {
    const noted_rows& all;
    int first, last;
    offset skipped;

    static constexpr int behind_all = 1 << 30;

    MGPU_DEVICE int begin(int number) const {
      return number <= last ? join_notes::begin_of(all.notes.words[number]) : behind_all;
    }
    MGPU_DEVICE held_entry held(int number) const {
      const int own = base::min(number, last);
      const unsigned word = all.notes.words[own];
      const int row = join_notes::begin_of(word);
      const offset partner = all.b_begin + all.notes.rights[own] + (own == first ? skipped : 0);
      const offset right = (word & join_notes::no_partner) == 0 ? partner : no_row;
      return {number <= last ? row : behind_all, static_cast<moved<LeftRows>>(all.a_begin + join_notes::left_of(word)),
              static_cast<moved<RightRows>>(right - row)};
    }
  };

  /// What a lane has found of its rows.
  template <class Lane>
  struct found_rows {
    static constexpr bool are_neighbours = Lane::row(0, 1) == 1;
    numbers<LeftRows> lefts;
    numbers<RightRows> rights;

    /// Finds the rows of the window that begins at `row`, but none before row `least`. Their entries are held by the
    /// lanes [passed, begins].
    template <class Block>
    MGPU_DEVICE void find(const Block& block, const held_entry& held, int row, int lane, int passed, int begins,
                          int least) {
      int from[rows_at_once];  // the lanes with the entries
      // inner_join of 2^19 rows with each key 64 times, us: up to 3 entries looked at one by one 111, up to 4 113; in
      // an earlier form of the loop up to 4 118, always the binary search 131 (H200, 2026-11-25).
      constexpr int few = 3, searched = are_neighbours ? 1 : rows_at_once;
      if (begins <= passed + few && begins <= 31 - few) {
        MGPU_UNROLL
        for (int k = 0; k < searched; ++k) from[k] = passed;
        MGPU_UNROLL
        for (int next = 1; next <= few; ++next) {
          const int begin = block.of_lane(held.begin, passed + next);
          MGPU_UNROLL
          for (int k = 0; k < searched; ++k) from[k] += begin <= row + Lane::row(lane, k) ? 1 : 0;
        }
      } else {
        MGPU_UNROLL
        for (int k = 0; k < searched; ++k) from[k] = lane_of_entry(block, held.begin, row + Lane::row(lane, k));
      }
      MGPU_UNROLL
      for (int k = 0; k < rows_at_once; ++k) {
        const int i = row + Lane::row(lane, k);
        // Behind the last lane it asks the first one, whose entry begins before row i.
        if (k >= searched) from[k] = from[k - 1] + (block.of_lane(held.begin, from[k - 1] + 1) == i ? 1 : 0);
        const auto left = block.of_lane(held.left, from[k]);
        const auto right = block.of_lane(held.to_right, from[k]) + static_cast<moved<RightRows>>(i);
        if (i < least) continue;
        lefts.x[k] = static_cast<number_of<LeftRows>>(left);
        rights.x[k] = static_cast<number_of<RightRows>>(right);
      }
    }

   private:
    /// The last lane whose entry begins at row i or before it.
    template <class Block>
    static MGPU_DEVICE int lane_of_entry(const Block& block, int begin, int i) {
      int lane = 0;
      MGPU_UNROLL
      for (int step = 16; step > 0; step /= 2) lane += block.of_lane(begin, lane + step) <= i ? step : 0;
      return lane;
    }
  };

  template <class Lane>
  MGPU_DEVICE void store(const found_rows<Lane>& found, offset at, int row, int lane, int count) const {
    if constexpr (writes_arrays && found_rows<Lane>::are_neighbours) {
      const int i = row + Lane::row(lane, 0);
      if (0 <= i && i + rows_at_once <= count) {
        *reinterpret_cast<numbers<LeftRows>*>(left_rows + at + i) = found.lefts;
        *reinterpret_cast<numbers<RightRows>*>(right_rows + at + i) = found.rights;
        return;
      }
    }
    MGPU_UNROLL
    for (int k = 0; k < rows_at_once; ++k) {
      const int i = row + Lane::row(lane, k);
      if (i < 0 || i >= count) continue;
      core::write_number(left_rows, at + i, found.lefts.x[k]);
      core::write_number(right_rows, at + i, found.rights.x[k]);
    }
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
