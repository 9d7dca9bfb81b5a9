// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/tile_shape.h>
#include <mgpu/tuning/trial.h>

#include <cstddef>

MGPU_NAMESPACE_BEGIN
namespace detail::tuning {

// All figures: H200, fraction of copy bandwidth, 2^27 random values in 2^27 random elements, 2026-11-22.

/// What the shape of a search's tile depends on.
struct search_case {
  int element_bytes;      // of the larger of a value and an element of the range
  bool is_bulk;           // bulk copies can bring both
  bool is_natural_order;  // the comparator is known to be one instruction; another may need registers of its own
};

MGPU_HOST_DEVICE constexpr base::tile_shape sorted_search(int cc, const search_case& c) {
  constexpr int waves = 4;
  base::tile_shape shape{};
  if (c.element_bytes <= 8 && c.is_bulk && c.is_natural_order) {
    // u32: 256 x 27 with 6 blocks 0.882, 256 x 31 with 6 0.879, 128 x 31 with 10 0.852, 256 x 31 with 5 0.844,
    // 256 x 23 with 6 0.841, 512 x 15 with 4 0.712. u64 with u32 results: 256 x 23 with 4 or 3 0.905,
    // 256 x 19 with 5 0.875, 256 x 15 with 6 0.867.
    shape = c.element_bytes <= 4 ? base::tile_shape{256, 27, 6, waves} : base::tile_shape{256, 23, 4, waves};
  } else if (c.element_bytes <= 12) {
    shape = {256, 15, 6, waves};
  } else if (c.element_bytes <= 20) {
    shape = {256, 11, 4, waves};
  } else {
    // About 45 KiB of shared memory; the widest elements leave one warp.
    shape = {256, 1, 1, waves};
    while (shape.threads > 32 && shape.threads * c.element_bytes > 45056) shape.threads /= 2;
    const int items = 45056 / (shape.threads * c.element_bytes);
    if (items > 2) shape.items_per_thread = (items - 1) | 1;
  }
  return tuning::fitted<search_case>(shape, cc, c);
}

/// What the shape of a join's tile depends on: that of a search.
struct join_case : search_case {};

/// Each block of a join has shared memory for two tiles. inner_join of 2^26 random unique u32 rows on either side, us:
/// 256 x 23 with 4 blocks 595, 256 x 19 with 5 617, 256 x 17 with 5 626, 256 x 15 with 6 645, 256 x 11 with 8 711; 576
/// with the loops as they are now (2026-11-23).
MGPU_HOST_DEVICE constexpr base::tile_shape join(int cc, const join_case& c) {
  base::tile_shape shape{};
  if (c.element_bytes <= 4 && c.is_bulk && c.is_natural_order) shape = {256, 23, 4, 0};
  else if (c.element_bytes <= 8 && c.is_bulk && c.is_natural_order) shape = {256, 13, 4, 0};
  else if (c.element_bytes <= 12) shape = {256, cc < 80 ? 9 : 11, 3, 0};
  else {
    // About 22 KiB of rows, and those that a join looks ahead.
    shape = {128, 1, 3, 0};
    while (shape.threads > 32 && shape.threads * c.element_bytes > 22528) shape.threads /= 2;
    const int items = 22528 / (shape.threads * c.element_bytes);
    if (items > 2) shape.items_per_thread = base::min((items - 1) | 1, 15);
  }
  return tuning::fitted<join_case>(shape, cc, c);
}

/// Wider rows are counted before a join writes its own: two tiles of them, and the rows that both look ahead, have no
/// room in the shared memory of all architectures.
inline constexpr std::size_t most_joined_row_bytes = 128;

/// If the range has so many times as many elements as there are values, each value is searched in all of it.
/// Elements 2^27 u32, us: 2^23 values by tiles 197, 2^22 each for itself 181, 2^21 140, 2^20 104. Each for itself as
/// Thrust does it 2^23 266, 2^22 178.
inline constexpr offset search_sparse_ratio = 32;

/// Values of a tile on the CPU. With equally many elements a lane has 8,208 steps: see merge_host_items_per_tile.
inline constexpr offset search_host_values_per_tile = offset{4} * 4104;

/// Left rows of a tile of a join on the CPU. inner_join, 2 cores of an EPYC 9004, ms, one thread / two / a merge join
/// written as one loop: 2^24 random u32 each 119 / 83 / 162, 2^19 with each key 64 times 13.4 / 11.1 / 26.9. With a
/// second search for the ends of runs 177 / 107 / 174 and 24.6 / 16.0 / 28.7 (2026-11-23).
inline constexpr offset join_host_rows_per_tile = offset{4} * 2052;

/// Small joins have smaller tiles: two for each multiprocessor, but so many elements at least for each thread. us, 23,
/// 8, 6, 4, 3 and 2 elements of a thread, unique rows / each key 64 times (H200, 2026-11-26): 2^16 rows 26.0, 25.0,
/// 24.4, 24.2, 25.4 and 25.8 / 52, 48, 43, 38, 40 and 36; 2^18 26.2, 26.6, 29.1, 31.0, 36 and 38 / 82, 68, 72, 72, 87
/// and 77; 2^19 29.2, 32.4, 36.2, 39.7, 48 and 57 / 115, 109, 115, 112, 123 and 118; 2^22 with 23, 15, 11 and 8 71, 85,
/// 96 and 113 / 598, 610, 617 and 629.
inline constexpr int least_join_items_per_thread = static_cast<int>(count_trial<join_case>::of(4));

/// If so many rows of the result come from each row of a tile, at most, its block writes them itself. One block writes
/// 2.8 rows in a ns. inner_join with each key so many times, us, all such tiles deferred / some / moderngpu 2 (H200,
/// 2026-11-25): 2^24 rows 4 times 413 / 334, 2^23 24 times 553 / 491, 2^22 64 times 638 / 588 / 802, 2^20 64 times 194
/// / 173, 2^19 64 times 121 / 112 / 154.
inline constexpr int join_noted_rows = 44;
/// It defers the tile nevertheless if more than join_rows_of_any_tile rows come from each of its rows, and fewer than
/// join_rows_of_most_tiles in most tiles: it would still write when all other blocks have ended. us, all such tiles
/// deferred / none / these (H200, 2026-11-25): 2^20 unique rows with one key 500 times 44 / 119 / 46, 2^24 with eight
/// such keys 181 / 484 / 184; keys that are denser the smaller they are, 2^20 rows 73 / 127 / 74, 2^22 155 / 184 / 126.
inline constexpr int join_rows_of_any_tile = 8, join_rows_of_most_tiles = 4;

/// So many groups of 128 rows a warp writes one after another. The same, us, 2^19 and 2^22 rows 64 times, 2^24 rows 4
/// times: 1 131 / 658 / 432, 4 121 / 635 / 412, 16 121 / 638 / 406, all tiles deferred; now 4 111 / 588 / 334, 8 109 /
/// 586 / 348. With two groups of a lane at once 117 / 618 / 383. Blocks that write noted rows before they run their
/// next tile 119 / 620 / 354, if every other one does so 117 / 648 / 362. Stores that need no search 106 / 573, stores
/// alone 65 / 497.
inline constexpr int join_stretch_windows = 4;

/// Rows of a join's result that one job of a deferred tile writes on the GPU, and blocks of such jobs. inner_join of
/// 2^22 rows with each key 64 times, of 2^24 with each 4 times, and of 2^23 with each 24 times, us, when all such tiles
/// were deferred: 6 blocks 663, 416 and 576, 5 blocks 664, 428 and 569, 4 blocks 652, 433 and 568; 2^16 rows and 5
/// blocks 658, 429 and 604. A block that noted and wrote 2^14 rows at a time, with barriers between, 712, 413 and 565
/// (2026-11-23). Now 2^20 rows with each key 300 times 871 / 673 / 704 with 6, 5 and 4 blocks, and into 64-bit rows
/// 2,451 / 1,311 / 1,322 (2026-11-25).
inline constexpr int join_job_rows = 1 << 17;
/// On GPUs before sm_90 5 blocks would keep a part of a thread's variables in local memory.
MGPU_HOST_DEVICE constexpr int join_job_blocks_per_sm(int cc) { return cc < 90 ? 4 : 5; }

/// Into how many parts each of so many jobs is cut, for blocks that run at once: the number that takes least time, if a
/// part takes as long to prepare as 2^13 rows take to write. inner_join with each key so many times, jobs whole and
/// cut, us: 2^14 rows 64 times 96 and 42, 2^16 124 and 54, 2^19 209 and 132 (in 4 parts 143, moderngpu 156), 2^20 220
/// and 218; 2^16 rows 1,000 times 238 and 187 (H200, 2026-11-25).
MGPU_HOST_DEVICE constexpr int parts_of_join_job(offset jobs, int blocks) {
  constexpr int most = 16, preparation = 1 << 13;
  int best = 1;
  offset least = join_job_rows + preparation;
  for (int parts = 2; jobs < blocks && parts <= most; ++parts) {
    const int waves = (static_cast<int>(jobs) * parts + blocks - 1) / blocks;
    const offset time = offset{waves} * (join_job_rows / parts + preparation);
    if (time < least) {
      least = time;
      best = parts;
    }
  }
  return best;
}

/// The searches that one CPU thread runs in turns.
inline constexpr int search_host_lanes = 4;

}  // namespace detail::tuning
MGPU_NAMESPACE_END
