// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/tile_shape.h>

MGPU_NAMESPACE_BEGIN
namespace tuning {

/// What the shape of a set operation's tile depends on.
struct set_operation_case {
  int key_bytes;
  int value_bytes;  // 0 without values
  bool in_registers;
  bool is_natural_order;
};

MGPU_HOST_DEVICE constexpr base::tile_shape set_operation(int cc, const set_operation_case& c) {
  constexpr int waves = 0;
  base::tile_shape shape{};
  if (c.in_registers) shape = c.key_bytes <= 4 ? base::tile_shape{256, 23, 5, waves} : base::tile_shape{256, 15, 4, waves};
  else shape = c.key_bytes <= 8 ? base::tile_shape{256, 15, 4, waves} : base::tile_shape{256, 9, 3, waves};
  (void)cc;
  return shape;
}

/// A tile of the CPU, of set_operation_host_lanes parts.
inline constexpr offset set_operation_host_items_per_tile = 1 << 15;
inline constexpr int set_operation_host_lanes = 4;

}  // namespace tuning
MGPU_NAMESPACE_END
