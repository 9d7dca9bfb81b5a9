// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How the GPU cuts small arrays into tiles, and how many passes merge them by ranks.

#include <mgpu/base/math.h>
#include <mgpu/tuning/sort.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tuning {

/// Arrays of more elements are no small ones: 2^17 and 2^18 u32 in no order, small tiles 43 and 138 us, large ones 88
/// and 103. By a comparator, 2^17, in no order and nearly sorted: u32 49 and 49, large tiles 93 and 47; 16 bytes 62 and
/// 58, large tiles 109 and 53; 64 bytes 226 and 208, large tiles 365 and 134, cub::DeviceMergeSort 239 and 227 (H200,
/// 2026-11-24).
inline constexpr offset most_items_of_few_tiles = count_trial<few_sort_tiles>::of(1 << 17);

/// The same for segments between bounds. Most of them lie in one tile or two. us, small tiles and large ones (H200,
/// 2026-11-26):
///   segments of 0 to 20 / 600 / 2,000 / 6,000 elements / one of half the array, pairs of u32
///     2^18 15, 25 / 21, 40 / 24, 44 / 30, 50 / 71, 91     2^19 21, 26 / 29, 41 / 34, 45 / 44, 70 / 101, 110
///     2^20 37, 34 / 50, 53 / 60, 58 / 77, 86 / 249, 127
///   0 to 20 / 2,000 / half the array, u64 and u32
///     2^18 18, 24 / 34, 45 / 87, 99     2^19 30, 30 / 57, 55 / 131, 114
///   0 to 200 / 2,000 / half the array, 32 bytes
///     2^18 48, 66 / 66, 104 / 118, 146     2^19 85, 104 / 117, 157 / 260, 226
constexpr offset most_segmented_items_of_few_tiles(const sort_case& c) {
  const bool is_narrow = c.key_bytes <= 4 && c.key_bytes + c.value_bytes <= 8;
  return count_trial<few_sort_tiles>::of(is_narrow ? 1 << 19 : 1 << 18);
}

/// The elements of such a tile are a multiple of so many.
inline constexpr int few_tile_unit = 32;

/// The most runs that are merged by ranks at a time. For more tiles than two such passes merge, twice as many.
inline constexpr int ranked_runs = 8;
inline constexpr offset tiles_of_two_passes = offset{ranked_runs} * ranked_runs;

/// A small array has larger tiles than these only if two passes of 8 runs could not merge all: small tiles are sorted
/// sooner, and cut more segments. us (H200, 2026-11-25):
///   one segment, by a comparator, in tiles of 1024 / 512 / 256: 16 bytes 2^10 24 / 21 / 20, 2^12 25 / 26 / 22, 2^13
///   30 / 25 / 25; pairs of u64 2^10 14.0 / 13.0 / 12.3, but by less 13.8 / 12.6 / 13.6
///   in tiles of 256 / 128 / 64: 32 bytes 2^8 23 / 18 / 17, 2^10 24 / 27 / 22; 64 bytes 2^8 34 / 24 / 23, 2^10
///   33 / 34 / 29
///   u32, 2^11, in one tile 15, in eight 19
///   pairs of u64, segments of 10, 2^13, in tiles of 1024 / 512: 14 / 16 to 19
constexpr int good_items_of_few_tiles(const sort_case& c, bool has_one_segment) {
  const int bytes = c.key_bytes + c.value_bytes;
  if (c.item_bytes > 16) return has_one_segment ? 64 : 256;
  if (bytes <= 8) return 2560;
  if (has_one_segment && bytes <= 16) return c.value_bytes == 0 ? 256 : 512;
  return bytes <= 16 ? 1024 : 512;
}

/// The elements of the tiles of a small array's segments. A tile takes up to as many more that belong to a segment that
/// begins in it, if there is room for them: then fewer segments are cut, and only cut ones move in passes. us, segments
/// of 0 to 20 / 600 / 2,000 / 6,000 elements / one of half the array (H200, 2026-11-26):
///   pairs of u32, tiles of 768, 1,024, 1,280, 2,048
///     2^15 11, 11, 11, 12 / 14, 14, 14, 18 / 18, 19, 20, 20 / 21, 19, 19, 20 / 24, 22, 21, 21
///     2^16 11, 11, 11, 12 / 15, 15, 15, 18 / 19, 20, 20, 21 / 23, 22, 22, 21 / 42, 31, 33, 26
///     2^17 -, 14, 14, 15 / -, 18, 18, 20 / -, 24, 23, 24 / -, 28, 28, 26 / -, 43, 39, 37
///     2^18 -, 16, 16, 15 / -, 20, 21, 21 / -, 30, 30, 24 / -, 38, 36, 30 / -, 86, 87, 71
///   0 to 200 / 2,000 / half the array, 32 bytes, tiles of 512, 640, 1,024
///     2^16 22, 23, 27 / 36, 39, 39 / 54, 56, 49     2^17 34, 36, 33 / 57, 59, 45 / 67, 66, 65
constexpr offset segmented_items_of_few_tiles(offset count, int bytes) {
  if (bytes > 16) return count <= 1 << 16 ? 512 : 1024;
  return count <= 1 << 15 ? 768 : count <= 1 << 16 ? 1024 : count <= 1 << 17 ? 1280 : 2048;
}

