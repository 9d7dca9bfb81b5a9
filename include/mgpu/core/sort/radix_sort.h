// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/raise_bad_input_flag.h>
#include <mgpu/core/sort/number_bits.h>
#include <mgpu/tile/range.h>
#include <mgpu/tuning/sort.h>

#include <cuda/std/cstdint>
#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace core {

// A radix sort of few segments, by the bits of numbers, digit by digit from the lowest on. Each segment is cut into
// tiles for itself. It runs on the GPU only.

/// What the steps of a radix sort share, in device memory. A stretch is what lies between two bounds: a segment, or a
/// gap, which has no tiles.
struct radix_progress {
  using word = cuda::std::uint32_t;
  static constexpr int digits = 256;
  static constexpr int most_stretches = 128;

  word* first_tile;  // [most_stretches], of each stretch; ~0 behind the last stretch
  word* begin;       // [stretches + 1], of each stretch, and the end of the last
  word* end;         // [stretches]
  word* tickets;     // [passes], tiles taken
  word* begins;      // [stretches][passes][digits], elements with each digit, then where they begin
  word* counts[2];   // [tiles][digits], of each tile, in even passes and odd ones
  int stretches;
  int passes;

  MGPU_HOST_DEVICE word* begins_of(int stretch, int pass) const {
    return begins + (offset{stretch} * passes + pass) * digits;
  }
};

/// Finds the tiles of all stretches, and clears counters. The bounds are checked here: the others rely on it.
template <class Segments>
struct prepare_radix_sort {
  Segments segments;
  base::bad_input_flag bad_segments;
  radix_progress progress;
  int items_per_tile;
  cuda::std::uint64_t* cleared;  // the counters

  MGPU_HOST_DEVICE void operator()(offset i) const {
    cleared[2 * i] = 0;
    cleared[2 * i + 1] = 0;
    if (i >= radix_progress::most_stretches) return;
    const int stretch = static_cast<int>(i);
    using word = radix_progress::word;
    word tiles = 0;
    const bool sound = segments.is_sound();
    for (int s = 0; s < base::min(stretch, progress.stretches); ++s) tiles += sound ? tiles_of(s) : 0;
    progress.first_tile[stretch] = stretch <= progress.stretches ? tiles : ~word{0};
    if (stretch < progress.stretches) {
      progress.begin[stretch] = static_cast<word>(sound ? segments.stretch_begin(stretch) : 0);
      progress.end[stretch] = static_cast<word>(sound ? segments.stretch_end(stretch) : 0);
    }
    if (i == 0 && !sound && bad_segments.is_asked()) bad_segments.raise();
  }

 private:
  MGPU_HOST_DEVICE radix_progress::word tiles_of(int s) const {
    using word = radix_progress::word;  // a division of 32 bits takes a fraction of the instructions
    const auto elements = static_cast<word>(segments.stretch_end(s) - segments.stretch_begin(s));
    return base::ceil_div(elements, static_cast<word>(items_per_tile));
  }
};

/// Counts the digits of all keys. Each tile has an equal part of the array.
template <class Bits>
struct count_digits {
  using bits = typename Bits::type;
  const bits* keys;
  offset count;
  offset tiles;
  radix_progress progress;

