// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/tuning/trial.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tuning {

// All figures: H200, 2^26 random u32 keys, or pairs of them with u32 values, in microseconds, mean segment length 100 /
// 1,000 / 1,000,000, 2026-11-21, scratch memory allocated before.

/// Elements of a tile on the CPU.
inline constexpr int sort_host_items_per_tile = 1 << 16;

/// A radix sort moves values of at most so many bytes.
inline constexpr int most_radix_value_bytes = 32;

/// What the shape of a sort's tile depends on.
struct sort_case {
  int key_bytes;
  int value_bytes;  // 0 without values
  int item_bytes;   // of what moves while a tile is sorted: keys, or keys with their values or places
};

/// The kinds of tiles whose shapes depend on that: those that are sorted first are the kind sort_case.
struct small_sort_shape;
struct sampled_sort_shape;
struct rank_tiles;
struct two_way_tiles;
struct wide_tiles;

/// The shape of the tiles that are sorted first.
MGPU_HOST_DEVICE constexpr base::tile_shape sort(int cc, const sort_case& c) {
  const int bytes = base::max(c.item_bytes, c.key_bytes + c.value_bytes);
  base::tile_shape shape{};
  if (c.item_bytes <= 4 && c.value_bytes == 0) {
    // Keys: 256 x 31 with 4 blocks 443 / 746 / 1,923, with 5 432 / 728 / 2,117; 256 x 27 467 / 797 / 2,054. With slower
    // merges: 256 x 31 472 / 772 / 1,999, 384 x 31 465 / 755 / 2,110, 512 x 31 479 / 770 / 2,138, 256 x 15 652 / 946 /
    // 2,418, 512 x 15 598 / 899 / 2,424.
    shape = {256, 31, 4, 0};
  } else if (c.item_bytes <= 8 && bytes <= 8) {
    // Pairs, stable: 256 x 21 864 / 1,170 / 3,077, 256 x 23 860 / 1,165 / 3,061; at 100,000 and 10,000 2,379 and 1,754
    // / 2,369 and 1,728. With two-way passes only: 256 x 21 864 / 1,170 / 3,840, 256 x 23 860 / 1,210 / 3,899, 256 x 29
    // 837 / 1,285 / 3,811, 512 x 15 823 / 1,273 / 3,955, 256 x 19 808 / 1,241 / 4,349.
    shape = {256, 23, 3, 0};
  } else if (bytes <= 16) {
    // Pairs, 2^25 of u64 and u32, segmented_sort_by_key, lengths 3 / 32 / 100 / 1,000 / 4,097 / all: 128 x 19 with 4
    // blocks 448 / 471 / 633 / 1,178 / 1,716 / 4,583, 128 x 21 with 4 412 / 457 / 606 / 1,142 / 1,696 / 4,543, but
    // stable of length 32 533 instead of 512; 128 x 17 with 5 426 / 462 / 658 / 1,208 / 1,802 / 5,158, with 4 457 / 481
    // / 659 / 1,235 / 1,782 / 4,815; 128 x 15 with 5 386 / 461 / 664 / 1,323 / 1,798 / 5,274; 256 x 11 with 4 407 / 535
    // / 829 / 1,431 / 2,061 / 5,387 (2026-11-22).
    // Of u64 and u64, stable: 128 x 15 with 5 blocks 405 / 486 / 596 / 1,105 / 1,530 / 4,632, 128 x 17 with 4 502 / 520
    // / 625 / 1,064 / 1,598 / 4,210, 128 x 19 with 4 495 / 534 / 633 / 1,069 / 1,626 / 4,057, 256 x 11 with 4 452 / 493
    // / 686 / 1,152 / 1,768 / 4,568, with 3 420 / 478 / 643 / 1,095 / 1,690 / 4,401.
    // Keys, 2^24 of 16 bytes: 256 x 11 with 4 blocks 250 / 293 / 403 / 637 / 982 / 2,735, 128 x 17 with 5 324 / 347 /
    // 432 / 727 / 1,042 / 2,463.
    const bool has_pairs = c.item_bytes == 16 && c.value_bytes > 0;
    if (!has_pairs) shape = {256, 11, 4, 0};
    else if (c.key_bytes + c.value_bytes < 16) shape = {128, 19, 4, 0};
    else shape = {128, 15, 5, 0};
  } else {
    // About 40 KiB of shared memory, half as much again where places are sorted; the widest elements leave one warp.
    shape = {256, 1, 1, 0};
    while (shape.threads > 32 && shape.threads * bytes > 40960) shape.threads /= 2;
    const int most = c.item_bytes <= 8 ? 11 : c.item_bytes <= 16 ? 9 : c.item_bytes <= 40 ? 5 : 1;
    const int items = base::min(40960 / (shape.threads * bytes), most);
    if (items > 2) shape.items_per_thread = (items - 1) | 1;
  }
  return tuning::fitted<sort_case>(shape, cc, c);
}

