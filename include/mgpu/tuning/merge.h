// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/tile_shape.h>
#include <mgpu/tuning/trial.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tuning {

// All figures: H200, fraction of copy bandwidth or microseconds, random keys, two inputs of equal length, 2026-11-20,
// benchmarks/merge.cu. Figures marked * were taken with a slower search for splits; they are about 0.03 below the
// others.

/// Small elements are merged in registers. Of larger ones positions are merged, which takes fewer registers.
///   in registers / by position: u32 0.87* / 0.78*, u64 0.915 / 0.899, u32+u32 0.93 / 0.92, u64+u64 0.91 / 0.92,
///   16 bytes 0.85* / 0.86*
MGPU_HOST_DEVICE constexpr bool merge_in_registers(int key_bytes, int value_bytes) {
  return key_bytes + value_bytes <= 8;
}

/// Values up to this size are staged in shared memory like the keys. Wider ones are gathered from the inputs.
///   u32 + 16 bytes: staged 0.90*, gathered 0.89*; u64+u64: 0.91* / 0.87*
MGPU_HOST_DEVICE constexpr bool merge_stages_values(int value_bytes) { return value_bytes <= 16; }

/// What the shape of a merge's tile depends on.
struct merge_case {
  int key_bytes;
  int value_bytes;  // 0 without values
  bool stages_values;
  bool in_registers;
  bool is_bulk;           // bulk copies can bring the keys
  bool is_natural_order;  // the comparator is known to be one instruction; another may need registers of its own
};

MGPU_HOST_DEVICE constexpr base::tile_shape merge(int cc, const merge_case& c) {
  constexpr int waves = 4;  // u32 2^24: 1 wave 51.5 us, 2 50.5, 4 47.9; 2^26: 1 wave 153 us, 4 168
  const int bytes = c.key_bytes + (c.stages_values ? c.value_bytes : 0);
  base::tile_shape shape{};
  if (c.value_bytes > 16) {
    // Gathered. u64 + 64 bytes 2^24: 256 x 7 0.66, 256 x 15 0.59.
    shape = {256, bytes <= 8 ? 7 : 1, 5, waves};
    while (shape.threads > 32 && shape.threads * bytes > 45056) shape.threads /= 2;
  } else if (c.in_registers && c.is_bulk && c.is_natural_order) {
    // u32 2^28: 256 x 31 0.905, 512 x 15 0.905, 256 x 27 0.87*, 256 x 23 0.86*, 128 x 31 0.83*.
    // u64 2^27: 256 x 23 0.915, 192 x 25 0.913, 256 x 21 0.911, 256 x 19 0.911, 384 x 15 0.905, 512 x 11 0.87*.
    // u32+u32 2^28: 512 x 11 0.934, 256 x 17 0.929, 256 x 23 0.90*, 256 x 15 0.88*.
    shape = c.value_bytes > 0  ? base::tile_shape{512, 11, 3, waves}
            : c.key_bytes <= 4 ? base::tile_shape{256, 31, 5, waves}
                               : base::tile_shape{256, 23, 3, waves};
  } else if (bytes <= 12) {
    // Two transform iterators into u32, 2^28, us: 256 x 15 with 8 blocks 652, with 6 734; 256 x 19 719; 512 x 11 821.
    // Rows compared by reading a table, 2^28, us (2026-11-22): 256 x 15 with 8 blocks 952, with 6 1,036; 512 x 15 958,
    // 128 x 15 1,022, 256 x 13 1,180, 256 x 17 1,051. Heavy comparators: four columns with nulls 2,270, with 6 blocks
    // 2,425; strings of four bytes 1,795, with 6 blocks 1,831.
    shape = {256, 15, bytes <= 4 || c.is_natural_order ? 8 : 6, waves};
  } else if (bytes <= 20) {
    // 16-byte keys 2^26: 256 x 11 0.902, 384 x 7 0.902, 256 x 9 0.896, 512 x 5 0.885. u64+u64 2^27: 256 x 11 0.920.
    // u32 + 16 bytes 2^26: 256 x 11 0.915, 256 x 9 0.912.
    shape = {256, 11, 4, waves};
  } else {
    // About the same 45 KiB of shared memory; the widest elements leave one warp.
    shape = {256, 1, 1, waves};
    while (shape.threads > 32 && shape.threads * bytes > 45056) shape.threads /= 2;
    const int items = 45056 / (shape.threads * bytes);
    if (items > 2) shape.items_per_thread = (items - 1) | 1;
  }
  return tuning::fitted<merge_case>(shape, cc, c);
}

/// A tile of the CPU. 2 x 2^24 u32, 2 cores, ms: 2^12 28, 2^14 25, 2^16 22. 2^15 leaves a million elements parallel.
/// The tile's four lanes are a cache line more than 2^13 apart. At a power of two they share cache sets. Further apart
/// their loads meet more stores of the same place in a page. 2 x 2^22, one thread (Sapphire Rapids), ms, u32 + u32 by
/// random keys / keys with random gaps, u32 alone: 8192 12.2 / 16.5, 8.0; 8208 12.3 / 12.9, 8.7; 8224 13.8 / 13.7, 8.6;
/// 8464 13.5 / 15.0, 9.5 (2026-11-22)
inline constexpr offset merge_host_items_per_tile = offset{4} * 8208;

/// The merges that one CPU thread runs in turns. The figures stand in tile/host/interleaved_merge.h. By key 2: 86 ms,
/// 3: 36, 4: 32.
inline constexpr int merge_host_lanes = 4;

}  // namespace detail::tuning
MGPU_NAMESPACE_END
