// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/tile/binary_search.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// The load-balancing search: the merge path of the intervals' offsets and the items' numbers, an interval before its
/// items. All tiles between diagonals have equally many intervals and items together, whatever the counts are. The
/// split is the number of intervals among the first `diagonal` intervals and items.
/// Source: S. Baxter, "Modern GPU", Load-Balancing Search and IntervalMove (2013).
template <class Offsets>
struct load_balance_path {
  Offsets offsets;  // [interval_count]
  offset interval_count, item_count;
  offset diagonal;  // in [0, interval_count + item_count]

  MGPU_HOST_DEVICE offset low() const { return base::max<offset>(0, diagonal - item_count); }
  MGPU_HOST_DEVICE offset high() const { return base::min(diagonal, interval_count); }

  /// True if interval i is among the first `diagonal` intervals and items.
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE bool operator()(offset i) const { return static_cast<offset>(offsets[i]) <= diagonal - 1 - i; }

  /// The split, as `search` finds it: by one thread (tile::serial_search) or by a warp (block::warp_search).
  MGPU_EXEC_CHECK_DISABLE
  template <class Search>
  MGPU_HOST_DEVICE offset find(const Search& search) const {
    return search.partition_point(low(), high(), *this);
  }
  MGPU_HOST_DEVICE offset split() const { return tile::partition_point(low(), high(), *this); }
};

template <class Offsets>
MGPU_HOST_DEVICE load_balance_path(Offsets, offset, offset, offset)->load_balance_path<Offsets>;

/// The intervals and items of one tile. Intervals [interval_begin, interval_end) begin in the tile. The tile visits
/// items [item_begin, item_end); the first ones may belong to the interval before.
struct interval_range {
  offset interval_begin, interval_end;
  offset item_begin, item_end;
  bool is_consistent;  // otherwise the offsets do not ascend, and the other members mean nothing

  static MGPU_HOST_DEVICE interval_range between(offset first, offset last, offset first_split, offset last_split) {
    const bool ascends = first_split <= last_split && last_split - first_split <= last - first;
    return {first_split, last_split, first - first_split, last - last_split, ascends};
  }

  MGPU_HOST_DEVICE int interval_count() const { return static_cast<int>(interval_end - interval_begin); }
  MGPU_HOST_DEVICE int item_count() const { return static_cast<int>(item_end - item_begin); }
};

}  // namespace detail::tile
MGPU_NAMESPACE_END
