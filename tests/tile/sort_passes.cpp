// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/core/sort/borders.h>

#include <doctest/doctest.h>

#include <initializer_list>

using mgpu::offset;
using mgpu::detail::core::sort_passes;

namespace {

/// How often the elements of a cell move, pass by pass.
int moves_by_definition(const sort_passes& passes, const mgpu::detail::tile::sort_runs<offset>& runs, offset cell) {
  const int levels = runs.levels(), two = passes.two_way_levels(levels);
  int count = 0;
  for (int level = 0; level < two; ++level) count += runs.pair_of(cell, level).exists() ? 1 : 0;
  for (int pass = passes.two_way_count; passes.level_before(pass, levels) < levels; ++pass) {
    count += runs.group_of(cell, passes.level_before(pass, levels), 1 << passes.wide_levels).has_two() ? 1 : 0;
  }
  return count;
}

}  // namespace

TEST_CASE("the passes of a sort merge all levels of every segment") {
  for (const sort_passes passes : {sort_passes{48, 1, false}, sort_passes{1, 2, true}, sort_passes{2, 2, false},
                                   sort_passes{3, 2, false}, sort_passes{1, 3, true}, sort_passes{2, 3, false}}) {
    INFO("by two ", passes.two_way_count, passes.only_odd ? " if odd" : "", ", then ", passes.wide_levels);
    for (offset cells = 1; cells < 140; ++cells) {
      const mgpu::detail::tile::sort_runs<offset> runs{7, 7 + 10 * cells - 9, 10};
      const int levels = runs.levels(), two = passes.two_way_levels(levels);
      CHECK(two <= levels);
      CHECK(two <= passes.two_way_count);
      CHECK((levels <= two || passes.level_before(passes.count(levels), levels) >= levels));
      const int wide = passes.wide_levels, wide_passes = (levels - two + wide - 1) / wide;
      CHECK((passes.only_odd && levels > 0 ? passes.two_way_count : two) + wide_passes == passes.count(levels));
      for (offset cell = 0; cell < runs.end_cell(); ++cell) {
        CHECK(passes.moves_of(runs, cell) == moves_by_definition(passes, runs, cell));
      }
    }
  }
}

TEST_CASE("a segment with an odd number of levels begins by two, the others by four") {
  const sort_passes passes{1, 2, true};
  CHECK(passes.level_before(1, 6) == 0);
  CHECK(passes.level_before(2, 6) == 2);
  CHECK(passes.level_before(1, 7) == 1);
  CHECK(passes.level_before(3, 7) == 5);
  CHECK(passes.count(6) == 4);
  CHECK(passes.count(7) == 4);
}
