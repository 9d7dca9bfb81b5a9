// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/tile_shape.h>
#include <mgpu/tuning/trial.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tuning {

/// What the shape of a set operation's tile depends on.
struct set_operation_case {
  int key_bytes;
  bool has_output;    // otherwise it only counts
  bool in_registers;  // results are packed as keys, otherwise as places
  bool emits_b;
  bool is_natural_order;  // the comparator is known to be one instruction; another may need registers of its own
};

MGPU_HOST_DEVICE constexpr base::tile_shape set_operation(int cc, const set_operation_case& c) {
  // H200, us, random keys, two inputs of equal length, benchmarks/set_operations.cu, 2026-11-20; union / intersection.
  base::tile_shape shape{256, 15, 4, 0};
  if (!c.has_output && c.key_bytes <= 16) {
    // Size, u32 2^28: 256 x 23 with 7 blocks 379, with 8 387, 256 x 31 with 7 388, with 6 393, 512 x 23 400, 256 x 15
    // 502.
    // u64 2^27: 256 x 15 with 7 blocks 380, 256 x 19 380, 256 x 11 431.
    if (c.key_bytes <= 8 && c.is_natural_order) {
      shape = c.key_bytes <= 4 ? base::tile_shape{256, 23, 7, 0} : base::tile_shape{256, 15, 7, 0};
    }
  } else if (c.has_output && c.in_registers && c.is_natural_order) {
    // u32 2^28: 256 x 27 with 4 blocks 686 / 517, 256 x 25 with 4 703 / 522, 384 x 23 746 / 546, 256 x 31 with 3 790 /
    // 576, 128 x 27 with 7 809 / 590, 256 x 19 with 5 800 / 617.
    // u64 2^27: 256 x 13 with 4 blocks 674 / 499, 128 x 13 with 8 701 / 526, 192 x 17 735 / 490, 256 x 17 748 / 500.
    shape = c.key_bytes <= 4 ? base::tile_shape{256, 27, 4, 0} : base::tile_shape{256, 13, 4, 0};
  } else if (c.key_bytes <= 4) {
    // u32+u32 2^28: 256 x 13 with 5 blocks 1,348 / 1,002, 256 x 23 with 3 1,446 / 924, 256 x 17 with 4 1,424 / 1,001,
    // 256 x 15 with 4 1,412 / 1,073.
    shape = c.emits_b || cc < 80 ? base::tile_shape{256, 13, c.is_natural_order ? 5 : 4, 0}
                                 : base::tile_shape{256, 23, 3, 0};
  } else if (c.key_bytes <= 8) {
    // u64+u64 2^27: 192 x 11 with 5 blocks 1,240 / 699, 128 x 11 with 7 1,267 / 742, 256 x 9 1,270 / 774, 256 x 7 1,271
    // / 806.
    shape = {192, 11, 5, 0};
  } else {
    // About 16 KiB of keys; the widest leave one warp with an element each.
    shape = {128, 1, 4, 0};
    while (shape.threads > 32 && shape.threads * c.key_bytes > 16384) shape.threads /= 2;
    const int items = 16384 / (shape.threads * c.key_bytes);
    if (items > 2) shape.items_per_thread = (items - 1) | 1;
  }
  return tuning::fitted<set_operation_case>(shape, cc, c);
}

/// A tile of the CPU, and the lanes that one thread runs in turns: as for merge.
inline constexpr offset set_operation_host_items_per_tile = offset{4} * 8208;
inline constexpr int set_operation_host_lanes = 4;

/// The longest lane whose results wait in scratch memory, by the bytes of an element. All lanes take 64 KiB of a
/// thread's stack.
///   2 x 2^22 u32 random, 1 core (Sapphire Rapids), ms, union / union by key: 16 KiB 15.5 / 22.7, 32 KiB 11.3 / 18.3,
///   64 KiB 11.0 / 15.5, 128 KiB 11.8 / 18.0 (16 and 128 without prefetching; 2026-11-22)
constexpr int set_operation_host_lane_items(int element_bytes) {
  return (1 << 16) / set_operation_host_lanes / element_bytes - 8;
}

}  // namespace detail::tuning
MGPU_NAMESPACE_END
