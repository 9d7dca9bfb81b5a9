// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/core/sort/number_bits.h>
#include <mgpu/core/sort/radix_progress.h>
#include <mgpu/tile/block_kinds.h>
#include <mgpu/tile/digit_tile.h>
#include <mgpu/tile/range.h>
#include <mgpu/tuning/sort.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

// A radix sort of few segments, by the bits of numbers, digit by digit from the lowest on. Each segment is cut into
// tiles for itself. It runs on the GPU only.

/// Sorts by all digits in one launch. Blocks take one task after the other. Tasks are taken in the order of steps, so
/// the tasks that one waits for run already.
///   1. The digits of all keys are counted.
///   2. Counts become places: where in the array elements of each digit begin.
///   3. For each digit all elements move to their places: not for a digit that all elements of each segment share.
template <class Bits, class Value>
struct radix_sort {
  using bits = typename Bits::type;
  using word = radix_progress::word;
  static constexpr bool has_values = !cuda::std::is_same_v<Value, base::no_values::value_type>;
  static constexpr int passes = Bits::passes, digits = Bits::digits;

  bits* keys[2];
  Value* values[2];
  offset count;
  offset most_tiles;
  radix_progress progress;

  using block_kind = tile::sorts;
  static constexpr const char* name = "radix sort";  // in a profiler
  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) {
    return tuning::radix_pass(cc, {sizeof(bits), has_values ? int{sizeof(Value)} : 0});
  }
  static constexpr int shared_bytes(const base::tile_shape& s) {
    constexpr int places_bytes = 4 * digits + base::align_up(int{sizeof(tile::digit_tile<bits, Value>)}, 16);
    return own_bytes + places_bytes +
           base::align_up(base::max(s.items_per_tile() * base::max<int>(sizeof(bits), has_values ? sizeof(Value) : 1),
                                    (s.threads / 32 * 256 + 8) * 4),
                          16);
  }

  /// The blocks that have anything to do.
  offset most_blocks() const { return base::max(most_tiles, parts()); }

  template <class Block>
  MGPU_DEVICE void run(Block& block, offset) const {
    auto& own = *reinterpret_cast<shared*>(block.take(own_bytes));
    char* const room = block.take(0);
    for (int i = block.thread(); i < radix_progress::most_stretches; i += Block::shape.threads) {
      own.first_tile[i] = progress.first_tile[i];
      own.begin[i] = progress.begin[i];
      own.end[i] = progress.end[i];
    }
    if (block.thread() == 0) own.step = own.ran = own.moves = 0;
    for (;;) {
      block.sync();  // nobody reads the memory of the last task any more
      // What only one thread has to know, and keeps in shared memory, takes no registers while elements move.
      if (block.thread() == 0) take_task(block, own);
      block.sync();
      block.take_from(room);
      const word step = own.step;
      if (step == moving_step + own.moves) return;
      if (step == counting_step) count_digits(block, own);
      else if (step == scanning_step) scan_digits(block, own);
      else move(block, own, static_cast<int>(step - moving_step));
    }
  }

 private:
  static constexpr word counting_step = 0, scanning_step = 1, moving_step = 2;
  static_assert(moving_step + passes <= radix_progress::most_steps, "each step has a counter");

  struct alignas(16) shared {
    word first_tile[radix_progress::most_stretches], begin[radix_progress::most_stretches],
        end[radix_progress::most_stretches];
    word step, task, ran;  // the task that the block runs, and how many of its step it has run and not told of
    word sums[17];
    word moves;       // steps that move elements, once they are known
    word digit_list;  // which digit each of them is for, 4 bits each
  };
  static constexpr int own_bytes = sizeof(shared);  // what lies behind is aligned, too

  /// The tasks of a step that reads the array in equal parts.
  MGPU_HOST_DEVICE offset parts() const { return base::clamp<offset>(count / 8192, 1, 1024); }
  MGPU_DEVICE word scans() const { return static_cast<word>(progress.stretches * passes); }

  /// Takes a task, and waits until the steps before its own are done. Called by one thread.
  template <class Block>
  MGPU_DEVICE void take_task(Block& block, shared& own) const {
    const auto tasks = static_cast<word>(parts());
    const word tiles = own.first_tile[progress.stretches];
    word step = counting_step, task = block.take_ticket(progress.ticket);
    const auto is_behind = [&](word tasks_of_step) {
      if (task < tasks_of_step) return false;
      task -= tasks_of_step;
      ++step;
      return true;
    };
    const bool moves = is_behind(tasks) && is_behind(scans());
    MGPU_UNROLL_1
    for (bool is_last = !moves;; is_last = true) {
      if (own.step < step) enter(block, own, step);
      if (is_last) break;
      // That moving has begun tells how many steps do so.
      const word number = tiles > 0 ? base::min(task / tiles, own.moves) : own.moves;
      step += number;
      task -= number * tiles;
    }
    own.task = task;
    ++own.ran;
  }

  /// Tells of the tasks that the block has run, and waits until all of the steps before `step` are done.
  template <class Block>
  MGPU_DEVICE void enter(Block& block, shared& own, word step) const {
    if (own.ran > 0) block.tell_done(progress.done + own.step, own.ran);
    own.ran = 0;
    own.step = step;
    if (step == scanning_step) block.wait_for_done(progress.done + counting_step, static_cast<word>(parts()));
    if (step == moving_step) {
      block.wait_for_done(progress.done + scanning_step, scans());
      choose_digits(block, own);
    }
    if (step > moving_step && step < moving_step + own.moves)
      block.wait_for_done(progress.done + step - 1, own.first_tile[progress.stretches]);
  }

  /// Leaves out the digits by which no element moves, but for one if elements would else end in scratch memory. us,
  /// with all digits and without: 2^26 pairs of u32 below 2^16 1,926 and 1,120, below 1,000 1,822 and 1,024, of one key
  /// 1,708 and 109; 2^25 of u64 below 2^32 1,777 and 1,024 (H200, 2026-11-26).
  template <class Block>
  MGPU_DEVICE void choose_digits(const Block& block, shared& own) const {
    word uniform[passes];  // all loads are on their way at a time
    MGPU_UNROLL
    for (int pass = 0; pass < passes; ++pass) uniform[pass] = block.load(progress.uniform + pass);
    word moves = 0, list = 0, left_out = 0;
    MGPU_UNROLL
    for (word pass = 0; pass < passes; ++pass) {
      if (uniform[pass] == static_cast<word>(progress.stretches)) left_out = pass;
      else list |= pass << 4 * moves++;
    }
    if (moves % 2 != 0) list |= left_out << 4 * moves++;
    own.moves = moves;
    own.digit_list = list;
  }

  /// Calls use(i, load(i)) for the positions [begin, end). Several loads of a thread are on their way at a time.
  template <class Block, class Load, class Use>
  static MGPU_DEVICE void for_each(const Block& block, offset begin, offset end, const Load& load, const Use& use) {
    constexpr offset threads = Block::shape.threads;
    constexpr int batch = 8;
    using loaded = decltype(load(begin));
    offset i = begin + block.thread();
    for (; i + (batch - 1) * threads < end; i += batch * threads) {
      loaded x[batch];
      MGPU_UNROLL
      for (int u = 0; u < batch; ++u) x[u] = load(i + u * threads);
      MGPU_UNROLL
      for (int u = 0; u < batch; ++u) use(i + u * threads, x[u]);
    }
    for (; i < end; i += threads) use(i, load(i));
  }

  /// Counts all digits of part `task` of the array, and clears its part of the tiles' counts.
  template <class Block>
  MGPU_DEVICE void count_digits(Block& block, const shared& own) const {
    constexpr int words = passes * digits;
    const offset task = own.task, tasks = parts(), tiles = own.first_tile[progress.stretches];
    const offset clear_end = tiles * digits * (task + 1) / tasks;
    for (offset i = tiles * digits * task / tasks + block.thread(); i < clear_end; i += Block::shape.threads)
      progress.counts[0][i] = 0;
    auto* const counts = reinterpret_cast<word*>(block.take(words * 4));
    const offset own_begin = count * task / tasks, own_end = count * (task + 1) / tasks;
    for (int s = 0; s < progress.stretches; ++s) {
      const offset begin = base::max(own_begin, offset{own.begin[s]});
      const offset end = base::min(own_end, offset{own.end[s]});
      if (begin >= end) continue;
      for (int i = block.thread(); i < words; i += Block::shape.threads) counts[i] = 0;
      block.sync();
      for_each(
          block, begin, end, [&](offset i) { return Bits::in(keys[0][i]); },
          [&](offset, bits x) {
            MGPU_UNROLL
            for (int pass = 0; pass < passes; ++pass)
              block.add(counts + offset{pass} * digits + Bits::digit(x, pass), word{1});
          });
      block.sync();
      word* const to = progress.begins_of(s, 0);
      for (int k = block.thread(); k < words; k += Block::shape.threads) {
        if (counts[k] != 0) block.add(to + k, counts[k]);
      }
      block.sync();
    }
  }

  /// Makes places of the counts of one stretch and digit.
  template <class Block>
  MGPU_DEVICE void scan_digits(Block& block, shared& own) const {
    const int stretch = static_cast<int>(own.task) / passes, pass = static_cast<int>(own.task) % passes;
    word* const counts = progress.begins_of(stretch, pass);
    const bool has_digit = block.thread() < digits;
    const word of_digit = has_digit ? counts[block.thread()] : 0;
    const word before = block.count_before(of_digit, own.sums);
    if (has_digit) counts[block.thread()] = own.begin[stretch] + before;
    const bool is_uniform = block.any(has_digit && of_digit == own.end[stretch] - own.begin[stretch]);
    if (is_uniform && block.thread() == 0) block.add(progress.uniform + pass, word{1});
  }

  /// Moves the elements of a tile to their places by one digit.
  template <class Block>
  MGPU_DEVICE void move(Block& block, const shared& own, int step) const {
    const word number = own.task;
    const int stretch = block.template last_not_above<radix_progress::most_stretches>(own.first_tile, number);
    const int in_stretch = static_cast<int>(number - own.first_tile[stretch]);
    const offset begin = own.begin[stretch] + offset{in_stretch} * Block::shape.items_per_tile();
    const int tile_count = static_cast<int>(base::min<offset>(own.end[stretch] - begin, Block::shape.items_per_tile()));
    const int pass = static_cast<int>(own.digit_list >> 4 * step & 15);
    const bool is_odd = step % 2 != 0;
    bits *const from = is_odd ? keys[1] : keys[0], *const to = is_odd ? keys[0] : keys[1];
    Value* const values_from = is_odd ? values[1] : values[0];
    word *const even = progress.counts[0] + offset{number} * digits, *const odd =
                                                                         progress.counts[1] + offset{number} * digits;
    block.template move_by_digit<Bits, has_values, Value>(
        {from + begin, has_values ? values_from + begin : nullptr, to, is_odd ? values[0] : values[1],
         progress.begins_of(stretch, pass), is_odd ? odd : even, is_odd ? even : odd, in_stretch, tile_count, pass});
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
