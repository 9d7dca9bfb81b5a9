// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How the GPU cuts small arrays into tiles, and how many passes merge them by ranks.

#include <mgpu/base/math.h>
#include <mgpu/tuning/sort.h>

MGPU_NAMESPACE_BEGIN
namespace tuning {

/// Arrays of more elements are no small ones: 2^17 and 2^18 u32, mean 100, small tiles 26 and 83 us, large ones 31 and
/// 36; in no order 43 and 138, large ones 88 and 103. By a comparator, 2^17, in no order and nearly sorted: u32 49 and
/// 49, large ones 93 and 47; 16 bytes 62 and 58, large ones 109 and 53; 64 bytes 226 and 208, large ones 365 and 134,
/// cub::DeviceMergeSort 239 and 227 (H200, 2026-11-24).
inline constexpr offset most_items_of_few_tiles = count_trial<few_sort_tiles>::of(1 << 17);

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

/// The elements of the tiles of a small array's segments if one pass is not enough, and how many more a tile takes that
/// belong to a segment which begins in it. Then fewer segments are cut, and only cut ones move in passes.
/// us, pairs of u32, segments of 1 to 600 elements / of 1 to 2,000 / of 1,000 (H200, 2026-11-25):
///   2^15: a 64th of the array, nothing more, and all elements move 23.0 / 23.9 / 23.8; these 20.1 / 23.7 / 23.3; as
///     much more as a tile 19.2 / 26.6 / 20.9; a quarter more 20.3 / 24.0 / 23.9
///   2^16: 27.4 / 30.7 / 30.1; 22.6 / 29.7 / 27.3; 22.0 / 30.7 / 23.9, but pairs of u64 and u32 26.1 / 38.7 / 30.1
///     where these take 26.3 / 34.7 / 31.8; 23.2 / 30.2 / 27.9
///   2^17: 33.4 / 39.3 / 36.5; 28.6 / 36.8 / 33.2; 27.7 / 36.6 / 29.1; 30.4 / 36.7 / 35.2
///   2^13, one pass: an eighth more 16.3 / 17.8 / 18.0, as much more as a tile 15.4 / 19.9 / 17.4
constexpr offset segmented_items_of_few_tiles(int bytes, offset items) {
  return bytes <= 8 ? 1024 : base::min(items, offset{1024});
}
constexpr offset slack_of_few_tiles(offset items, offset tiles) { return items / (tiles > ranked_runs ? 2 : 8); }

/// The elements of a small array's tiles: one tile if it can hold all, else as many tiles as its passes can merge. If
/// two passes of 8 runs are not enough, two of more, or three for one segment of narrow elements.
///   us, one segment, three passes and two: 24 bytes, 83,000 / 100,000 / 2^17 elements 65 and 68 / 74 and 76 / 88 and
///   96, 32 bytes 79 and 80 / 87 and 88 / 106 and 107 (H100), 64 bytes 185 and 138 / 196 and 152 / 225 and 200 (H200)
///   segments of 1 to 200 elements, 2^17 of 32 bytes 71 and 40 (H200, 2026-11-25)
inline offset items_of_few_tiles(offset count, const sort_case& c, int most_items, bool has_one_segment) {
  const int good = base::min(tuning::good_items_of_few_tiles(c, has_one_segment), most_items);
  if (count <= good) return count;
  const int bytes = c.key_bytes + c.value_bytes;
  const int more = has_one_segment && bytes <= 32 ? ranked_runs : 2;
  offset tiles = ranked_runs;
  while ((tiles < tiles_of_two_passes && tiles * good < count) || tiles * most_items < count)
    tiles *= tiles < tiles_of_two_passes ? ranked_runs : more;
  offset items = base::ceil_div(count, tiles);
  if (!has_one_segment && tiles > ranked_runs) items = tuning::segmented_items_of_few_tiles(bytes, items);
  return base::align_up(items, offset{few_tile_unit});
}

/// The passes that merge `tiles` tiles, each up to `ways` runs.
struct rank_passes {
  int count, ways;
};
inline rank_passes passes_of_few_tiles(offset tiles) {
  const auto reach = [](const rank_passes& p) {
    offset result = 1;
    for (int i = 0; i < p.count; ++i) result *= p.ways;
    return result;
  };
  rank_passes p{0, tiles > tiles_of_two_passes ? 2 * ranked_runs : ranked_runs};
  while (reach(p) < tiles) ++p.count;
  while (p.ways > 1 && reach({p.count, p.ways - 1}) >= tiles) --p.ways;
  return p;
}

}  // namespace tuning
MGPU_NAMESPACE_END
