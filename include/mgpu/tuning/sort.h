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

/// The arrays of numbers that are sorted by comparisons instead of digits: those of more than `above` and at most
/// `most` elements.
struct compared_counts {
  offset above, most;

  constexpr bool has(offset count) const { return above < count && count <= most; }
};
/// A whole call on the GPU in us, by comparisons and by digits, 2^12 / 2^13 / 2^15 / 2^17 / 2^18 / 2^19 / 2^20
/// elements:
///   u8        12 and 9 / 17 and 19 / 29 and 20 / 47 and 22
///   u16       13 and 11 / 18 and 28 / 30 and 30 / 50 and 33
///   u32       11 and 14 / 16 and 45 / 29 and 48 / 49 and 55 / 57 and 58 / 69 and 65 / 92 and 77
///   u64       16 and 73 / 21 and 76 / 37 and 85 / 55 and 97 / 114 and 106 / 134 and 122 / 166 and 158
///   u32 + u32 15 and 19 / 22 and 49 / 38 and 54 / 60 and 61 / 70 and 65 / 88 and 73 / 134 and 88
///   u64 + u32 19 and 82 / 25 and 87 / 43 and 97 / 61 and 109 / 73 and 118 / 111 and 135 / 167 and 183
///   u64, 150,000 / 2^18 / 300,000 / 2^19 / 700,000, beside our own sort by digits: 64 and 86 / 67 and 90 / 88 and 91 /
///             92 and 95 / 120 and 101; f64 is the same, to 3 us (2026-11-25)
///   f64 + 16  32 and 79 / 40 and 86 / 60 and 96 / 82 and 112 / 99 and 129 / 180 and 180
///   u32 + 32  44 and 52 / 48 and 54 / 62 and 62 / 99 and 79
/// (H200, 2026-11-22).
constexpr compared_counts counts_of_compared_numbers(int key_bytes, int value_bytes) {
  if (key_bytes == 1) return {5'000, 10'000};
  if (key_bytes == 2) return {5'000, 24'000};
  if (key_bytes <= 4) return {0, value_bytes == 0 ? 1 << 18 : value_bytes <= 8 ? 1 << 17 : 1 << 15};
  return {0, value_bytes == 0 ? 1 << 19 : value_bytes <= 8 ? 1 << 20 : 1 << 18};
}

