// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

// A planned core names the search that its find_split needs at a border between tiles. The executor has the searcher.

/// Searches for one partition point after another: tile::serial_search on the CPU, block::warp_search on the GPU.
struct partition_search {};

/// Searches for the splits of at most `most_ways` runs at once. On the GPU only: block::sampled_way_search.
template <int most_ways, class Key>
struct ways_search {};

}  // namespace detail::tile
MGPU_NAMESPACE_END
