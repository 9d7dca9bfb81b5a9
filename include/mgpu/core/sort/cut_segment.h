// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/core/sort/borders.h>
#include <mgpu/tile/sort_runs.h>

#include <cuda/std/cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// The keys of a segment that tile borders cut, between two passes. Positions are those of the array.
template <class Key>
struct cut_segment {
  tile::sort_runs<offset> runs;
  const Key *keys, *scratch_keys;
  const unsigned char* buffers;
  offset cell_items;
  offset shift;

  /// The number that the segment's part in a cell has in part_buffers.
  MGPU_HOST_DEVICE offset part(offset cell) const {
    return cell == cell_of(runs.begin) ? part_buffers::right(cell) : part_buffers::left(cell);
  }
  MGPU_HOST_DEVICE unsigned char buffer(offset cell) const { return buffers[part(cell)]; }
  MGPU_HOST_DEVICE const Key& operator[](offset i) const {
    return (buffer(cell_of(i + shift)) != 0 ? scratch_keys : keys)[i + shift];
  }
  /// A division of 32 bits takes a fraction of the instructions. Most positions fit.
  MGPU_HOST_DEVICE offset cell_of(offset i) const {
    using u32 = cuda::std::uint32_t;
    return i >> 32 == 0 ? static_cast<u32>(i) / static_cast<u32>(cell_items) : i / cell_items;
  }
  MGPU_HOST_DEVICE cut_segment operator+(offset n) const {
    cut_segment shifted = *this;
    shifted.shift += n;
    return shifted;
  }

  /// Which buffers the elements [begin, end) lie in. They are at most one cell of them.
  MGPU_HOST_DEVICE base::splice place_of(offset begin, offset end) const {
    if (begin == end) return {0, 0, 0};  // then `begin` may lie behind the last cell
    const offset cell = cell_of(begin), border = (cell + 1) * cell_items;
    const int first = buffer(cell);
    return {border, first, border < end ? buffer(cell + 1) : first};
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
