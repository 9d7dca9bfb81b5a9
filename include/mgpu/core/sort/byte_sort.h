// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/bad_input_flag.h>
#include <mgpu/base/math.h>
#include <mgpu/core/sort/borders.h>
#include <mgpu/core/sort/number_bits.h>
#include <mgpu/tile/block_kinds.h>
#include <mgpu/tile/range.h>
#include <mgpu/tile/shared_layout.h>
#include <mgpu/tuning/sort.h>

#include <cuda/std/cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

// A sort of one-byte numbers in segments, by counting. Equal numbers cannot be told apart, so a segment is written anew
// once its numbers are counted. It runs on the GPU only.

/// What both steps share, in shared memory: for each digit how many numbers have it, and then how many have it or a
/// lesser one.
struct byte_counts {
  using word = cuda::std::uint32_t;
  static constexpr int digits = 256;

  word* counts;  // [digits]
  word* sums;    // [digits / 32], for the scan

  static constexpr int bytes = digits * 4 + 64;

  template <class Block>
  static MGPU_DEVICE byte_counts take(Block& block) {
    auto* const counts = reinterpret_cast<word*>(block.take(digits * 4));
    return {counts, reinterpret_cast<word*>(block.take(64))};
  }

  /// Makes sums of the counts: of the digits up to each one.
  template <class Block>
  MGPU_DEVICE void scan(Block& block) const {
    const word own = counts[block.thread()];
    const word before = block.count_before(own, sums);
    counts[block.thread()] = before + own;
    block.sync();
  }

  /// The digit of place i of the sorted numbers.
  MGPU_DEVICE int digit_at(word i) const {
    int digit = 0;
    MGPU_UNROLL
    for (int step = digits / 2; step > 0; step /= 2) {
      if (counts[digit + step - 1] <= i) digit += step;
    }
    return digit;
  }

  /// Writes places [begin, end) of the sorted numbers to `to`.
  template <class Bits, class Block>
  MGPU_DEVICE void write(Block& block, word begin, word end, typename Bits::type* to) const {
    constexpr int batch = 16;
    for (word i = begin + static_cast<word>(block.thread()) * batch; i < end; i += Block::shape.threads * batch) {
      int digit = digit_at(i);
      for (word k = i; k < base::min(i + batch, end); ++k) {
        while (counts[digit] <= k) ++digit;
        to[k - begin] = Bits::out(static_cast<typename Bits::type>(digit));
      }
    }
  }
};

MGPU_HOST_DEVICE constexpr base::tile_shape byte_sort_shape() { return {256, 64, 4, 0}; }

/// Finds the borders of the tiles, and clears the counts of cut segments.
template <class Segments>
struct prepare_byte_sort {
  find_sort_borders<Segments> find;
  byte_counts::word* cut_counts;  // [tiles][digits]

  MGPU_HOST_DEVICE void operator()(offset i) const {
    cut_counts[i] = 0;
    if (i <= find.tiles) find(i);
  }
};

/// Sorts the segments that lie in one tile, and counts the numbers of those that its borders cut.
template <class Bits, class Segments>
struct sort_byte_tiles {
  using bits = typename Bits::type;
  using word = byte_counts::word;

  bits* keys;  // [count]
  offset count;
  Segments segments;
  const sort_border* borders;  // [tiles + 1]
  sort_progress* progress;
  word* cut_counts;  // [tiles][digits], of the segment that begins in a tile and goes on behind it
  base::bad_input_flag bad_segments;

