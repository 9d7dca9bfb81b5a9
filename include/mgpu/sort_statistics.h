// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

#include <vector>

MGPU_NAMESPACE_BEGIN

/// What a sort did after it had sorted its tiles, pass by pass: how many tiles it merged from two or four sorted runs,
/// and how many it only copied from elsewhere. A tile in which one long segment ends and another begins counts once for
/// each. Two tiles count once together if only the elements around their border are out of place. All other tiles were
/// already right. The last pass has work; a pass before it may have none. Copies back from scratch memory at the end
/// are not counted.
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
