// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

#include <vector>

MGPU_NAMESPACE_BEGIN

/// What a sort did after the sort of its tiles, pass by pass: how many tiles were merged from sorted runs, two or four at once,
/// and how many were only copied from elsewhere in the pass. A tile in which one long segment ends and another begins counts for
/// each; two tiles of which only the elements around their border are out of place count once. All others were as they had to
/// be. No pass without work follows the last one; those before it may have none. What is brought back from scratch memory at the
/// end is not counted.
/// Source: S. Baxter, "Modern GPU", segmented sort with verbose = true (2013).
struct sort_statistics {
  /// What one pass did.
  struct pass {
    offset merged_tiles;  // from sorted runs
    offset copied_tiles;  // from elsewhere
  };
  offset tiles = 0;          // of the array
  std::vector<pass> passes;  // in their order
};

MGPU_NAMESPACE_END
