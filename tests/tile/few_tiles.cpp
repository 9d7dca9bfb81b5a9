// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How small arrays are cut into tiles, and how often the elements of a cut segment move.
#include <mgpu/core/sort/few_tiles.h>
#include <mgpu/plan/sort_tiling.h>

#include <doctest/doctest.h>

using mgpu::offset;

TEST_CASE("a tile takes the end of a segment that begins in its cell, if it is in the slack") {
  const mgpu::core::sort_cells cells{100, 50};
  const auto is_taken = [&](offset begin, offset end) {
    const mgpu::core::sort_border b = cells.border(300, {begin, end, 7});
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
  const mgpu::core::rank_runs runs{100, 8};
  const auto passes = [&](offset begin, offset end) { return runs.with_passes({500, begin, end, 0}).passes; };
  CHECK(passes(500, 500) == 0);
  CHECK(passes(401, 500) == 0);
  CHECK(passes(499, 501) == 1);
  CHECK(passes(0, 800) == 1);
  CHECK(passes(0, 801) == 2);
  CHECK(passes(799, 801) == 2);
  CHECK(passes(0, 6400) == 2);
  CHECK(passes(6399, 6401) == 3);
}

TEST_CASE("tiles of small arrays have room for their elements, and passes for the tiles") {
  using mgpu::tuning::passes_of_few_tiles;
  for (const auto& c : {mgpu::tuning::sort_case{4, 0, 4},
                        {4, 4, 8},
                        {8, 4, 16},
                        {8, 8, 16},
                        {16, 0, 16},
                        {32, 0, 32},
                        {4, 60, 8},
                        {64, 0, 64}}) {
    for (const int cc : {75, 80, 86, 90, 120}) {
      const int most_items = mgpu::tuning::sort_few_tiles(cc, c).items_per_tile();
      for (offset count = 1; count <= mgpu::tuning::most_items_of_few_tiles; count += 1 + count / 97) {
        for (const bool has_one_segment : {false, true}) {
          INFO(c.key_bytes, " + ", c.value_bytes, " bytes, sm_", cc, ", ", count, has_one_segment ? " in one" : "");
          const auto tiling = mgpu::plan::sort_tiling::of_few_tiles(count, c, most_items, has_one_segment);
          const auto& cells = tiling.cells;
          REQUIRE(cells.cell_items * tiling.tiles >= count);
          REQUIRE(cells.cell_items * (tiling.tiles - 1) < count);
          REQUIRE(cells.cell_items + cells.slack <= most_items);
          REQUIRE((0 <= cells.slack && cells.slack <= cells.cell_items));
          const auto passes = passes_of_few_tiles(tiling.tiles);
          offset reach = 1;
          for (int i = 0; i < passes.count; ++i) reach *= passes.ways;
          REQUIRE(reach >= tiling.tiles);
          REQUIRE(passes.ways <= 2 * mgpu::tuning::ranked_runs);
          if (!has_one_segment) REQUIRE(passes.count <= 2);
        }
      }
    }
  }
}
