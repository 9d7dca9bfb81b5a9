// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tiles that different threads of the CPU take meet at the same split, also if the offsets do not ascend. Otherwise no
// tile might see the wrong one.
#include <mgpu/core/interval/interval.h>
#include <mgpu/exec/host/tiles.h>

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

namespace {

using mgpu::offset;

struct no_sink {
  static constexpr bool fills = false;
};

}  // namespace

TEST_CASE("the split of two tiles does not depend on the tiles before") {
  constexpr offset intervals = 49'000;
  std::vector<offset> offsets(intervals);
  bool agree = true;
  for (offset wrong = 0; wrong < intervals; wrong += 64) {
    std::iota(offsets.begin(), offsets.end(), offset{0});
    offsets[static_cast<std::size_t>(wrong)] = intervals;
    const mgpu::detail::core::interval work{offsets.data(), intervals, intervals, no_sink{},
                                            mgpu::detail::base::bad_input_flag{nullptr}};
    constexpr offset tile_items = mgpu::detail::tuning::interval_host_items_per_tile;
    mgpu::detail::exec::host_tiles one(work, tile_items), other(work, tile_items);
    const auto middle = other(1);
    const auto first = one(0), last = one(2);
    agree = agree && first.interval_end == middle.interval_begin && middle.interval_end == last.interval_begin;
  }
  CHECK(agree);
}
