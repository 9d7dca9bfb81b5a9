// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How small arrays are cut into tiles, and how often the elements of a cut segment move.
#include <mgpu/core/sort/small_tiles.h>
#include <mgpu/plan/sort/tiling.h>
#include <mgpu/tuning/small_sort_tiles.h>
#include <mgpu/tuning/sort_ways.h>

#include <doctest/doctest.h>

using mgpu::offset;

TEST_CASE("a tile takes the end of a segment that begins in its cell, if it is in the slack") {
  const mgpu::detail::core::sort_cells cells{100, 50};
  const auto is_taken = [&](offset begin, offset end) {
    const mgpu::detail::core::sort_border b = cells.border(300, {begin, end, 7});
    CHECK(b.bound == 7);
    CHECK(b.position == (b.cuts() ? 300 : end));
    return !b.cuts();
  };
  for (const offset begin : {200, 250, 299}) {
    CHECK(is_taken(begin, 301));
    CHECK(is_taken(begin, 350));
    CHECK(!is_taken(begin, 351));
  }
  CHECK(!is_taken(199, 301));
  CHECK(is_taken(300, 300));  // no segment
}

TEST_CASE("elements move once for each pass that merges their segment") {
  const mgpu::detail::core::rank_runs runs{100, 8, false};
  const auto passes = [&](offset begin, offset end) { return runs.with_passes({500, begin, end, 0}).passes; };
  CHECK(passes(500, 500) == 0);
  CHECK(passes(401, 500) == 0);
  CHECK(passes(499, 501) == 1);
  CHECK(passes(0, 800) == 1);
  CHECK(passes(0, 801) == 2);
  CHECK(passes(99, 801) == 2);
  CHECK(passes(799, 801) == 1);
  CHECK(passes(199, 900) == 1);
  CHECK(passes(0, 6400) == 2);
  CHECK(passes(0, 6401) == 3);
  CHECK(passes(6399, 6401) == 1);
}

TEST_CASE("runs that begin with segments are counted from their first element") {
  const mgpu::detail::core::rank_runs runs{100, 8, true};
  const auto passes = [&](offset begin, offset end) { return runs.with_passes({begin + 1, begin, end, 0}).passes; };
  CHECK(passes(50, 150) == 0);
  CHECK(passes(50, 151) == 1);
  CHECK(passes(50, 850) == 1);
  CHECK(passes(50, 851) == 2);
}

constexpr mgpu::detail::tuning::sort_case sort_cases[] = {{4, 0, 4},   {4, 4, 8},   {8, 4, 16}, {8, 8, 16},
                                                          {16, 0, 16}, {32, 0, 32}, {4, 60, 8}, {64, 0, 64}};

/// Calls f(case, number of elements, multiprocessors).
template <class F>
void for_each_small_array(const F& f) {
  for (const int multiprocessors : {20, 132, 160}) {
    for (const auto& c : sort_cases) {
      const offset most = mgpu::detail::tuning::small_segmented_items(c) * multiprocessors;
      for (offset count = 1; count <= most; count += 1 + count / 97) {
        INFO(c.key_bytes, " + ", c.value_bytes, " bytes, ", count, ", ", multiprocessors, " multiprocessors");
        f(c, count, multiprocessors);
      }
    }
  }
}