/// The elements of a small array's tiles: one tile if it can hold all, else as many tiles as its passes can merge. If
/// two passes of 8 runs are not enough, two of more, or three for one segment of narrow elements.
///   us, one segment, three passes and two: 24 bytes, 83,000 / 100,000 / 2^17 elements 65 and 68 / 74 and 76 / 88 and
///   96, 32 bytes 79 and 80 / 87 and 88 / 106 and 107 (H100), 64 bytes 185 and 138 / 196 and 152 / 225 and 200 (H200)
///   segments of 1 to 200 elements, 2^17 of 32 bytes 71 and 40 (H200, 2026-11-25)
inline offset items_of_few_tiles(offset count, const sort_case& c, int most_items, bool has_one_segment) {
  const int good = base::min(tuning::good_items_of_few_tiles(c, has_one_segment), most_items);
  if (count <= good) return count;
  const int bytes = c.key_bytes + c.value_bytes;
  if (!has_one_segment) return base::min(tuning::segmented_items_of_few_tiles(count, bytes), offset{most_items});
  const int more = bytes <= 32 ? ranked_runs : 2;
  offset tiles = ranked_runs;
  while ((tiles < tiles_of_two_passes && tiles * good < count) || tiles * most_items < count)
    tiles *= tiles < tiles_of_two_passes ? ranked_runs : more;
  return base::align_up(base::ceil_div(count, tiles), offset{few_tile_unit});
}

/// A small array of one segment that is sorted by ranks has larger tiles than these only if two passes of 8 runs could
/// not merge all. us, one tile / 8 / 64, and tiles that are not sorted by ranks (H200, 2026-11-26):
///   u32, by less or a comparator   2^8 5.8, 6.7, -, 8.5     2^9 7.2, 7.3, 9.4, 9.4     2^10 -, 7.3, 9.4, 10.4
///                                  2^11 -, 9.2, 9.8, 12.4     2^12 -, 10.8, 10.9, 12.9     2^14 -, -, 13.7, 16.7
///                                  2^15 -, -, 17.3, 19.7
///   16 bytes   2^7 5.7, 7.9, -, 12.5     2^8 8.1, 8.1, -, 14.0     2^9 11.5, 9.6, 12.1, 15.1
///              2^10 -, 9.8, 12.3, 16.8     2^11 -, 12.8, 12.5, 18.9     2^12 -, 16.4, 13.8, 19.5
///              2^14 -, -, 18.3, 24.7
///   64 bytes   2^7 6.2, 8.0, -, 16.9     2^8 10.0, 8.6, -, 17.3     2^10 -, 10.9, 13.0, 22.0
///              2^11 -, 15.2, 13.5, 22.5     2^12 -, -, 15.6, 26.7     2^14 -, -, 27.8, 43.7
constexpr int good_items_of_ranked_tiles(const sort_case& c) {
  const int bytes = c.key_bytes + c.value_bytes;
  return bytes <= 8 ? 512 : bytes <= 32 ? 256 : 128;
}

/// The elements of the tiles of a small array of one segment that are sorted by ranks: one tile, or as many as one pass
/// or two merge. 0 if such tiles cannot hold all.
inline offset items_of_ranked_tiles(offset count, const sort_case& c, int most_items) {
  const offset good = base::min(tuning::good_items_of_ranked_tiles(c), most_items);
  if (count <= good) return count;
  const offset tiles = count <= ranked_runs * good ? offset{ranked_runs} : tiles_of_two_passes;
  const offset items = base::align_up(base::ceil_div(count, tiles), offset{few_tile_unit});
  return items <= most_items ? items : 0;
}

/// The passes that merge `tiles` tiles: each up to `ways` runs.
struct rank_passes {
  int count, ways;

