// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/core/sort/two_way_pass.h>
#include <mgpu/tile/binary_search.h>

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <numeric>
#include <vector>

TEST_CASE("elements that a pass merges in their place are part of no other merge, whatever the comparator answers") {
  constexpr int cell = 8, cells = 4;
  std::vector<float> keys(cell * cells);
  std::iota(keys.begin(), keys.begin() + cell, 1e6f);
  keys[cell - 1] =
      std::numeric_limits<float>::quiet_NaN();  // less says that it goes before nothing, and nothing before it
  std::iota(keys.begin() + cell, keys.end(), 1.0f);
  keys[2 * cell] = keys[2 * cell - 1] - 0.5f;
  std::vector<float> scratch(keys.size());
  std::vector<unsigned char> in_keys(2 * cells), after(2 * cells);
  const std::vector<mgpu::detail::core::sort_border> borders(cells + 1, {0, 0, cell * cells, 0});
  mgpu::detail::core::sort_progress progress{};
  progress.levels = 2;
  mgpu::detail::core::two_way_pass<float, mgpu::detail::base::no_values::value_type, std::less<>> pass{};
  pass.buffers.keys[0] = keys.data();
  pass.buffers.keys[1] = scratch.data();
  pass.count = cell * cells;
  pass.tiles = cells;
  pass.cells = {cell, 0};
  pass.borders = borders.data();
  pass.before.buffer = in_keys.data();
  pass.after.buffer = after.data();
  pass.progress = &progress;
  pass.level = 1;
  const auto split = [&](int tile) { return pass.find_split(tile, mgpu::detail::tile::serial_search{}); };
  REQUIRE(split(2).is_in_place());
  CHECK(split(1).from_first == cell);
  CHECK(split(3).from_first == 2 * cell);
  int jobs = 0;
  for (int tile = 1; tile < cells; ++tile)
    pass.plan(tile, split(tile), split(tile + 1), [&](const mgpu::detail::core::two_way_job&) { ++jobs; });
  CHECK(jobs == 1);
}
