// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/tuning/merge.h>
#include <mgpu/tuning/trial.h>

#include <cuda/std/utility>

MGPU_NAMESPACE_BEGIN
namespace tuning {

/// Runs that one pass can merge into one: a kernel for each number, powers of two that ascend.
using merge_runs_widths = cuda::std::integer_sequence<int, 4, 8, 16, 32>;

/// The same on the CPU.
using merge_runs_host_widths = cuda::std::integer_sequence<int, 64>;

/// Shorter runs than this, on average, are sorted together: their borders alone would cost more.
inline constexpr offset merge_runs_least_mean_run = 64;

/// What the shape of a tile depends on.
struct merge_runs_case {
  merge_case elements;
  int ways;
};

MGPU_HOST_DEVICE constexpr base::tile_shape merge_runs(int cc, const merge_runs_case& c) {
  return tuning::fitted<merge_runs_case>(tuning::merge(cc, c.elements), cc, c);
}

/// A tile of the CPU and its two buffers stay in the second level cache.
MGPU_HOST_DEVICE constexpr offset merge_runs_host_items_per_tile(int key_bytes, int value_bytes) {
  return base::clamp<offset>((1 << 18) / (key_bytes + value_bytes), 256, 1 << 16);
}

/// Elements up to this size are merged in rounds, two runs at a time. Larger ones are moved once, by a tree of losers.
MGPU_HOST_DEVICE constexpr bool merge_runs_host_in_rounds(int key_bytes, int value_bytes) {
  return key_bytes + value_bytes <= 32;
}

}  // namespace tuning
MGPU_NAMESPACE_END
