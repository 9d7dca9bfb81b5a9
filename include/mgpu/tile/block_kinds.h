// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

// What a core may need of the thread block that runs it, beside what every block of its verb has. A core names one of
// these as its `block_kind`. The header of the block says which block that is: see block/block_of.cuh.

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

struct copies_elements;   // block/stage/copying_block.cuh
struct sorts;             // block/sort/sorting_block.cuh
struct visits_intervals;  // block/visit_intervals.cuh

}  // namespace detail::tile
MGPU_NAMESPACE_END
