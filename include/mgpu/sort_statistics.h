// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

#include <vector>

MGPU_NAMESPACE_BEGIN

/// What a sort did after the sort of its tiles, pass by pass: how many tiles were merged from two sorted runs, and how many were only
/// copied from elsewhere. All other tiles of the array already were as they had to be. No pass without work follows the last one.
/// Source: S. Baxter, "Modern GPU", segmented sort with verbose = true (2013).
struct sort_statistics {
  struct pass {
    offset merged_tiles;
    offset copied_tiles;
  };
  offset tiles = 0;  // of the array
  std::vector<pass> passes;
};

MGPU_NAMESPACE_END
