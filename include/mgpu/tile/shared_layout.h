// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>

MGPU_NAMESPACE_BEGIN
namespace tile {

/// Bytes of shared memory in which any split of a tile between inputs of type A and B fits: each part starts at its global
/// address's place in a 16-byte word, a bulk copy may bring the rest of its first and last word, and a thread that has
/// come to the end may read (not use) a share more. `more_items` are staged beyond the tile's own.
template <class A, class B>
MGPU_HOST_DEVICE constexpr int staged_pair_bytes(const base::tile_shape& shape, int more_items = 0) {
  constexpr int element_bytes = base::max<int>(sizeof(A), sizeof(B));
  constexpr int alignment = base::max<int>(16, base::max<int>(alignof(A), alignof(B)));
  return base::align_up((shape.items_per_tile() + shape.items_per_thread + more_items) * element_bytes, alignment) + 5 * alignment;
}

/// Bytes in which a tile of one input fits, wherever in a 16-byte word it begins, and one element behind it.
template <class T>
MGPU_HOST_DEVICE constexpr int staged_bytes(const base::tile_shape& shape) {
  constexpr int alignment = base::max<int>(16, alignof(T));
  return base::align_up((shape.items_per_tile() + 1) * int{sizeof(T)}, alignment) + 3 * alignment;
}

/// Bytes of a bit for each element of a tile, and of a word behind them.
MGPU_HOST_DEVICE constexpr int bit_bytes(const base::tile_shape& shape) {
  return base::align_up(shape.items_per_tile() / 8 + 8, 16);
}

/// Where an element of the output comes from: its position in a tile, those of b after those of a.
using source = unsigned short;

MGPU_HOST_DEVICE constexpr int source_bytes(const base::tile_shape& shape) {
  return base::align_up(shape.items_per_tile() * int{sizeof(source)}, 16);
}

}  // namespace tile
MGPU_NAMESPACE_END