  using block_kind = tile::sorts;
  static constexpr const char* name = "sort tiles of bytes";  // in a profiler
  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int) { return byte_sort_shape(); }
  static constexpr int shared_bytes(const base::tile_shape& shape) {
    return tile::staged_bytes<bits>(shape) + byte_counts::bytes + list_bytes;
  }

  template <class Block>
  MGPU_DEVICE void run(Block& block, offset tile) const {
    const sort_border first = borders[tile], last = borders[tile + 1];
    const int tile_count = static_cast<int>(last.position - first.position);
    char* const list_room = block.take(list_bytes);
    const byte_counts counts = byte_counts::take(block);
    bits* const staged = block.stage_one(keys, count, first.position, tile_count, block.take(0), keys + first.position);
    const auto set = [](offset, offset) {};
    const bool sound = segments.mark_heads(first, last, block.thread(), Block::shape.threads, set) &&
                       core::are_consistent(first, last);
    if (block.any(!sound)) {
      if (block.thread() == 0) report_bad_segments();
      block.wait();
      return;
    }
    block.wait();
    auto* const length = reinterpret_cast<int*>(list_room);
    auto* const list = reinterpret_cast<part*>(list_room + 16);
    for (offset from = first.bound; from <= last.bound; from += Block::shape.threads) {
      if (block.thread() == 0) *length = 0;
      block.sync();
      const offset bound = from + block.thread();
      if (bound <= last.bound) {
        const part p = part_before(bound, first, last);
        if (p.is_cut() || p.end - p.begin > most_of_thread) list[MGPU_FETCH_INCREMENT(length)] = p;
        else insertion_sort(staged + p.begin, p.end - p.begin);
      }
      block.sync();
      for (int i = 0, n = *length; i < n; ++i) sort_part(block, counts, list[i], staged);
      block.sync();
    }
    block.publish();
    block.store_placed(staged, keys + first.position, tile_count);
  }

 private:
  /// A part of a segment in a tile.
  struct part {
    int begin, end;
    offset cut;  // the tile in which the segment begins, if it is cut, or `whole`
    static constexpr offset whole = -1;
    MGPU_DEVICE bool is_cut() const { return cut != whole; }
  };
  static constexpr int list_bytes = 16 + byte_sort_shape().threads * int{sizeof(part)};
  /// A thread sorts parts of at most so many numbers alone.
  static constexpr int most_of_thread = 32;

  MGPU_HOST_DEVICE void report_bad_segments() const {
    MGPU_SET_FLAG(&progress->has_bad_segments);
    if (bad_segments.is_asked()) bad_segments.raise();
  }

  /// The part that ends at a bound, or at the end of the tile.
  MGPU_DEVICE part part_before(offset bound, const sort_border& first, const sort_border& last) const {
    const bool is_first = bound == first.bound, is_last = bound == last.bound;
    const offset begin =
        is_first ? first.position : base::clamp(segments.bounds[bound - 1], first.position, last.position);
    const offset end = is_last ? last.position : base::clamp(segments.bounds[bound], begin, last.position);
    part p{static_cast<int>(begin - first.position), static_cast<int>(end - first.position), part::whole};
    if (segments.bounds.is_gap(bound)) p.end = p.begin;
    else if (is_first && first.cuts()) p.cut = tile_of(first.begin);
    else if (is_last && last.cuts()) p.cut = tile_of(last.begin);
    return p;
  }
  static MGPU_DEVICE offset tile_of(offset position) { return position / byte_sort_shape().items_per_tile(); }

  static MGPU_DEVICE void insertion_sort(bits* x, int n) {
    for (int i = 1; i < n; ++i) {
      const bits own = x[i];
      int k = i;
      for (; k > 0 && Bits::in(own) < Bits::in(x[k - 1]); --k) x[k] = x[k - 1];
      x[k] = own;
    }
  }

  template <class Block>
  MGPU_DEVICE void sort_part(Block& block, const byte_counts& counts, const part& p, bits* staged) const {
    counts.counts[block.thread()] = 0;
    block.sync();
    for (int i = p.begin + block.thread(); i < p.end; i += Block::shape.threads)
      block.add(counts.counts + Bits::in(staged[i]), word{1});
    block.sync();
    if (p.is_cut()) {
      const word own = counts.counts[block.thread()];
      if (own != 0) block.add(cut_counts + p.cut * byte_counts::digits + block.thread(), own);
    } else {
      counts.scan(block);
      counts.template write<Bits>(block, 0, static_cast<word>(p.end - p.begin), staged + p.begin);
    }
    block.sync();
  }
};

/// Writes the segments that tile borders cut.
template <class Bits, class Segments>
struct write_cut_bytes {
  using bits = typename Bits::type;
  using word = byte_counts::word;

  bits* keys;
  const sort_border* borders;  // [tiles + 1]
  const sort_progress* progress;
  const word* cut_counts;  // [tiles][digits]

  using block_kind = tile::sorts;
  static constexpr const char* name = "write cut segments of bytes";  // in a profiler
  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int) { return byte_sort_shape(); }
  static constexpr int shared_bytes(const base::tile_shape& shape) {
    return byte_counts::bytes + tile::staged_bytes<bits>(shape);
  }

  template <class Block>
  MGPU_DEVICE void run(Block& block, offset tile) const {
    if (progress->has_bad_segments != 0) return;
    const sort_border first = borders[tile], last = borders[tile + 1];
    const byte_counts counts = byte_counts::take(block);
    bits* const staged = block.place(block.take(0), keys + first.position);
    if (first.cuts())
      write_part(block, counts, first, first.position, base::min(first.end, last.position), first.position, staged);
    if (last.cuts() && last.begin >= first.position)
      write_part(block, counts, last, last.begin, last.position, first.position, staged);
  }

 private:
  template <class Block>
  MGPU_DEVICE void write_part(Block& block, const byte_counts& counts, const sort_border& cut, offset begin, offset end,
                              offset tile_begin, bits* staged) const {
    const offset owner = cut.begin / byte_sort_shape().items_per_tile();
    block.sync();
    counts.counts[block.thread()] = cut_counts[owner * byte_counts::digits + block.thread()];
    counts.scan(block);
    if (offset{counts.counts[byte_counts::digits - 1]} != cut.end - cut.begin) return;  // bounds changed meanwhile
    bits* const placed = staged + (begin - tile_begin);
    counts.template write<Bits>(block, static_cast<word>(begin - cut.begin), static_cast<word>(end - cut.begin),
                                placed);
    block.sync();
    for (offset i = begin + block.thread(); i < end; i += Block::shape.threads) keys[i] = placed[i - begin];
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
