// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/bad_input_flag.h>
#include <mgpu/base/math.h>

#include <cuda/std/cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// What the steps of a radix sort share, in device memory. A stretch is what lies between two bounds: a segment, or a
/// gap, which has no tiles.
struct radix_progress {
  using word = cuda::std::uint32_t;
  static constexpr int digits = 256;
  static constexpr int most_stretches = 128;
  static constexpr int most_steps = 10;
  static constexpr offset end_count = offset{1} << 30;  // of fewer elements: counts leave two bits of a word

  word* first_tile;  // [most_stretches], of each stretch; behind the last stretch the number of tiles, then ~0
  word* begin;       // [most_stretches], of each stretch
  word* end;         // [most_stretches]
  word* ticket;      // tasks taken
  word* done;        // [most_steps], tasks of each step
  word* uniform;     // [passes], stretches whose elements all have one digit there
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
  cuda::std::uint64_t* cleared;  // the counters, [2 * cleared_pairs]
  offset cleared_pairs;

  MGPU_HOST_DEVICE offset calls() const { return base::max<offset>(cleared_pairs, radix_progress::most_stretches); }

  MGPU_HOST_DEVICE void operator()(offset i) const {
    if (i < cleared_pairs) {
      cleared[2 * i] = 0;
      cleared[2 * i + 1] = 0;
    }
    if (i >= radix_progress::most_stretches) return;
    const int stretch = static_cast<int>(i);
    using word = radix_progress::word;
    word tiles = 0;
    const bool sound = segments.is_sound();
    for (int s = 0; s < base::min(stretch, progress.stretches); ++s) tiles += sound ? tiles_of(s) : 0;
    progress.first_tile[stretch] = stretch <= progress.stretches ? tiles : ~word{0};
    const bool has_tiles = sound && stretch < progress.stretches;
    progress.begin[stretch] = static_cast<word>(has_tiles ? segments.stretch_begin(stretch) : 0);
    progress.end[stretch] = static_cast<word>(has_tiles ? segments.stretch_end(stretch) : 0);
    if (i == 0 && !sound && bad_segments.is_asked()) bad_segments.raise();
  }

 private:
  MGPU_HOST_DEVICE radix_progress::word tiles_of(int s) const {
    using word = radix_progress::word;  // a division of 32 bits takes a fraction of the instructions
    const auto elements = static_cast<word>(segments.stretch_end(s) - segments.stretch_begin(s));
    return base::ceil_div(elements, static_cast<word>(items_per_tile));
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
