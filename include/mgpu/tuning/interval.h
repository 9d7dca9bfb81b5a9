// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/tuning/trial.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tuning {

// All figures: H200, fraction of copy bandwidth, u32, 2^28 items, 32-bit offsets, counts uniform in [0, 2 x mean run],
// 2026-11-21. Runs of 10 differ by up to 6 % between two H200s, whatever is tuned.

/// What the shape of a tile of intervals and items depends on.
struct interval_case {
  int unit_bytes;  // of what a thread moves at once
  int item_bytes;
  bool fills;     // reads nothing per item
  bool scatters;  // writes items elsewhere than in order
  bool gathers;   // reads items elsewhere than in order
};

/// A round inside one interval goes by 16-byte words if a unit is narrow. Wider units are loaded as they are, eight at
/// once.
///   gather, mean run 1,000, u32 by words 0.527, by units 0.798
MGPU_HOST_DEVICE constexpr bool interval_moves_words(int unit_bytes) { return unit_bytes < 4; }

MGPU_HOST_DEVICE constexpr base::tile_shape interval(int cc, const interval_case& c) {
  constexpr int waves = 4;
  base::tile_shape shape{};
  if (c.fills) {
    // Expand, mean run 1 / 10 / 100 / 1,000 / Zipf: 128 x 23 with 14 blocks 0.60 / 0.72 / 0.85 / 0.97 / 0.73,
    // 128 x 31 with 10 0.52 / 0.67 / 0.86 / 0.97 / 0.69, 128 x 15 with 16 0.58 / 0.66 / 0.85 / 0.92 / 0.70,
    // 256 x 23 with 6 0.59 / 0.69 / 0.86 / 0.95 / 0.73, 256 x 15 with 8 0.58 / 0.65 / 0.84 / 0.86 / 0.71,
    // 256 x 7 with 8 0.49 / 0.52 / 0.57 / 0.59 / 0.54.
    shape = {128, 23, 14, waves};
  } else if (c.gathers && !c.scatters) {
    // Gather, mean run 10 / 100 / 1,000 / 10,000: 256 x 15 with 8 blocks 0.50 / 0.82 / 0.87 / 0.94,
    // with 6 0.49 / 0.69 / 0.75 / 0.85, with 4 0.48 / 0.65 / 0.69 / 0.80; 256 x 11 with 8 0.51 / 0.75 / 0.81 / 0.88,
    // 512 x 15 with 3 0.49 / 0.68 / 0.71 / 0.79, 128 x 31 with 12 0.37 / 0.75 / 0.85 / 0.90.
    // Sixteen loads at once instead of eight, with 5 blocks: 0.41 / 0.58 / 0.59.
    shape = {256, 15, 8, waves};
  } else if (c.gathers) {
    // Move, mean run 10 / 100 / 1,000 / 10,000: 256 x 15 with 4 blocks 0.170 / 0.466 / 0.686 / 0.783,
    // with 5 0.169 / 0.461 / 0.683 / 0.780, with 6 0.168 / 0.437 / 0.640 / 0.766, with 8 0.161 / 0.422 / 0.601 / 0.719,
    // 256 x 7 with 6 0.171 / 0.458 / 0.623 / 0.723. Stores or loads with cache hints: no gain at 10, a loss beyond.
    shape = {256, 15, 4, waves};
  } else {
    // Scatter, mean run 10 / 100 / 1,000 / 10,000: 256 x 15 with 5 blocks 0.202 / 0.493 / 0.700 / 0.784,
    // with 8 0.171 / 0.386 / 0.594 / 0.671, with 4 0.204 / 0.493 / 0.646 / 0.748.
    shape = {256, 15, 5, waves};
  }
  // About 32 KiB of items and 16 Ki units in a tile, so that wide elements leave room for several blocks.
  const int most = static_cast<int>(base::min<offset>(32768, offset{16384} * c.unit_bytes) / c.item_bytes);
  while (shape.threads > 32 && shape.threads > most) shape.threads /= 2;
  if (shape.items_per_tile() > most) shape.items_per_thread = base::max(1, (most / shape.threads - 1) | 1);
  return tuning::fitted<interval_case>(shape, cc, c);
}

/// Intervals and items of a tile on the CPU.
inline constexpr offset interval_host_items_per_tile = 1 << 15;

/// How many intervals ahead their items are prefetched.
inline constexpr offset interval_host_prefetch_distance = 16;

}  // namespace detail::tuning
MGPU_NAMESPACE_END
