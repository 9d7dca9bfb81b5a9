// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace base {

/// How one algorithm cuts its work on one architecture: chosen in tuning/, obeyed in block/ and exec/. The host evaluates
/// it at run time, the kernel at compile time.
struct tile_shape {
  int threads;           // a multiple of 32
  int items_per_thread;  // odd where neighbours are one thread's: other threads meet other banks
  int blocks_per_sm;     // asked of the register allocator
  /// Up to so many waves of resident blocks, tiles search their own splits, in one launch; beyond, another kernel does.
  int single_launch_waves;

  MGPU_HOST_DEVICE constexpr int items_per_tile() const { return threads * items_per_thread; }
};

/// The shape with no more blocks asked of a multiprocessor than its threads allow: sm_75 holds 1,024, sm_86 to sm_89 and sm_110
/// to sm_121 1,536, the others 2,048.
MGPU_HOST_DEVICE constexpr tile_shape fitted(tile_shape shape, int cc) {
  const int threads_per_sm = cc < 80 ? 1024 : (cc > 80 && cc < 90) || cc >= 110 ? 1536 : 2048;
  shape.blocks_per_sm = base::min(shape.blocks_per_sm, threads_per_sm / shape.threads);
  return shape;
}

}  // namespace base
MGPU_NAMESPACE_END