  static constexpr const char* name = "count digits";  // in a profiler
  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int) { return {512, 8, 2, 0}; }
  static constexpr int shared_bytes(const base::tile_shape&) { return Bits::passes * Bits::digits * 4; }

  void run(tile::host_thread, offset number) const;

  template <class Block>
  MGPU_DEVICE void run(Block& block, offset number) const {
    constexpr int words = Bits::passes * Bits::digits;
    auto* const counts = reinterpret_cast<radix_progress::word*>(block.take(words * 4));
    const offset own_begin = count * number / tiles, own_end = count * (number + 1) / tiles;
    for (int s = 0; s < progress.stretches; ++s) {
      const offset begin = base::max(own_begin, offset{progress.begin[s]});
      const offset end = base::min(own_end, offset{progress.end[s]});
      if (begin >= end) continue;
      for (int i = block.thread(); i < words; i += Block::shape.threads) counts[i] = 0;
      block.sync();
      constexpr int batch = Block::shape.items_per_thread;
      offset i = begin + block.thread();
      for (; i + (batch - 1) * Block::shape.threads < end; i += batch * Block::shape.threads) {
        bits key[batch];
        MGPU_UNROLL
        for (int u = 0; u < batch; ++u) key[u] = keys[i + u * Block::shape.threads];
        MGPU_UNROLL
        for (int u = 0; u < batch; ++u) count_key(block, counts, key[u]);
      }
      for (; i < end; i += Block::shape.threads) count_key(block, counts, keys[i]);
      block.sync();
      radix_progress::word* const to = progress.begins_of(s, 0);
      for (int k = block.thread(); k < words; k += Block::shape.threads) {
        if (counts[k] != 0) block.add(to + k, counts[k]);
      }
      block.sync();
    }
  }

 private:
  template <class Block>
  static MGPU_DEVICE MGPU_FORCE_INLINE void count_key(Block& block, radix_progress::word* counts, bits key) {
    const bits x = Bits::in(key);
    MGPU_UNROLL
    for (int pass = 0; pass < Bits::passes; ++pass)
      block.add(counts + pass * Bits::digits + Bits::digit(x, pass), radix_progress::word{1});
  }
};

/// Makes places of the counts: where in the array elements of each digit begin. A tile has those of one pass and
/// stretch.
template <class Bits>
struct scan_digits {
  radix_progress progress;

  static constexpr const char* name = "scan digits";  // in a profiler
  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int) { return {256, 1, 1, 0}; }
  static constexpr int shared_bytes(const base::tile_shape&) { return 64; }

  void run(tile::host_thread, offset number) const;

  template <class Block>
  MGPU_DEVICE void run(Block& block, offset number) const {
    const int stretch = static_cast<int>(number / Bits::passes), pass = static_cast<int>(number % Bits::passes);
    radix_progress::word& x = progress.begins_of(stretch, pass)[block.thread()];
    x = progress.begin[stretch] + block.count_before(x, reinterpret_cast<radix_progress::word*>(block.take(64)));
  }
};

/// Moves all elements to their places by one digit.
template <class Bits, class Value>
struct radix_pass {
  using bits = typename Bits::type;
  static constexpr bool has_values = !cuda::std::is_same_v<Value, base::no_values::value_type>;

  bits* keys[2];
  Value* values[2];
  radix_progress progress;
  int pass;

  static constexpr const char* name = "radix pass";  // in a profiler
  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) {
    return tuning::radix_pass(cc, {sizeof(bits), has_values ? int{sizeof(Value)} : 0});
  }
  static constexpr int shared_bytes(const base::tile_shape& s) {
    return 64 + 1024 +
           base::align_up(base::max(s.items_per_tile() * base::max<int>(sizeof(bits), has_values ? sizeof(Value) : 1),
                                    (s.threads / 32 * 256 + 8) * 4),
                          16);
  }

  void run(tile::host_thread, offset number) const;

  template <class Block>
  MGPU_DEVICE void run(Block& block, offset) const {
    using word = radix_progress::word;
    auto* const found = reinterpret_cast<int*>(block.take(64));
    if (block.thread() < 32) block.find_ticket(progress.tickets + pass, progress.first_tile, found);
    block.sync();
    const int number = found[0], stretch = found[1];
    if (stretch >= progress.stretches) return;
    const int in_stretch = number - static_cast<int>(progress.first_tile[stretch]);
    const offset begin = progress.begin[stretch] + offset{in_stretch} * Block::shape.items_per_tile();
    const int from = pass & 1;
    word* const counts = progress.counts[from] + offset{number} * radix_progress::digits;
    word* const counts_to_clear = progress.counts[from ^ 1] + offset{number} * radix_progress::digits;
    const int tile_count =
        static_cast<int>(base::min<offset>(progress.end[stretch] - begin, Block::shape.items_per_tile()));
    block.template move_by_digit<Bits, has_values, Value>(
        {keys[from] + begin, has_values ? values[from] + begin : nullptr, keys[from ^ 1], values[from ^ 1],
         progress.begins_of(stretch, pass), counts, counts_to_clear, in_stretch, tile_count, pass});
  }
};

}  // namespace core
MGPU_NAMESPACE_END