TEST_CASE("tiles of small arrays have room for their elements, and passes for the tiles") {
  for (const int cc : {75, 80, 86, 90, 120}) {
    for_each_small_array([&](const auto& c, offset count, int multiprocessors) {
      const int most_items = mgpu::detail::tuning::sort_small_tiles(cc, c).items_per_tile();
      for (const bool has_one_segment : {false, true}) {
        if (has_one_segment && count > mgpu::detail::tuning::small_array_items(c, false, false) * multiprocessors)
          continue;
        using mgpu::detail::plan::sort_tiling;
        const offset items =
            mgpu::detail::tuning::small_tile_items(count, c, most_items, has_one_segment, multiprocessors);
        const auto tiling = has_one_segment ? sort_tiling::of_equal_tiles(count, items)
                                            : sort_tiling::of_cells(count, items, most_items);
        const auto& cells = tiling.cells;
        REQUIRE(cells.cell_items * tiling.tiles >= count);
        REQUIRE(cells.cell_items * (tiling.tiles - 1) < count);
        REQUIRE(cells.cell_items + cells.slack <= most_items);
        REQUIRE((0 <= cells.slack && cells.slack <= cells.cell_items));
        REQUIRE((tiling.tiles == 1 || cells.cell_items % 32 == 0));
        const auto passes = has_one_segment
                                ? mgpu::detail::tuning::passes_of_one_segment(tiling.tiles)
                                : mgpu::detail::tuning::passes_of_segments(tiling.tiles, count, false, multiprocessors);
        REQUIRE(passes.reach() >= tiling.tiles);
        if (has_one_segment) REQUIRE(passes.ways <= 2 * mgpu::detail::tuning::ranked_runs);
        else REQUIRE((passes.count <= 2 && tiling.tiles <= mgpu::detail::tuning::small_tiles_limit));
      }
    });
  }
}

TEST_CASE("tiles that are sorted by ranks, and tiles that begin with segments") {
  using mgpu::detail::tuning::segment_tiles;
  int kinds[4] = {};
  for (const int cc : {75, 90, 120}) {
    for_each_small_array([&](const auto& c, offset count, int multiprocessors) {
      const int most_items = mgpu::detail::tuning::sort_small_tiles(cc, c).items_per_tile();
      const int ranked_items = mgpu::detail::tuning::sort_ranked_tiles(cc, c).items_per_tile();
      const int digit_items = mgpu::detail::tuning::sort_digit_tiles(cc, c).items_per_tile();
      REQUIRE((most_items % 32 == 0 && ranked_items % 32 == 0 && digit_items % 32 == 0));
      const offset items = mgpu::detail::tuning::items_of_ranked_tiles(count, c, ranked_items);
      if (items > 0) {
        const auto tiling = mgpu::detail::plan::sort_tiling::of_equal_tiles(count, items);
        REQUIRE((items <= ranked_items && (tiling.tiles == 1 || items % 32 == 0)));
        REQUIRE((items * tiling.tiles >= count && items * (tiling.tiles - 1) < count));
        REQUIRE(tiling.tiles <= mgpu::detail::tuning::tiles_of_two_passes);
      } else {
        REQUIRE(count > mgpu::detail::tuning::tiles_of_two_passes * ranked_items);
      }
      for (const offset stretches : {offset{1}, 1 + count / 2000, 1 + count / 300, 1 + count / 10}) {
        for (const int digit_tile_items : {0, digit_items}) {
          const bool sorts_warps = digit_tile_items > 0 && c.key_bytes + c.value_bytes <= 8;
          const mgpu::detail::tuning::small_segments segments{count,       stretches,      c.key_bytes + c.value_bytes,
                                                              most_items,  ranked_items,   digit_tile_items,
                                                              sorts_warps, multiprocessors};
          const segment_tiles kind = segments.tiles();
          ++kinds[static_cast<int>(kind)];
          REQUIRE((kind != segment_tiles::by_digits || digit_tile_items > 0));
          if (kind == segment_tiles::cells) continue;
          const int tile = kind == segment_tiles::merged      ? most_items
                           : kind == segment_tiles::by_digits ? digit_items
                                                              : ranked_items;
          const auto tiling = mgpu::detail::plan::sort_tiling::of_segments(count, stretches, tile);
          const offset most_runs = mgpu::detail::base::ceil_div(count, offset{tile});
          REQUIRE((tiling.begin_with_segments && tiling.tiles <= mgpu::detail::tuning::small_tiles_limit));
          REQUIRE(tiling.tiles >= stretches - 1 + most_runs);
          const auto passes = mgpu::detail::tuning::passes_of_segments(most_runs, count, true, multiprocessors);
          REQUIRE(passes.reach() >= most_runs);
        }
      }
    });
  }
  for (const int calls : kinds) CHECK(calls > 0);
}
