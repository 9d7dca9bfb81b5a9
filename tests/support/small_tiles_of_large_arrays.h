// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Included before everything else in tests of how small arrays, or numbers, are sorted. nvcc also compiles the sorts of
// large arrays for them. A thread has few elements there: nvcc unrolls the square of what it does with them.

#include <mgpu/tuning/trial.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tuning {

struct small_tile {
  template <class Case>
  static MGPU_HOST_DEVICE constexpr base::tile_shape of(base::tile_shape shape, const Case&) {
    if (shape.items_per_thread > 7) shape.items_per_thread = 7;
    if (shape.single_launch_waves > 1)
      shape.single_launch_waves = 1;  // fewer elements are enough for a launch that searches splits
    return shape;
  }
};

struct sort_case;
template <>
struct trial<sort_case> : small_tile {};

}  // namespace detail::tuning
MGPU_NAMESPACE_END
