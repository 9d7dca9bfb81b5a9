// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

#include <cuda/std/cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// A tile of a segment whose elements go to their places by one digit.
template <class Bits, class Value>
struct digit_tile {
  using word = cuda::std::uint32_t;

  const Bits* keys;  // the tile's first element
  const Value* values;
  Bits* keys_out;  // of the array
  Value* values_out;
  const word* begins;     // [256] where the segment's elements of each digit begin
  word* counts;           // [256] of the tile; those of the tiles before lie before them
  word* counts_to_clear;  // [256]
  int number;             // in its segment
  int count;              // of elements
  int pass;
};

}  // namespace detail::tile
MGPU_NAMESPACE_END
