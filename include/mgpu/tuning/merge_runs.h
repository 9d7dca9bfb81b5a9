// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/tuning/trial.h>

#include <cuda/std/utility>

MGPU_NAMESPACE_BEGIN
namespace detail::tuning {

// All figures: H200, 8 runs of random keys, 2^28 u32 (2^27 u64) in all, microseconds without the search for splits,
// 2026-11-22, unless said. Rounds had another body then.

/// Runs that one pass can merge into one: a kernel for each number, powers of two that ascend. A kernel for more runs
/// than there are has tiles with less room, and threads without a run in the search for splits: 4 runs take 673 us with
/// a kernel for 4, and 720 with one for 8. Two kernels that also merge half as many runs, with tiles and threads for so
/// many, compile sooner, but 2^20 / 2^27 of u32 in 4, 8, 16, 32 runs take 19, 23, 27, 27 / 397, 462, 575, 697 us, and
/// with four kernels 18, 21, 24, 25 / 393, 445, 547, 677 (H100, 2026-11-26).
using merge_runs_widths = typename widths_trial<cuda::std::integer_sequence<int, 4, 8, 16, 32>>::type;

/// The same on the CPU.
using merge_runs_host_widths = cuda::std::integer_sequence<int, 64>;

/// Shorter runs than this, on average, are sorted together: their borders alone would cost more.
inline constexpr offset merge_runs_least_mean_run = 64;

/// Whether keys themselves are moved in shared memory from round to round, or the places of larger ones.
MGPU_HOST_DEVICE constexpr bool merge_runs_moves_keys(int key_bytes) { return key_bytes <= 16; }

/// Small values of keys that are moved are staged in shared memory like these. Others are gathered from the inputs.
MGPU_HOST_DEVICE constexpr bool merge_runs_stages_values(int key_bytes, int value_bytes) {
  return merge_runs_moves_keys(key_bytes) && value_bytes <= 8;
}

/// Elements after which the bytes of an array come back to the same place in a 16-byte word, or 1 where padding by so
/// many would take too much shared memory.
MGPU_HOST_DEVICE constexpr int merge_runs_grid(int bytes) {
  const int grid = 16 / base::min(16, bytes & -bytes);
  return bytes > 64 || (bytes > 16 && grid > 4) ? 1 : grid;
}

/// How many elements a tile may have more or fewer than half of its border's share: exact borders take longer to find.
/// u32: 0 124 + 825, 64 98 + 835, 128 95 + 844.
inline constexpr int merge_runs_slack = 64;

/// What the shape of a tile depends on.
struct merge_runs_case {
  int key_bytes;
  int value_bytes;  // 0 without values
  bool moves_keys;
  bool stages_values;
  int ways;
  bool is_sampled;  // of runs with samples
};

MGPU_HOST_DEVICE constexpr base::tile_shape merge_runs(int cc, const merge_runs_case& c) {
  constexpr int waves = 2;
  const bool has_places = c.value_bytes > 0 || !c.moves_keys;
  const int bytes = c.key_bytes + (c.stages_values ? c.value_bytes : 0) + (has_places ? 2 : 0);
  base::tile_shape shape{};
  if (c.is_sampled && bytes <= 20) {
    // Half of such a tile is room for what borders are away from their places. u32 by a comparator, a whole sort of
    // 2^18 / 2^20 / 2^22: a share of 13 50 / 74 / 234, 17 51 / 69 / 207, 21 50 / 67 / 189. Keys of 16 bytes, the same:
    // 11 85 / 217 / 731, 15 84 / 206 / 673 (2026-11-25).
    shape = {256, bytes <= 10 ? 21 : cc < 80 ? 7 : 15, 3, waves};
  } else if (bytes <= 4) {
    // 2026-11-23, with the searches for splits: 256 x 43 with 4 blocks 783 + 55, 384 x 43 with 3 791 + 48. 16 runs:
    // 1,019 + 91, 1,018 + 81; 32 runs: 384 x 43 1,276 + 125, 512 x 41 1,325 + 120. With other rounds 224 x 37 with 5
    // took 841 where 256 x 43 took 805. Such tiles need 180 KB of shared memory, or 200 KB.
    const bool is_roomy = cc == 80 || (cc >= 90 && cc < 110);
    shape = !is_roomy    ? base::tile_shape{224, 37, 5, waves}
            : c.ways > 8 ? base::tile_shape{384, 43, 3, waves}
                         : base::tile_shape{256, 43, 4, waves};
  } else if (bytes <= 10) {
    // u64, 2026-11-23: 192 x 29 with 4 blocks 722, 160 x 27 with 5 717, 192 x 27 with 4 730, 224 x 23 750; before that
    // 128 x 41 932, 256 x 15 1,090 where 224 x 23 took 822-850.
    // u32+u32: 256 x 21 with 4 blocks 1,666, 224 x 23 1,661, 256 x 23 with 3 1,724, 128 x 41 1,887.
    shape = has_places ? base::tile_shape{256, 21, 4, waves} : base::tile_shape{192, 29, 4, waves};
  } else if (bytes <= 20) {
    // Elements of odd sizes have room between 32 ways, for which sm_75 has no shared memory with 11 of them.
    shape = {256, cc < 80 ? 7 : 11, 4, waves};
  } else {
    shape = {256, 1, 1, waves};
    while (shape.threads > 64 && shape.threads * bytes > 40960) shape.threads /= 2;
    const int items = 40960 / (shape.threads * bytes);
    if (items > 2) shape.items_per_thread = (items - 1) | 1;
  }
  return tuning::fitted<merge_runs_case>(shape, cc, c);
}

/// A tile of the CPU and its two buffers stay in the second level cache. 2^25 u32 in 8 / 64 runs, 2 cores (Sapphire
/// Rapids), ms, with slower searches for splits: 2^15 63 / 166, 2^16 60 / 138, 2^17 60 / 125, which leaves less to run
/// at once. With those of today 2^16 takes 56 / 124, and a tree of merges 62 / 125. 2^23 u64: 2^15 17.4 / 41, 2^16 16.0
/// / 36.7, a tree 17.4 / 34.9 (2026-11-22).
MGPU_HOST_DEVICE constexpr offset merge_runs_host_items_per_tile(int key_bytes, int value_bytes) {
  return base::clamp<offset>((1 << 19) / (key_bytes + value_bytes), 256, 1 << 16);
}

/// Elements up to this size are merged in rounds, two runs at a time. Larger ones are moved once, by a tree of losers.
///   2^20 keys in 8 / 64 runs, one thread (Sapphire Rapids), ms, rounds against the tree: 8 bytes 3.3 / 8.1, 38 / 85;
///   16 bytes 6.7 / 18, 39 / 96; 32 bytes 21 / 41, 41 / 92; 64 bytes 33 / 54, 43 / 97 (2026-11-22)
MGPU_HOST_DEVICE constexpr bool merge_runs_host_in_rounds(int key_bytes, int value_bytes) {
  return key_bytes + value_bytes <= 64;
}

}  // namespace detail::tuning
MGPU_NAMESPACE_END
