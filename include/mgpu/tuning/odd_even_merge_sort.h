// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/tuning/trial.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tuning {

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

/// Numbers of 4 bytes in their natural order are sorted by steps on the GPU (core/odd_even/steps.h), without values. A
/// step runs at most so many layers. int32, H200, 2026-11-26, ms for 2^20 / 2^24 / 10^9: 0.154 / 1.444 / 128.8; 4
/// layers 0.152 / 1.472 / 131.8; layer by layer 0.268 / 2.444 / 210.2. With fewer passes (below), 2^24 / 10^9: 1.292 /
/// 106.9; 4 layers 1.408 / 116.6. u32 by a comparator of the caller's, 2^20 / 2^24: 0.226 / 1.70, layer by layer 0.325
/// / 2.84; but ptxas takes 33 s for one with a loop.
inline constexpr int odd_even_step_layers = 5;

/// The shape of tiles that run by steps. It was chosen with steps of 4 layers and fewer passes. int32, H200,
/// 2026-11-26, ms for 2^24 / 10^9: 64 KiB by 256 threads with 3 blocks 1.416 / 116.9, by 512 threads 1.524 / 129.7; 32
/// KiB by 128 threads with 6 blocks 1.444 / 123.2. If the first step of a pass reads the array and the last one writes
/// it: 1.590 / 139.1. If every second pass begins at the array's end: 1.356 / 117.8. If the next kernel starts early:
/// 1.416 / 116.9, else 1.408 / 116.6. Other architectures are not measured. A block's 73 KiB fit once into the shared
/// memory of sm_86 and sm_120.
MGPU_HOST_DEVICE constexpr base::tile_shape odd_even_steps(int cc, int key_bytes) {
  const int tile = 1 << odd_even_tile_log(key_bytes, cc < 80 ? 32768 : 65536), threads = 256;
  return tuning::fitted<odd_even_tiles>({threads, tile / threads, 3, 0}, cc, key_bytes);
}

/// Arrays of at least so many keys take fewer passes with more layers each (core/odd_even/step_pass.h). The first pass
/// of a group leaves at least so many layers for the last ones. int32, H200, 2026-11-26, ms for 2^16 / 2^20 / 2^24 /
/// 67,121,209 / 10^9: 10 layers 0.0827 / 0.164 / 1.292 / 6.14 / 106.9; 11 layers 0.0907 / 0.195 / 1.362 / 6.45 / 111.0;
/// the passes of smaller arrays 0.0746 / 0.154 / 1.444 / 7.33 / 128.8.
inline constexpr offset odd_even_fewer_passes_from = offset{1} << 22;
inline constexpr int odd_even_least_last_layers = 10;

/// The logarithm of the shortest row in those passes. Steps of 4 layers, ms for 2^24 / 10^9: rows of 64 bytes 1.416 /
/// 116.9, of 128 bytes 1.411 / 116.4 (int32, H200, 2026-11-26).
inline constexpr int odd_even_step_row_log = 4;

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

}  // namespace detail::tuning
MGPU_NAMESPACE_END
