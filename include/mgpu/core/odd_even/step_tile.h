// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/core/odd_even/step_pass.h>
#include <mgpu/core/odd_even/steps.h>
#include <mgpu/tile/word.h>

#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// The tiles of a pass that run by steps, in shared memory: a sort of numbers of 4 bytes without values.
template <class Key, class Compare>
struct odd_even_step_tile {
  static_assert(sizeof(Key) == 4 && alignof(Key) == 4);

  Key* keys;  // [count]
  offset count;
  const odd_even_step_pass& pass;
  const Compare& compare;
  Key last;  // stands behind the array's end: it goes before no key, so that it stays there

  /// How many keys a tile has room for, with the padding between them.
  static MGPU_HOST_DEVICE constexpr int room(int items) { return items / 8 * 9; }

  /// Only a pass that begins with groups may be filled up to the smallest tile.
  MGPU_HOST_DEVICE bool is_possible() const {
    return (pass.size_log() == size_log() || pass.kind == odd_even_pass::part::groups) &&
           odd_even_step_job::is_possible(size_log(), bottom_log());
  }

  /// Runs tile `number` in shared memory, which has room() for 2^size_log() keys. Requires: is_possible().
  MGPU_EXEC_CHECK_DISABLE
  template <class Block>
  MGPU_HOST_DEVICE void run(Block& block, offset number, Key* shared) const {
    const int size_log = this->size_log(), size = 1 << size_log;
    const placement at = place(number);
    const int begin = at.before(0, size), end = at.before(count, size);
    if (begin >= end) return;
    odd_even_step_job job{pass.kind, size_log, pass.window_log(), size_log, 0, bottom_log()};
    job.top_log = pass.first_stride_log - (pass.last_stride_log - pass.row_log) + 1;
    if (pass.kind == odd_even_pass::part::between_borders && begins_group(at.position(size / 2))) --job.group_log;
    const odd_even_padding pad = odd_even_step_job::padding(job.bottom_log);
    const elements x{shared, pad, at, begin, end, size};
    load(block, x);
    odd_even_steps<Key, Block::shape.threads>{shared, pad, begin, end}.run(block, job, compare);
    store(block, x);
  }

 private:
  /// Where the keys of a tile lie in the array.
  struct placement {
    offset begin;
    int last_stride_log, row_log, window_log, span_log;

    MGPU_HOST_DEVICE MGPU_FORCE_INLINE offset position(int i) const {
      const int in_window = i & ((1 << window_log) - 1);
      return begin + (offset{i >> window_log} << span_log) + (offset{in_window >> row_log} << last_stride_log) +
             (i & ((1 << row_log) - 1));
    }
    /// How many of the tile's keys lie before a position. Their positions ascend.
    MGPU_HOST_DEVICE int before(offset position, int size) const {
      const offset distance = base::max<offset>(0, position - begin), windows = distance >> span_log;
      const offset in_window = distance - (windows << span_log), rows = in_window >> last_stride_log;
      const offset in_row = base::min(in_window - (rows << last_stride_log), offset{1} << row_log);
      const offset before_in_window = base::min((rows << row_log) + in_row, offset{1} << window_log);
      return static_cast<int>(base::min<offset>(size, (windows << window_log) + before_in_window));
    }
  };

  struct elements {
    Key* keys;
    odd_even_padding pad;
    placement at;
    int begin, end;  // the places that have keys of the array
    int size;
  };

  /// A short array is the beginning of a tile.
  MGPU_HOST_DEVICE int size_log() const { return base::max(pass.size_log(), odd_even_step_job::least_size_log); }
  MGPU_HOST_DEVICE int bottom_log() const { return pass.last_stride_log == 0 ? 0 : pass.row_log; }

  MGPU_HOST_DEVICE placement place(offset number) const {
    // A row of the array is longer than one of a tile: so many tiles take the same rows, each its part of them.
    const int part_log = pass.last_stride_log - pass.row_log;
    const offset part = number & ((offset{1} << part_log) - 1);
    return {pass.begin() + (number >> part_log << (pass.span_log() + pass.windows_log)) + (part << pass.row_log),
            pass.last_stride_log, pass.row_log, pass.window_log(), pass.span_log()};
  }
  /// Whether a group of the array begins in the row of a position.
  MGPU_HOST_DEVICE bool begins_group(offset position) const {
    return (position & ((offset{1} << pass.group_log) - 1)) >> pass.last_stride_log == 0;
  }

  static constexpr int word_items = tile::word_bytes / sizeof(Key);

  /// Calls move_word(tile, array) for this thread's words of a tile. It calls move_one for each key of a word that has
  /// places without keys, or if the array does not begin at a word.
  MGPU_EXEC_CHECK_DISABLE
  template <class Block, class Word, class One>
  MGPU_HOST_DEVICE MGPU_FORCE_INLINE void for_each_word(const Block& block, const elements& x, const Word& move_word,
                                                        const One& move_one) const {
    const bool is_aligned = reinterpret_cast<std::uintptr_t>(keys) % tile::word_bytes == 0;
    MGPU_UNROLL_4
    for (int i = word_items * block.thread(); i < x.size; i += word_items * Block::shape.threads) {
      const offset position = x.at.position(i);
      Key* const in_tile = x.keys + x.pad(i);
      if (is_aligned && i >= x.begin && i + word_items <= x.end) {
        move_word(reinterpret_cast<tile::word*>(in_tile), reinterpret_cast<tile::word*>(keys + position));
      } else {
        for (int k = 0; k < word_items; ++k) {
          if (i + k >= x.begin && i + k < x.end) move_one(in_tile + k, keys + position + k);
        }
      }
    }
  }

  MGPU_EXEC_CHECK_DISABLE
  template <class Block>
  MGPU_HOST_DEVICE void load(Block& block, const elements& x) const {
    for_each_word(
        block, x, [&](tile::word* tile, const tile::word* array) { block.start_copy(tile, array); },
        [&](Key* tile, const Key* array) { block.start_copy(tile, array); });
    for (int i = x.end + block.thread(); i < x.size; i += Block::shape.threads) x.keys[x.pad(i)] = last;
    block.wait_for_copies();
  }

  MGPU_EXEC_CHECK_DISABLE
  template <class Block>
  MGPU_HOST_DEVICE void store(Block& block, const elements& x) const {
    for_each_word(
        block, x, [](const tile::word* tile, tile::word* array) { *array = *tile; },
        [](const Key* tile, Key* array) { *array = *tile; });
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