/// The arrays that a stable sort takes to the sort of small arrays, if that has such elements. A whole call in us, so
/// and otherwise, 2^11 / 2^12 / 2^14 / 2^16 / 2^17: u8 14 and 9 / 14 and 9 / 18 and 23; u16 14 and 11 / 14 and 11 / 18
/// and 27 / 29 and 33; u32 14 and 13 / 14 and 15 / 17 and 25 / 30 and 42 / 45 and 52; u64 16 and 15 / 15 and 20 / 20
/// and 31 / 32 and 49 / 50 and 57; u32 + u32 15 and 16 / 14 and 19 / 19 and 33 / 30 and 51 / 47 and 62 (H200,
/// 2026-11-23). u32 + 32, 2^10 / 2^12 / 2^14 / 2^17: 16 and 34 / 20 and 49 / 26 and 77 / 82 and 114; u64 + u64, 2^10 /
/// 2^14 / 2^17: 15 and 20 / 26 and 40 / 60 and 69 (2026-11-24). With tiles that are sorted by ranks, 2^8 / 2^10 / 2^11,
/// beside cub::DeviceMergeSort: u32 6, 10 / 7, 11 / 9, 12; u64 6, 11 / 8, 12 / 10, 13 (2026-11-26).
constexpr compared_counts counts_of_small_sort(int key_bytes) {
  if (key_bytes <= 2) return {5'000, key_bytes == 1 ? 1 << 14 : 1 << 16};
  return {0, 1 << 17};
}

/// The arrays that a stable sort takes to our own radix sort instead of CUB's sorts. A whole call in us, 2^18 / 2^20 /
/// 2^22 / 2^24 / 2^26, own and CUB's: u16 31 and 37 / 36 and 45; u32 50 and 59 / 62 and 79 / 130 and 167 / 389 and 420
/// / 1,336 and 1,410; u64 86 and 108 / 127 and 160 / 327 and 384 / 1,023 and 1,148; u32 + u32 60 and 70 / 68 and 85 /
/// 187 and 207 / 588 and 554 / 2,131 and 1,912; u64 + u32 98 and 74 / 144 and 157 / 438 and 464 / 1,466 and 1,407
/// (H200, 2026-11-23). 2^18 / 2^20 / 2^21 / 2^22 / 2^23 / 2^26, the better of CUB's: u16 34 and 42 / 39 and 47 / 50 and
/// 60 / 76 and 88 / 115 and 128 / 694 and 733; u16 + u32 42 and 45 / 53 and 51 / 65 and 70 / 119 and 111 / 198 and 172;
/// u32 + u64 57 and 74 / 80 and 100 / 136 and 167 / 245 and 270 / 460 and 454 / 3,371 and 3,180; u64 + u32 114 and 78 /
/// 159 and 160 / 278 and 322 / 484 and 515 / 876 and 887 / 6,590 and 6,325; u64 + u64 105 and 81 / 166 and 184 / 305
/// and 361 / 550 and 603 / 1,075 and 1,091 / 8,377 and 8,220 (H100, 2026-11-26).
constexpr compared_counts counts_of_own_radix_sort(int key_bytes, int value_bytes) {
  if (value_bytes > 8) return {0, 0};
  if (key_bytes == 2) return {1 << 16, 1 << (value_bytes == 0 ? 29 : 21)};
  return {1 << (key_bytes == 8 ? 19 : 17), 1 << (value_bytes == 0 ? 29 : 22)};
}

/// What the shape of a sort's tile depends on.
struct sort_case {
  int key_bytes;
  int value_bytes;  // 0 without values
  int item_bytes;   // of what moves while a tile is sorted: keys, or keys with their values or places
};

/// The kinds of tiles whose shapes depend on that: those that are sorted first are the kind sort_case.
struct few_sort_tiles;
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
MGPU_HOST_DEVICE constexpr bool has_few_tiles_shape(const sort_case& c) {
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
MGPU_HOST_DEVICE constexpr base::tile_shape sort_few_tiles(int cc, const sort_case& c) {
  const int bytes = base::max(c.item_bytes, c.key_bytes + c.value_bytes);
  base::tile_shape shape{bytes <= 16 ? 512 : 256, 5, 1, 0};
  // Some architectures have 64 or 99 KiB of shared memory for a block. Where values are staged behind items that hold
  // their places, a tile takes more than a key and a value for each element.
  const bool has_99_kib = (cc > 80 && cc < 90) || cc >= 120;
  if ((cc < 80 && bytes > 32) || (has_99_kib && c.item_bytes + c.value_bytes > 76)) shape.items_per_thread = 3;
  return tuning::fitted<few_sort_tiles>(shape, cc, c);
}
/// The shape of such tiles that are sorted by ranks.
MGPU_HOST_DEVICE constexpr base::tile_shape sort_ranked_tiles(int cc, const sort_case& c) {
  const int bytes = base::max(c.item_bytes, c.key_bytes + c.value_bytes);
  return tuning::fitted<few_sort_tiles>({bytes <= 16 ? 512 : 256, 1, 1, 0}, cc, c);
}
/// The shape of such tiles that are sorted by digits. us, pairs of u32 in segments of 0 to 1,200 / 2,000 / 4,000
/// elements, 2^16 and 2^17 (H200, 2026-11-26):
///   by all digits         512 x 8 17, 26 / 18, 27 / 21, 21     512 x 12 16, 26 / 17, 27 / 23, 22
///                         256 x 16 15, 18 / 17, 20 / 20, 21
///   by the first digits   512 x 8 15, 23 / 16, 21 / 19, 19, with two blocks 17, 19 / 16, 21 / 20, 20
///                         512 x 12 15, 24 / 17, 23 / 21, 21     256 x 16 17, 18 / 17, 19 / 22, 22
///                         512 x 8 in a third fewer instructions, elements not in registers 16, 24 / 16, 22 / 20, 21
MGPU_HOST_DEVICE constexpr base::tile_shape sort_digit_tiles(int cc, const sort_case& c) {
  const bool has_99_kib = (cc > 80 && cc < 90) || cc >= 120;
  const int most_bytes = cc < 80 ? 8 : has_99_kib ? 16 : 32;  // so that a tile fits the shared memory
  return tuning::fitted<few_sort_tiles>({512, c.item_bytes + c.value_bytes > most_bytes ? 4 : 8, 2, 0}, cc, c);
}
/// A block that merges 32 elements with the other runs. A warp searches in one of them, or in two.
inline constexpr int rank_warps = 8;
MGPU_HOST_DEVICE constexpr base::tile_shape sort_rank_tiles(int cc, const sort_case& c) {
  return tuning::fitted<rank_tiles>({32 * rank_warps, 1, 1, 0}, cc, c);
}

/// How many elements an array has that stable_sort sorts by a comparator with samples: plan/sort/sampled_sort.h.
/// Smaller ones are sorted as small ones, larger ones as large ones, which takes less time if they are nearly in order.
/// us, in no order and nearly in order: this / the other way / cub::DeviceMergeSort (H200, 2026-11-25).
///   u32       2^17 43, 37 / 46, 45 / 51, 46        2^18 50, 42 / 105, 55 / 59, 55
///             2^20 67, 47 / 154, 66 / 92, 81       2^22 189, 140 / 274, 102 / 214, 181
///   u64       2^18 52, 44 / 114, 57 / 68, 66       2^20 88, 74 / 170, 68 / 137, 139
///             2^21 147, 111 / 227, 81 / 227, 233
///   16 bytes  2^17 76, 56 / 71, 68 / 78, 69        2^18 84, 58 / 176, 77 / 102, 93
///             2^20 206, 151 / 313, 95 / 261, 232   2^21 356, 254 / 575, 157 / 530, 482
///   32 bytes  2^17 110, 80 / 113, 100 / 115, 109   2^19 331, 221 / 431, 133 / 321, 299
///   64 bytes  2^17 208, 171 / 251, 227 / 243, 227  2^18 400, 326 / 676, 165 / 438, 406
struct sampled_sort_counts {
  offset least, most;
};
constexpr sampled_sort_counts sort_sampled_counts(const sort_case& c) {
  const int bytes = c.key_bytes + c.value_bytes;
  const offset least = bytes > 8 && bytes <= 16 ? 1 << 17 : 1 << 16;
  const offset most = bytes <= 4 ? 1 << 22 : bytes <= 16 ? 1 << 21 : (1 << 24) / bytes;
  return {count_trial<few_sort_tiles>::of(least) + 1, count_trial<sampled_sort_counts>::of(most)};
}

/// The shape of their tiles. u32, a whole sort of 2^18 / 2^20 / 2^21: 512 x 5 45 / 82 / 144, 512 x 9 44 / 70 / 115,
/// 256 x 9 44 / 71 / 124, 256 x 17 51 / 69 / 101. Keys of 16 bytes, 2^18 / 2^20: 128 x 9 85 / 215, 256 x 5 95 / 233,
/// 256 x 7 92 / 226, 128 x 13 101 / 256 (2026-11-25, with other passes).
MGPU_HOST_DEVICE constexpr base::tile_shape sort_sampled_tiles(int cc, const sort_case& c) {
  const int bytes = base::max(c.item_bytes, c.key_bytes + c.value_bytes);
  base::tile_shape shape = bytes <= 8    ? base::tile_shape{256, 17, 1, 0}
                           : bytes <= 16 ? base::tile_shape{128, 9, 1, 0}
                                         : sort_few_tiles(cc, c);
  return tuning::fitted<sampled_sort_counts>(shape, cc, c);
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

/// Elements are brought back by at least so many blocks, if there are tiles for them. It is no power of two: tiles at
/// such distances often come back together, and would all be one block's. 2^24 u32 with 137 blocks take 92 us, with
/// 528, 1,024 and 4,096 43, 43 and 44; 2^26 within 100,000 of their places 32, 65 and 44 (H200, 2026-11-24).
inline constexpr offset least_calls_of_bring_back = 528;

/// Which segments of numbers are sorted by digits: at most so many, in arrays of at least so many elements, if each has
/// enough on average. The longer segments are, the longer merges take; few elements take the time of launches.
struct digit_sorted_segments {
  int most;
  offset least_count;
  offset least_mean;  // in arrays of at most `short_count` elements
  offset short_count;
  offset least_long_mean;  // in those of at most `long_count`
  offset long_count = offset{1} << 30;
  offset least_longest_mean = 1;  // in longer ones

  constexpr bool has(offset segments, offset count) const {
    const offset mean = count <= short_count ? least_mean : count <= long_count ? least_long_mean : least_longest_mean;
    return segments <= most && count >= least_count && count < offset{1} << 30 && count / mean >= segments;
  }
};
/// By digits and by merges in us: 2^26 of u32 1,580 to 1,650 in any segments, and 1,640 with mean 1,000,000, 1,240 with
/// 100,000; in 7 segments, 2^20 60 and 111, 2^22 134 and 214. Pairs of u32 2,180 and 3,040 with mean 1,000,000, 2,370
/// with 100,000; 2^19 in one segment 69, 2^18 by merges 108. 2^25 of u64 1,927 and 2,354 in one segment; with u32 2,656
/// and 4,583, in 7 segments 3,892 (H200, 2026-11-23). In 1 / 3 / 7 / 15 / 31 segments of one length, by digits and by
/// merges (H100, 2026-11-26):
///   u32, 2^18 60, 125 / 58, 92 / 56, 78 / 56, 61 / 57, 43     2^19 60, 354 / 57, 231 / 58, 188 / 55, 169 / 56, 100
///     2^20 73, 154 / 68, 129 / 68, 113 / 67, 98 / 72, 92     2^22 148, 286 / 125, 239 / 120, 219 / 121, 193 / 125, 180
///   u32 and u32, 2^18 71, 145 / 68, 101 / 72, 84 / 71, 69 / 75, 48
///     2^19 74, 360 / 70, 242 / 71, 194 / 69, 183 / 74, 112     2^20 82, 169 / 80, 142 / 79, 128 / 73, 114 / 93, 103
///   u64, 2^18 95, 159 / 91, 111 / 87, 89 / 89, 73 / 90, 49     2^19 101, 413 / 101, 267 / 96, 209 / 93, 201 / 97, 120
///     2^20 147, 153 / 130, 146 / 124, 130 / 125, 110 / 130, 97     2^22 361, 353 / 349, 350 / 348, 348 / 339, 279
///   u64 and u64, 2^18 105, 171 / 99, 124 / 98, 105 / 97, 80
///     2^19 117, 170 / 113, 133 / 109, 121 / 148, 109 / 120, 95
///     2^20 171, 166 / 160, 199 / 154, 178 / 156, 162 / 163, 144
///   u64 and u32, 2^18 114, 170 / 107, 119 / 102, 103 / 103, 81     2^20 177, 175 / 166, 217 / 155, 186 / 155, 383
constexpr digit_sorted_segments segments_sorted_by_digits(int key_bytes, int value_bytes) {
  if (key_bytes == 2) return {127, 1 << 18, 1 << 14, 1 << 30, 1 << 14};
  if (key_bytes == 4 && value_bytes == 0) return {127, 1 << 18, 15'000, 1 << 19, 31'000, 1 << 23, 3 << 19};
  if (key_bytes == 4) return {127, 1 << 18, 15'000, 1 << 19, 31'000};
  if (value_bytes == 0) return {127, 1 << 18, 29'000, 1 << 19, 1 << 18, 1 << 22, 1 << 22};
  return {127, 1 << 18, 29'000, 1 << 20, 1 << 18};
}

/// Arrays of fewer elements are not looked at for whether they are far from sorted: that takes time, too. Pairs of u64,
/// 2^18 / 2^19, without and with that look: each within 25 of its place 52, 61 / 58, 65; in no order 130, 78 / 162, 86
/// (H100, 2026-11-26).
constexpr offset least_far_count(int key_bytes, int value_bytes) {
  return key_bytes == 8 && value_bytes > 0 ? 1 << 20 : 1 << 18;
}

/// Which segments of bytes are counted. 2^26 bytes in one segment 150 us, in segments of 4,097 179, of 1,030 375 (H200,
/// 2026-11-23); by merges 2,580 in 7 segments, 1,074 in segments of 4,097 (2026-11-22).
constexpr digit_sorted_segments segments_of_counted_bytes() { return {1 << 30, 1 << 17, 1 << 10, 1 << 30, 1 << 10}; }

/// Whether an array is so far from sorted that digits are faster than merges: of 16,384 pairs of its elements so many
/// are in the wrong order that are near each other, and that are a cell apart. If elements are more than a cell from
/// their places, merges take all levels. Sorted parts of an array are merged sooner: they have few neighbours in the
/// wrong order.
MGPU_HOST_DEVICE constexpr bool is_far_from_sorted(unsigned near, unsigned far) { return near >= 8 && far >= 8; }
/// The elements between two that are near each other.
inline constexpr int near_sample_items = 128;

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
