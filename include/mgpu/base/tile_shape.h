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
  int items_per_thread;  // odd: neighbouring threads then meet different shared memory banks
  int blocks_per_sm;     // asked of the register allocator
  /// Up to so many waves of resident blocks, tiles search their own splits, in one launch; beyond, another kernel does.
  int single_launch_waves;

  MGPU_HOST_DEVICE constexpr int items_per_tile() const { return threads * items_per_thread; }
};

}  // namespace base
MGPU_NAMESPACE_END
