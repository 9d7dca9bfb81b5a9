// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/tile/sort_runs.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using mgpu::offset;

namespace {

/// Runs of a segment by their definition: its parts in cells, neighbours made one level by level.
std::vector<offset> bounds_of_cells(offset begin, offset end, offset cell_items) {
  std::vector<offset> bounds{begin};
  for (offset at = (begin / cell_items + 1) * cell_items; at < end; at += cell_items) bounds.push_back(at);
  bounds.push_back(end);
  return bounds;
}

/// The `ways` runs from `first` on, of which the last ones may be empty.
void check_group(const mgpu::detail::tile::run_group<offset>& group, std::size_t ways,
                 const std::vector<offset>& bounds, std::size_t first) {
  for (std::size_t r = 0; r <= ways; ++r) {
    CHECK(group.bound(static_cast<int>(r)) == bounds[std::min(first + r, bounds.size() - 1)]);
  }
  CHECK(group.has_two() == (first + 2 < bounds.size()));
}

}  // namespace

TEST_CASE("all pairs, and groups of four and eight runs, of all levels of short segments") {
  for (const offset cell_items : {1, 3, 4}) {
    for (offset begin = 0; begin < 9; ++begin) {
      for (offset end = begin + 1; end < begin + 45; ++end) {
        const mgpu::detail::tile::sort_runs<offset> runs{begin, end, cell_items};
        auto bounds = bounds_of_cells(begin, end, cell_items);
        CHECK(runs.first_cell() == begin / cell_items);
        CHECK(runs.end_cell() == runs.first_cell() + static_cast<offset>(bounds.size()) - 1);
        int level = 0;
        for (; bounds.size() > 2; ++level) {
          for (std::size_t run = 0; run + 1 < bounds.size(); ++run) {
            for (offset cell = bounds[run] / cell_items; cell * cell_items < bounds[run + 1]; ++cell) {
              const auto pair = runs.pair_of(cell, level);
              const std::size_t first = run / 2 * 2;
              CHECK(pair.exists() == (first + 2 < bounds.size()));
              for (const std::size_t ways : {4, 8}) {
                check_group(runs.group_of(cell, level, static_cast<int>(ways)), ways, bounds, run / ways * ways);
              }
              if (!pair.exists()) continue;
              CHECK(pair.begin == bounds[first]);
              CHECK(pair.middle == bounds[first + 1]);
              CHECK(pair.end == bounds[first + 2]);
            }
          }
          std::vector<offset> next;
          for (std::size_t i = 0; i + 1 < bounds.size(); i += 2) next.push_back(bounds[i]);
          next.push_back(end);
          bounds = next;
        }
        CHECK(runs.levels() == level);
        CHECK(!runs.pair_of(runs.first_cell(), level).exists());
      }
    }
  }
}

TEST_CASE("a segment beyond 2^31 elements") {
  const offset begin = 5, end = (offset{1} << 40) + 3;
  const mgpu::detail::tile::sort_runs<offset> runs{begin, end, 1000};
  const int last = runs.levels() - 1;
  const auto pair = runs.pair_of(runs.end_cell() - 1, last);
  CHECK(pair.begin == begin);
  CHECK(pair.end == end);
  CHECK(pair.middle == (offset{1} << last) * 1000);
  const auto group = runs.group_of(runs.end_cell() - 1, last - 1, 4);
  CHECK(group.bound(0) == begin);
  CHECK(group.bound(2) == pair.middle);
  CHECK(group.bound(4) == end);
}
