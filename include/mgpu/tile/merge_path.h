// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/tile/binary_search.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// Where the merge path of a[0, a_count) and b[0, b_count) crosses one diagonal: the range of the search and its
/// predicate. One thread, a warp or a block can each search in its own way. The split is the number of elements of a
/// among the first `diagonal` elements of the stable merge.
/// Source: S. Odeh, O. Green, Z. Mwassi, O. Shmueli, Y. Birk, "Merge Path - Parallel Merging Made Simple" (2012).
template <class Index, class A, class B, class Compare>
struct merge_path {
  A a;
  B b;
  Index a_count, b_count;
  Index diagonal;  // in [0, a_count + b_count]
  const Compare& compare;

  MGPU_HOST_DEVICE Index low() const { return base::max<Index>(0, diagonal - b_count); }
  MGPU_HOST_DEVICE Index high() const { return base::min(diagonal, a_count); }

  /// True if a[i] is among the first `diagonal` outputs. Equal elements of a come before those of b.
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE bool operator()(Index i) const { return !compare(b[diagonal - 1 - i], a[i]); }

  /// The split, as `search` finds it: by one thread (tile::serial_search) or by a warp (block::warp_search).
  MGPU_EXEC_CHECK_DISABLE
  template <class Search>
  MGPU_HOST_DEVICE Index find(const Search& search) const {
    return search.partition_point(low(), high(), *this);
  }
  MGPU_HOST_DEVICE Index split() const { return tile::partition_point(low(), high(), *this); }
};

template <class Index, class A, class B, class Compare>
MGPU_HOST_DEVICE merge_path(A, B, Index, Index, Index, const Compare&)->merge_path<Index, A, B, Compare>;

}  // namespace detail::tile
MGPU_NAMESPACE_END