/// Whether small arrays of such elements are cut into tiles of their own, which passes merge by ranks.
MGPU_HOST_DEVICE constexpr bool fit_small_tiles(const sort_case& c) {
  return c.item_bytes <= 64 && c.key_bytes + c.value_bytes <= 64;
}

/// The shape of these tiles.
/// Keys in no order / mean 100, of 2^10, 2^14 and 2^16 elements, us: 512 x 5 8.9, 19.1 and 32.4 / 7.9, 13.4 and 21.2,
/// 256 x 5 8.4, 21.4 and 36.2 / 7.3, 16.2 and 24.4, 512 x 3 8.8, 21.8 and 33.4 / 7.3, 16.4 and 21.9, 512 x 9 9.5, 19.5
/// and 32.0 / 7.9, 13.3 and 18.6, 1024 x 5 10.1, 20.6 and 30.5 / 8.8, 14.6 and 18.6 (H200, 2026-11-23, slower passes).
/// Elements of 16 bytes by a comparator, 2^12 / 2^14 / 2^16 / 2^17, in as few passes as such tiles allow: 512 x 5 19.2
/// / 30.1 / 38.2 / 62, 256 x 5 18.7 / 21.6 / 38.0 / 73, 512 x 3 18.8 / 21.7 / 37.9 / 74, 256 x 9 21 / 28 / 39 / 62, 512
/// x 9 39 / 31 / 42 / 63. Of 32 and 64 bytes, 2^14 / 2^16: 256 x 5 28 / 60 and 49 / 132, 512 x 3 30 / 66 and 52 / 148
/// (H200, 2026-11-24).
MGPU_HOST_DEVICE constexpr base::tile_shape sort_small_tiles(int cc, const sort_case& c) {
  const int bytes = base::max(c.item_bytes, c.key_bytes + c.value_bytes);
  base::tile_shape shape{bytes <= 16 ? 512 : 256, 5, 1, 0};
  // Some architectures have 64 or 99 KiB of shared memory for a block. Where values are staged behind items that hold
  // their places, a tile takes more than a key and a value for each element.
  const bool has_99_kib = (cc > 80 && cc < 90) || cc >= 120;
  if ((cc < 80 && bytes > 32) || (has_99_kib && c.item_bytes + c.value_bytes > 76)) shape.items_per_thread = 3;
  return tuning::fitted<small_sort_shape>(shape, cc, c);
}
/// The shape of such tiles that are sorted by ranks.
MGPU_HOST_DEVICE constexpr base::tile_shape sort_ranked_tiles(int cc, const sort_case& c) {
  const int bytes = base::max(c.item_bytes, c.key_bytes + c.value_bytes);
  return tuning::fitted<small_sort_shape>({bytes <= 16 ? 512 : 256, 1, 1, 0}, cc, c);
}
/// The shape of such tiles that are sorted by digits. us, pairs of u32 in segments of 0 to 1,200 / 2,000 / 4,000
/// elements, 2^16 and 2^17: 512 x 8 15, 23 / 16, 21 / 19, 19, with two blocks 17, 19 / 16, 21 / 20, 20, 512 x 12 15, 24
/// / 17, 23 / 21, 21, 256 x 16 17, 18 / 17, 19 / 22, 22 (H200, 2026-11-26). 2^18 in segments of 0 to 4,000 / 5,000 /
/// 5,000 of few values / 0 to 20,000, of u32: 512 x 8 21 / 34 / 47 / 47, 512 x 16 24 / 23 / 39 / 46, by
/// cub::BlockRadixSort of all digits 512 x 15 39 / 25 / 24 / 42; of f32: 36 / 49 / 55 / 71, 36 / 56 / 49 / 54, 48 / 30
/// / 28 / 47; of u64: 24 / 38 / 53 / 52, 26 / 26 / 46 / 52, 74 / 45 / 41 / 65 (H200, benchmarks/sort_grid.cu,
/// 2026-11-29).
MGPU_HOST_DEVICE constexpr base::tile_shape sort_digit_tiles(int cc, const sort_case& c) {
  const bool has_99_kib = (cc > 80 && cc < 90) || cc >= 120;
  const int most_bytes = cc < 80 ? 8 : has_99_kib ? 16 : 32;  // so that a tile fits the shared memory
  return tuning::fitted<small_sort_shape>({512, c.item_bytes + c.value_bytes > most_bytes ? 4 : 8, 2, 0}, cc, c);
}
/// A block that merges 32 elements with the other runs. A warp searches in one of them, or in two.
inline constexpr int rank_warps = 8;
MGPU_HOST_DEVICE constexpr base::tile_shape sort_rank_tiles(int cc, const sort_case& c) {
  return tuning::fitted<rank_tiles>({32 * rank_warps, 1, 1, 0}, cc, c);
}