  constexpr offset reach() const {
    offset result = 1;
    for (int i = 0; i < count; ++i) result *= ways;
    return result;
  }
};
constexpr rank_passes passes_of_one_segment(offset tiles) {
  rank_passes p{0, tiles > tiles_of_two_passes ? 2 * ranked_runs : ranked_runs};
  while (p.reach() < tiles) ++p.count;
  while (p.ways > 1 && rank_passes{p.count, p.ways - 1}.reach() >= tiles) --p.ways;
  return p;
}
/// Passes over segments move few elements, if any. The longest segment may have `tiles` tiles. us, with one pass and
/// with two, pairs of u32 in segments of 0 to 20 / 2,000 / 6,000 elements / one of half the array (H200, 2026-11-26):
///   2^16 11, 14 / 21, 23 / 25, 27 / 32, 29     2^17 12, 14 / 22, 24 / 31, 33 / 77, 41
///   in tiles that begin with segments 2^17 - / 19, 21 / 27, 29 / -
constexpr rank_passes passes_of_segments(offset tiles, offset count, bool begin_with_segments) {
  const int passes = count <= (begin_with_segments ? 1 << 17 : 1 << 16) ? 1 : 2;
  rank_passes p{tiles > 1 ? passes : 0, 1};
  while (p.reach() < tiles) ++p.ways;
  return p;
}

/// The blocks of a pass over segments. One that moves nothing takes 0.8 us, and 1.3 more for each 1,000 blocks. Merged
/// tiles that begin with segments leave little to do. us, 528, 264 and 132 blocks, pairs of u32 (H200, 2026-11-26):
///   in segments of 0 to 2,000 elements                 2^16 16.0, 15.8, 15.5     2^17 16.7, 16.1, 16.1
///   in those of 1,000 on average, few of them long     2^16 21.5, 21.2, 22.5     2^17 28.9, 27.4, 29.4
constexpr int rank_blocks(bool have_little_to_do) { return have_little_to_do ? 264 : 528; }

/// The most tiles of a small array with several segments.
inline constexpr int most_few_tiles = 1024;

/// Whether tiles begin with segments, if these cut the array into so many stretches: then hardly a segment is cut, but
/// tiles are as different as segments. us, such tiles and others, segments of 0 to 600 / 1,200 / 2,000 / 6,000 elements
/// / of 1,000 on average, few of them long (H200, 2026-11-26):
///   pairs of u32   2^13 14, 14 / 15, 18 / 17, 18 / 22, 18 / 22, 18     2^15 15, 14 / 16, 19 / 17, 20 / 23, 22 / 23, 20
///                  2^16 17, 15 / 16, 19 / 18, 21 / 24, 25 / 23, 23     2^17 32, 17 / 22, 19 / 19, 24 / 27, 33 / 30, 28
///   u64 and u32    2^13 15, 16 / 17, 22 / 23, 21 / - / 31, 20     2^15 16, 16 / 19, 23 / 23, 24 / - / 32, 23
///                  2^16 26, 19 / 19, 25 / 24, 28 / - / 33, 29     2^17 47, 21 / 34, 25 / 25, 33 / - / 42, 38
///   32 bytes, of 0 to 300 / 600 / 1,000 / 2,000
///                  2^13 18, 22 / 21, 22 / 27, 29 / 36, 32     2^15 20, 22 / 22, 30 / 29, 33 / 38, 34
///                  2^16 35, 23 / 27, 31 / 33, 34 / 39, 38     2^17 68, 36 / 53, 39 / 50, 43 / 64, 48
/// The same of 0 to 1,200, and of 0 to 2,000: pairs of u32 2^17 17, 19 / -, 2^18 28, 25 / 23, 29; u64 and u32 2^18 - /
/// 44, 38.
constexpr bool are_few_segments(offset stretches, offset count, offset tile_items, int bytes, bool sorts_warps) {
  const offset most_tiles = stretches + count / tile_items, mean = count / stretches;
  const bool sorts_long_ones = bytes <= 8 || count >= 1 << 15;
  return most_tiles <= (sorts_warps ? 400 : 256) && tile_items / 5 <= mean &&
         mean <= tile_items / (sorts_long_ones ? 2 : 4);
}

/// Whether such tiles are sorted by ranks: where each multiprocessor of an H200 has one of them. us, such tiles and
/// others, segments of 0 to 200 / 600 / 2,000 / 6,000 elements (H200, 2026-11-26):
///   pairs of u32   2^12 9, 12 / 14, 13 / 14, 17 / 14, 18     2^14 12, 13 / 14, 14 / 15, 17 / 16, 20
///                  2^15 15, 13 / 16, 14 / 17, 17 / 20, 22     2^16 24, 13 / 20, 15 / 22, 17 / 33, 24
///   u64 and u32    2^12 10, 14 / 15, 16 / 15, 20 / 15, 20     2^15 19, 15 / 17, 16 / 19, 23 / 23, 28
///   32 bytes       2^12 10, 20 / 15, 22 / 15, 25 / 17, 24     2^15 16, 21 / 19, 22 / 24, 34 / 25, 34
constexpr bool are_few_ranked_segments(offset stretches, offset count, offset tile_items) {
  return stretches + count / tile_items <= 128;
}

