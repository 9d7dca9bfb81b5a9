// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

MGPU_NAMESPACE_BEGIN
namespace tile {

// A planned core names the kind of search that its find_split asks for at a border of its tiles; the executor has the searcher.

/// Searches for one partition point after the other: tile::serial_search on the CPU, block::warp_search on the GPU.
struct partition_search {};

/// Searches the splits of four runs at once, on the GPU only: block::four_way_search.
template <class Key>
struct four_way_search {};

}  // namespace tile
MGPU_NAMESPACE_END