/// The shape of their tiles. u32, a whole sort of 2^18 / 2^20 / 2^21: 512 x 5 45 / 82 / 144, 512 x 9 44 / 70 / 115,
/// 256 x 9 44 / 71 / 124, 256 x 17 51 / 69 / 101. Keys of 16 bytes, 2^18 / 2^20: 128 x 9 85 / 215, 256 x 5 95 / 233,
/// 256 x 7 92 / 226, 128 x 13 101 / 256 (2026-11-25, with other passes).
MGPU_HOST_DEVICE constexpr base::tile_shape sort_sampled_tiles(int cc, const sort_case& c) {
  const int bytes = base::max(c.item_bytes, c.key_bytes + c.value_bytes);
  base::tile_shape shape = bytes <= 8    ? base::tile_shape{256, 17, 1, 0}
                           : bytes <= 16 ? base::tile_shape{128, 9, 1, 0}
                                         : sort_small_tiles(cc, c);
  return tuning::fitted<sampled_sort_shape>(shape, cc, c);
}

/// The most runs that are merged at a time there, and the most elements between two samples of a run.
inline constexpr int most_sampled_runs = 16, most_sample_items = 128;

/// The elements between two samples of `width` runs that tiles of `tile_items` elements merge. A border is as many
/// elements for each run away from its place: at most half of a tile.
constexpr int sort_sample_items(int tile_items, int width) {
  int items = 1;
  while (items < most_sample_items && 4 * width * items <= tile_items) items *= 2;
  return items;
}

/// The shape of tiles that merge two runs. A tile holds at least one cell. Merges need other numbers of registers than
/// sorts.
MGPU_HOST_DEVICE constexpr base::tile_shape sort_two_way(int cc, const sort_case& c) {
  base::tile_shape shape = sort(cc, c);
  // Pairs: 256 x 23 with 4 blocks - / 1,153 / 3,041, with 3 - / 1,169 / 3,035; 128 x 45 - / 1,176 / 3,045, 192 x 31 - /
  // 1,174 / 3,044.
  if (c.item_bytes == 8 && c.key_bytes + c.value_bytes <= 8) shape.blocks_per_sm = 4;
  return tuning::fitted<two_way_tiles>(shape, cc, c);
}

/// How many levels of its merge sort a wide pass takes a segment further: 4 runs are merged at once. Random u32, 2^26
/// in one segment, us of a search and of the merges of a pass: 4 runs 58 + 244, 8 runs 158 + 336. So 8 runs take 1,970
/// for 12 levels, 4 runs 1,810. With way_search 8 runs take 56 + 338 and 1,580, but 195 to 280 + 146 in reversed keys,
/// which 4 runs merge in 62 + 142 (H200 at its base clock, 2026-11-24).
inline constexpr int sort_wide_levels = 2;

/// The shape of tiles that merge several runs. A tile holds at least one cell.
MGPU_HOST_DEVICE constexpr base::tile_shape sort_wide(int cc, const sort_case& c) {
  base::tile_shape shape = sort(cc, c);
  // Keys, mean 1,000,000: 192 x 41 with 4 blocks 1,646, with 5 1,667; 224 x 35 1,646, 160 x 49 1,664, 256 x 31 1,740.
  const bool sorts_keys = shape.threads == 256 && shape.items_per_thread == 31;
  // Pairs: 128 x 45 3,061, 160 x 37 3,075, 256 x 23 3,111, 192 x 31 3,153, 128 x 49 and 96 x 61 over 3,200.
  const bool sorts_pairs = shape.threads == 256 && shape.items_per_thread == 23;
  if (sorts_keys) shape = {192, 41, 4, 0};
  if (sorts_pairs) shape = {128, 45, 4, 0};
  return tuning::fitted<wide_tiles>(shape, cc, c);
}

