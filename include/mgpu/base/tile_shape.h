// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace detail::base {

/// How an algorithm cuts its work on one architecture. tuning/ chooses it; block/ and exec/ use it. The host evaluates
/// it at run time, the kernel at compile time.
struct tile_shape {
  int threads;           // a multiple of 32
  int items_per_thread;  // odd if neighbours belong to one thread: threads then meet different banks
  int blocks_per_sm;     // that the register allocator must make possible
  /// With at most this many waves of resident blocks, each tile searches for its own split, in one launch. With more,
  /// `split_tiles` runs first.
  int single_launch_waves;

  MGPU_HOST_DEVICE constexpr int items_per_tile() const { return threads * items_per_thread; }
};

/// The shape with blocks_per_sm reduced to what the threads of a multiprocessor allow. A multiprocessor holds 1,024
/// threads on sm_75, 1,536 on sm_86 to sm_89 and on sm_110 to sm_121, and 2,048 on the others.
MGPU_HOST_DEVICE constexpr tile_shape fitted(tile_shape shape, int cc) {
  const int threads_per_sm = cc < 80 ? 1024 : (cc > 80 && cc < 90) || cc >= 110 ? 1536 : 2048;
  shape.blocks_per_sm = base::min(shape.blocks_per_sm, threads_per_sm / shape.threads);
  return shape;
}

}  // namespace detail::base
MGPU_NAMESPACE_END