/// Smaller arrays have no tiles that are sorted by digits.
inline constexpr offset least_items_of_digit_tiles = 1 << 16;

/// Whether such tiles are sorted by digits, if elements are numbers of so many bytes with their values. us, such tiles,
/// others, and the better of CUB's segmented sorts, segments of 0 to 2,000 / 4,000 / 12,000 elements / of 1,000 on
/// average, few of them long / one of half the array (H200, 2026-11-26):
///   u32            2^16 16, 15, 15 / 18, 23, 16 / 25, 26, 50 / 23, 20, 48 / 29, 33, 135
///                  2^17 19, 17, 18 / 19, 29, 16 / 29, 38, 54 / 24, 24, 17 / 42, 42, 262
///                  2^18 22, 21, 25 / 22, 31, 16 / 36, 45, 66 / 34, 35, 28 / 60, 64, 499
///   pairs of u32   2^16 16, 17, 19 / 20, 25, 20 / 26, 27, 64 / 25, 22, 61 / 29, 34, 187
///                  2^17 21, 20, 21 / 20, 32, 19 / 31, 41, 69 / 25, 28, 20 / 44, 45, 362
///                  2^18 24, 26, 31 / 23, 35, 20 / 40, 50, 87 / 36, 40, 34 / 61, 70, 695
///   u64 and u32    2^16 20, 23, 22 / 24, 30, 83 / 33, 31, 150 / 30, 33, 122 / 35, 44, 482
///                  2^17 24, 30, 24 / 24, 40, 82 / 37, 48, 195 / 30, 42, 87 / 52, 56, 950
///                  2^18 28, 39, 39 / 28, 45, 82 / 46, 60, 203 / 42, 44, 121 / 73, 88, 1,860
///   f32 and f64    2^16 18, 16, 14 / 23, 25, 45 / 28, 28, 79 / 29, 22, 65 / 32, 34, 248
///                  2^17 21, 23, 17 / 24, 31, 45 / 36, 41, 102 / 29, 30, 47 / 47, 44, 489
///                  2^18 25, 31, 24 / 28, 35, 45 / 42, 49, 105 / 40, 34, 67 / 63, 69, 952
/// Pairs of u32, 2^19, 0 to 4,000 29, 51, 31. Passes of 264 blocks take 1 us less, but 54 and 78 instead of 44 and 61
/// where a segment has half of 2^17 and 2^18.
constexpr bool are_few_digit_segments(offset stretches, offset count, int bytes) {
  const offset mean = count / stretches;
  if (bytes > 16 || stretches > 264 || count < least_items_of_digit_tiles) return false;
  const bool is_short = count < 1 << 17;
  return mean >= (is_short || bytes <= 8 ? 1500 : 900) && !(is_short && mean > 2500);
}

/// The tiles of a small array with several segments: cells of one size; or tiles that begin with segments, and are
/// merged, sorted by ranks, or sorted by digits.
enum class segment_tiles { of_cells, merged, by_ranks, by_digits };

/// us, merged and by ranks, segments of 0 to 1,200 / 2,000 elements / of 1,000 on average, few of them long (H200,
/// 2026-11-26):
///   u32            2^12 12, 14 / 13, 14 / 17, 14     2^14 12, 15 / 13, 15 / 18, 15     2^15 12, 16 / 14, 17 / 18, 17
///   pairs of u32   2^12 13, 14 / 15, 14 / 20, 14     2^14 13, 15 / 16, 16 / 20, 16     2^15 13, 16 / 15, 17 / 20, 18
///   has_digits   elements are numbers
///   sorts_warps  tiles of one segment are sorted by warps first
constexpr segment_tiles tiles_of_segments(offset stretches, offset count, offset tile_items, offset ranked_tile_items,
                                          int bytes, bool has_digits, bool sorts_warps) {
  if (has_digits && tuning::are_few_digit_segments(stretches, count, bytes)) return segment_tiles::by_digits;
  const bool are_few = tuning::are_few_segments(stretches, count, tile_items, bytes, sorts_warps);
  if (are_few && sorts_warps && count / stretches <= tile_items / 3) return segment_tiles::merged;
  if (tuning::are_few_ranked_segments(stretches, count, ranked_tile_items)) return segment_tiles::by_ranks;
  return are_few ? segment_tiles::merged : segment_tiles::of_cells;
}

}  // namespace detail::tuning
MGPU_NAMESPACE_END
