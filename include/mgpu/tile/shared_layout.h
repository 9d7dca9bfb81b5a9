// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// Bytes of shared memory for a tile of two inputs with elements of types A and B, however it is split between them.
/// Each part starts at the same place of a 16-byte word as in global memory. A bulk copy may also bring the rest of the
/// first and the last word. A thread that has come to the end may read (not use) one more share. `more_items` are
/// staged beyond the tile's own.
template <class A, class B>
MGPU_HOST_DEVICE constexpr int staged_pair_bytes(const base::tile_shape& shape, int more_items = 0) {
  constexpr int element_bytes = base::max<int>(sizeof(A), sizeof(B));
  constexpr int alignment = base::max<int>(16, base::max<int>(alignof(A), alignof(B)));
  const int items = shape.items_per_tile() + shape.items_per_thread + more_items;
  return base::align_up(items * element_bytes, alignment) + 5 * alignment;
}

/// Bytes for a tile of one input, wherever in a 16-byte word it begins, and for one element behind it.
template <class T>
MGPU_HOST_DEVICE constexpr int staged_bytes(const base::tile_shape& shape) {
  constexpr int alignment = base::max<int>(16, alignof(T));
  return base::align_up((shape.items_per_tile() + 1) * int{sizeof(T)}, alignment) + 3 * alignment;
}

/// Bytes for one bit per element of a tile, and for one word behind them.
MGPU_HOST_DEVICE constexpr int bit_bytes(const base::tile_shape& shape) {
  return base::align_up(shape.items_per_tile() / 8 + 8, 16);
}

/// Where an element of the output comes from: its position in a tile. Positions of b follow those of a.
using source = unsigned short;

MGPU_HOST_DEVICE constexpr int source_bytes(const base::tile_shape& shape) {
  return base::align_up(shape.items_per_tile() * int{sizeof(source)}, 16);
}

/// Bytes for the counts of a tile that is sorted by digits: by each warp and by eight of them, and two words for each.
MGPU_HOST_DEVICE constexpr int digit_sorter_bytes(const base::tile_shape& shape) {
  constexpr int digits = 256;
  return 4 * (shape.threads / 32 * digits + shape.threads) + 16 * (shape.threads / 32);
}

}  // namespace detail::tile
MGPU_NAMESPACE_END
