// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/tuning/trial.h>

MGPU_NAMESPACE_BEGIN
namespace tuning {

/// The logarithm of the elements of a tile: as many as fit in `bytes` bytes of shared memory or of a CPU thread's
/// stack, rounded down to a power of two.
MGPU_HOST_DEVICE constexpr int odd_even_tile_log(int element_bytes, int bytes) {
  int log = 0;
  while ((element_bytes << (log + 1)) <= bytes) ++log;
  return log;
}

/// The kind of tiles whose shape is chosen here.
struct odd_even_tiles;

/// The threads that run a tile on the GPU.
MGPU_HOST_DEVICE constexpr int odd_even_threads(int tile_items) { return base::clamp(tile_items / 2, 32, 512); }

/// int32, H200, 2026-11-21, benchmarks/odd_even_merge_sort.cu, ms for 2^20 / 2^24 / 10^9. 64 KiB by 512 threads with 3
/// blocks 0.38 / 2.70 / 230. Shapes were compared with slower exchanges: 64 KiB by 512 threads with 3 blocks 0.38 /
/// 2.98 / 255, with 2 0.38 / 3.17 / 278; by 1,024 threads 0.37 / 3.42 / 308, by 256 0.49 / 3.08 / 250; 128 KiB by 1,024
/// threads 0.60 / 3.47 / 335; 32 KiB by 512 threads with 4 blocks 0.25 / 3.29 / 293. Other architectures are not
/// measured; sm_75 has 64 KiB in all.
MGPU_HOST_DEVICE constexpr base::tile_shape odd_even_merge_sort(int cc, int element_bytes) {
  const int tile = 1 << odd_even_tile_log(element_bytes, cc < 80 ? 32768 : 65536);
  const int threads = odd_even_threads(tile);
  return tuning::fitted<odd_even_tiles>({threads, base::max(1, tile / threads), 3, 0}, cc, element_bytes);
}

inline constexpr int odd_even_host_tile_bytes = 65536;

/// The logarithm of a row's elements. If a tile's elements are far apart, it takes rows of neighbours of at least 64
/// bytes.
constexpr int odd_even_row_log(int element_bytes) {
  int log = 0;
  while ((element_bytes << log) < 64) ++log;
  return log;
}
/// The logarithm of the longest row: no more than a block's threads take at once.
constexpr int odd_even_most_row_log(int tile_items) {
  int log = 0;
  while ((2 << log) <= odd_even_threads(tile_items)) ++log;
  return log;
}

}  // namespace tuning
MGPU_NAMESPACE_END