/// Elements are brought back by at least so many blocks, if there are tiles for them. It is an odd number: tiles at the
/// distance of a power of two often come back together, and would all be one block's. 2^24 u32 with 137 blocks take 92
/// us, with 528, 1,024 and 4,096 43, 43 and 44 on 132 multiprocessors (H200, 2026-11-24).
constexpr offset least_bring_back_blocks(int multiprocessors) { return 4 * multiprocessors + 1; }

/// The shape of a tile of a radix sort.
struct radix_case {
  int key_bytes;
  int value_bytes;  // 0 without values
};
MGPU_HOST_DEVICE constexpr base::tile_shape radix_pass(int cc, const radix_case& c) {
  // In one segment, us. 2^26 / 2^24 / 2^22 / 2^20 pairs of u32 in no order, with 2 blocks: 384 x 23 2,024 / 600 / 196
  // / 75, 384 x 25 1,994 / 599 / 204 / 74, 256 x 31 2,083 / 628 / 211 / 78, 512 x 17 2,078 / 601 / 183 / 69, 256 x 27
  // with 3 2,131 / 652 / 223 / 84 (H200); 384 x 23 2,425 / 700 / 214 / 76, 384 x 25 2,400 / 688 / 228 / 76, 384 x 29
  // 2,363 / 688 / 240 / 81, 416 x 25 2,475 / 698 / 229 / 83, 448 x 23 2,439 / 669 / 215 / 83, 320 x 31 2,433 / 705 /
  // 241 / 85 (H100). 2^25 / 2^20 of u64 and u32, 384 x 16 3,290 / 163, 384 x 19 3,230 / 179; u64 and u64, 384 x 14
  // 4,233 / 168, 384 x 16 4,114 / 177; u64, 384 x 17 2,087 / 141, 384 x 19 2,067 / 149 (H100, 2026-11-26).
  // With what is known of a tile in registers, 2^26 pairs of u32, in no order / of 1,000 keys / in order / of one key:
  // 384 x 23 with 2 blocks 2,154 / 1,811 / 2,038 / 1,677, 384 x 21 with 2 2,173 / 1,849 / 2,444 / 1,724, 256 x 31 with
  // 2 2,131 / 1,816 / 2,036 / 1,689, but 2^20 and 2^22 7 and 12 % more; in no order 256 x 35 with 2 2,164, 384 x 25
  // with 2 2,180, 512 x 17 with 2 2,204 (H200, 2026-11-26).
  // With ranks by atomics: keys, 2^26 of u32, 256 x 27 with 3 blocks 1,336; with more spilled 1,366, 256 x 31 1,460,
  // 256 x 24 with 4 1,465, 384 x 23 with 2 1,495, 384 x 20 with 3 1,471. 2^25 of u64: 384 x 17 with 2 1,927, 384 x 15
  // 2,021, 256 x 16 with 3 2,110. 2^26 pairs of u32: 256 x 25 with 3 2,280. 2^25 of u64 and u32: 384 x 16 with 2 2,656,
  // 384 x 17 2,696, 384 x 15 2,800 (H200, 2026-11-23).
  // 2^25 pairs of u64, with 2 blocks: 384 x 16 3,585, 384 x 15 3,527, 384 x 14 3,317, 384 x 13 3,505, 320 x 18 3,333,
  // 320 x 16 3,425, 288 x 18 3,385, 256 x 22 3,383; 512 x 11 3,579, 256 x 16 with 3 4,029 (H200, 2026-11-26).
  // 2^25 / 2^21 pairs of u32 and u64: 384 x 13 1,690 / 137, 384 x 14 1,700 / 138, 384 x 15 1,796 / 143, 384 x 16 1,846
  // / 150 (H100, 2026-11-26).
  base::tile_shape shape{256, 27, 3, 0};
  if (c.value_bytes > 0) shape = {384, 25, 2, 0};
  if (base::max(c.key_bytes, c.value_bytes) == 8) {
    const bool are_both = c.key_bytes == 8 && c.value_bytes == 8;
    shape = {384, c.value_bytes == 0 ? 17 : are_both ? 14 : c.key_bytes == 8 ? 16 : 13, 2, 0};
  }
  return tuning::fitted<radix_case>(shape, cc, c);
}

/// The elements of a tile that are kept for the end of a segment that begins in it. A segment of at most as many
/// elements is never cut.
MGPU_HOST_DEVICE constexpr int sort_slack(int items_per_tile) {
  return items_per_tile / (items_per_tile >= sort_host_items_per_tile ? 8 : 32);
}
MGPU_HOST_DEVICE constexpr int sort_cell_items(int items_per_tile) {
  return items_per_tile - sort_slack(items_per_tile);
}

}  // namespace detail::tuning
MGPU_NAMESPACE_END
