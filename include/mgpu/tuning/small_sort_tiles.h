// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How the GPU cuts small arrays into tiles, and how many passes merge them by ranks.

#include <mgpu/base/math.h>
#include <mgpu/tuning/sort.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tuning {

/// The elements of such a tile are a multiple of so many.
inline constexpr int small_tile_unit = 32;

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
constexpr int good_small_tile_items(const sort_case& c, bool has_one_segment) {
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
constexpr offset segmented_small_tile_items(offset count, int bytes, int multiprocessors) {
  const offset share = count / multiprocessors;
  if (bytes > 16) return share < 500 ? 512 : 1024;
  return share < 250 ? 768 : share < 500 ? 1024 : share < 1'000 ? 1280 : 2048;
}

/// The elements of a small array's tiles: one tile if it can hold all, else as many tiles as its passes can merge. If
/// two passes of 8 runs are not enough, two of more, or three for one segment of narrow elements.
///   us, one segment, three passes and two: 24 bytes, 83,000 / 100,000 / 2^17 elements 65 and 68 / 74 and 76 / 88 and
///   96, 32 bytes 79 and 80 / 87 and 88 / 106 and 107 (H100), 64 bytes 185 and 138 / 196 and 152 / 225 and 200 (H200)
///   segments of 1 to 200 elements, 2^17 of 32 bytes 71 and 40 (H200, 2026-11-25)
inline offset small_tile_items(offset count, const sort_case& c, int most_items, bool has_one_segment,
                               int multiprocessors) {
  const int good = base::min(tuning::good_small_tile_items(c, has_one_segment), most_items);
  if (count <= good) return count;
  const int bytes = c.key_bytes + c.value_bytes;
  if (!has_one_segment)
    return base::min(tuning::segmented_small_tile_items(count, bytes, multiprocessors), offset{most_items});
  const int more = bytes <= 32 ? ranked_runs : 2;
  offset tiles = ranked_runs;
  while ((tiles < tiles_of_two_passes && tiles * good < count) || tiles * most_items < count)
    tiles *= tiles < tiles_of_two_passes ? ranked_runs : more;
  return base::align_up(base::ceil_div(count, tiles), offset{small_tile_unit});
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
  const offset items = base::align_up(base::ceil_div(count, tiles), offset{small_tile_unit});
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
constexpr rank_passes passes_of_segments(offset tiles, offset count, bool begin_with_segments, int multiprocessors) {
  const int passes = count / multiprocessors < (begin_with_segments ? 1'000 : 500) ? 1 : 2;
  rank_passes p{tiles > 1 ? passes : 0, 1};
  while (p.reach() < tiles) ++p.ways;
  return p;
}

/// The blocks of a pass over segments, for each multiprocessor. One that moves nothing takes 0.8 us, and 1.3 more for
/// each 1,000 blocks. Merged tiles that begin with segments leave little to do. us, 528, 264 and 132 blocks on 132
/// multiprocessors, pairs of u32 in segments of 0 to 2,000 elements / of 1,000 on average, few of them long (H200,
/// 2026-11-26): 2^16 16.0, 15.8, 15.5 / 21.5, 21.2, 22.5     2^17 16.7, 16.1, 16.1 / 28.9, 27.4, 29.4
constexpr int rank_blocks(bool have_little_to_do) { return have_little_to_do ? 2 : 4; }

/// The most tiles of a small array with several segments.
inline constexpr int small_tiles_limit = 1024;

/// The tiles of a small array with several segments: cells of one size; or tiles that begin with segments, and are
/// merged, sorted by ranks, or sorted by digits.
enum class segment_tiles { cells, merged, ranked, by_digits };

/// What that depends on: the elements of each kind of tile, 0 for none, and what the host knows of the segments.
struct small_segments {
  offset count, stretches;
  int bytes;  // of an element with its value
  int tile_items, ranked_items, digit_items;
  bool sorts_warps;  // merged tiles are sorted by warps first
  int multiprocessors;

  /// Segments of some thousand elements, one tile each: two for each multiprocessor. us, by digits, by other tiles, and
  /// the better of CUB's segmented sorts, segments of 0 to 2,000 / 4,000 / 12,000 elements / of 1,000 on average, few
  /// of them long / one of half the array (H200, 2026-11-26, with a digit sort of our own):
  ///   u32            2^17 19, 17, 18 / 19, 29, 16 / 29, 38, 54 / 24, 24, 17 / 42, 42, 262
  ///                  2^18 22, 21, 25 / 22, 31, 16 / 36, 45, 66 / 34, 35, 28 / 60, 64, 499
  ///   u64 and u32    2^17 24, 30, 24 / 24, 40, 82 / 37, 48, 195 / 30, 42, 87 / 52, 56, 950
  constexpr bool suit_digits() const {
    if (digit_items == 0 || stretches > offset{2} * multiprocessors || share() < 490) return false;
    const bool is_short = share() < 990;
    return mean() >= (is_short || bytes <= 8 ? 1'500 : 900) && (!is_short || mean() <= 2'500);
  }
  /// Hardly a segment is cut, but tiles are as different as segments. us, such tiles and cells, segments of 0 to 600 /
  /// 1,200 / 2,000 / 6,000 elements / of 1,000 on average, few of them long (H200, 2026-11-26):
  ///   pairs of u32   2^13 14, 14 / 15, 18 / 17, 18 / 22, 18 / 22, 18
  ///                  2^16 17, 15 / 16, 19 / 18, 21 / 24, 25 / 23, 23
  ///                  2^17 32, 17 / 22, 19 / 19, 24 / 27, 33 / 30, 28
  ///   u64 and u32    2^16 26, 19 / 19, 25 / 24, 28 / - / 33, 29     2^17 47, 21 / 34, 25 / 25, 33 / - / 42, 38
  constexpr bool suit_merges() const {
    return stretches + count / tile_items <= offset{sorts_warps ? 3 : 2} * multiprocessors &&
           tile_items / 5 <= mean() && mean() <= tile_items / (bytes <= 8 || share() >= 245 ? 2 : 4);
  }
  /// Nearly each multiprocessor has one tile. us, such tiles and cells, segments of 0 to 200 / 600 / 2,000 / 6,000
  /// elements (H200, 2026-11-26):
  ///   pairs of u32   2^12 9, 12 / 14, 13 / 14, 17 / 14, 18     2^15 15, 13 / 16, 14 / 17, 17 / 20, 22
  ///                  2^16 24, 13 / 20, 15 / 22, 17 / 33, 24
  constexpr bool suit_ranks() const {
    return stretches + count / ranked_items <= multiprocessors - multiprocessors / 32;
  }

  constexpr segment_tiles tiles() const {
    if (suit_digits()) return segment_tiles::by_digits;
    const bool are_short = sorts_warps && mean() <= tile_items / 3;
    if (suit_ranks() && !(are_short && suit_merges())) return segment_tiles::ranked;
    return suit_merges() ? segment_tiles::merged : segment_tiles::cells;
  }

 private:
  constexpr offset mean() const { return count / stretches; }
  constexpr offset share() const { return count / multiprocessors; }
};

}  // namespace detail::tuning
MGPU_NAMESPACE_END
