// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/policy.h>
#include <mgpu/tile/range.h>

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// Runs tile number `tile` of a core: searches its own splits, so that the tiles need nothing from each other.
template <class Core>
struct run_host_tile {
  const Core& core;

  void operator()(offset tile) const {
    const offset first = tile * Core::host_items_per_tile;
    const offset last = base::min(first + Core::host_items_per_tile, core.size());
    core.run(tile::serial_worker{}, core.between(first, last, core.path(first).split(), core.path(last).split()));
  }
};

/// The base of the omp, tbb and cpp policies and, in run, their executor.
template <class Derived, template <class> class ThrustBase>
struct host_policy : policy<Derived, ThrustBase> {
  /// Runs a core on the policy's host system, a tile at a time on whichever thread comes.
  template <class Core>
  void run(const Core& core) {
    const offset tiles = base::ceil_div(core.size(), Core::host_items_per_tile);
    const THRUST_NS_QUALIFIER::counting_iterator<offset> first(0);
    THRUST_NS_QUALIFIER::for_each_n(static_cast<Derived&>(*this), first, tiles, run_host_tile<Core>{core});
  }
};

}  // namespace exec
MGPU_NAMESPACE_END
