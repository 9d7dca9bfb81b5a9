// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// The part of the inputs that a tile consumes: a[a_begin, a_end) and b[b_begin, b_end). Its output starts at
/// out_begin().
struct range {
  offset a_begin, a_end;
  offset b_begin, b_end;

  /// The tile between two diagonals. Their splits (elements of a before the diagonal) were searched independently. If
  /// the inputs are not sorted, the splits may contradict each other. Clamping keeps the tile inside the inputs and its
  /// size at exactly last - first. It changes nothing for sorted inputs.
  static MGPU_HOST_DEVICE range between(offset first, offset last, offset first_split, offset last_split) {
    const offset a_end = base::clamp(last_split, first_split, first_split + (last - first));
    return {first_split, a_end, first - first_split, last - a_end};
  }

  /// The range with at most `items` more elements of each input, as far as the inputs have them.
  MGPU_HOST_DEVICE range reaching(int items, offset a_count, offset b_count) const {
    return {a_begin, base::min(a_end + items, a_count), b_begin, base::min(b_end + items, b_count)};
  }

  MGPU_HOST_DEVICE offset out_begin() const { return a_begin + b_begin; }
  MGPU_HOST_DEVICE int a_count() const { return static_cast<int>(a_end - a_begin); }
  MGPU_HOST_DEVICE int b_count() const { return static_cast<int>(b_end - b_begin); }
  MGPU_HOST_DEVICE int count() const { return a_count() + b_count(); }

  /// How many elements can be taken before one of the inputs is used up.
  MGPU_HOST_DEVICE offset free_steps() const { return base::min(a_end - a_begin, b_end - b_begin); }
};

/// What is left of a tile's two inputs, in positions inside the tile.
struct cursor {
  int a, a_end;
  int b, b_end;
};

/// Says that one CPU thread runs the tile.
struct host_thread {};

}  // namespace detail::tile
MGPU_NAMESPACE_END
