// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/assert.h>
#include <mgpu/base/math.h>
#include <mgpu/exec/workspace.h>
#include <mgpu/exec/cuda/executor.cuh>
#include <mgpu/exec/cuda/kernels/scan_parts.cuh>

#include MGPU_VERB_RANGE_HEADER

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

template <class Policy>
template <class Scan>
auto cuda_executor<Policy>::scan_offsets(const Scan& scan, offset count) const {
  MGPU_ASSERT(count > 0);
  [[maybe_unused]] const verb_range<Scan> range("scan_offsets");
  const offset tiles = base::ceil_div(count, offset{scan_tile});
  const offset part = base::ceil_div(tiles, offset{scan_threads}) * scan_tile;
  const offset parts = base::ceil_div(count, part);
  const workspace<offset, Policy> sums(policy_, parts > 1 ? parts : 0);
  const launch_grid grid{parts, scan_threads, 0, false, stream()};
  if (parts > 1) exec::launch(grid, scan_parts<Scan>, scan, count, part, sums.data(), scan_step::add_up);
  exec::launch(grid, scan_parts<Scan>, scan, count, part, sums.data(), scan_step::put);
  if (parts > 1) complete();
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
