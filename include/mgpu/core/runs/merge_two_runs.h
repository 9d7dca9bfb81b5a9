// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/bad_input_flag.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/core/merge.h>
#include <mgpu/core/runs/runs.h>
#include <mgpu/tile/range.h>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// The core of merge_runs for one or two runs: a core::merge that is made where its lengths are known.
template <class Runs, class KeysOut, class ValuesOut, class Compare>
struct merge_two_runs {
  Runs runs;             // of at most two runs
  KeysOut keys_out;      // [runs.total]
  ValuesOut values_out;  // [runs.total]
  Compare compare;
  base::bad_input_flag bad_input;

  using keys = typename Runs::keys_type;
  using values = typename Runs::values_type;
  using merge_core = core::merge<keys, keys, values, values, KeysOut, ValuesOut, Compare>;
  using split = typename merge_core::split;

  static constexpr offset host_items_per_tile = merge_core::host_items_per_tile;
  static constexpr const char* name = "merge two runs of a call";  // in a profiler

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) { return merge_core::shape(cc); }
  static constexpr int shared_bytes(const base::tile_shape& shape) { return merge_core::shared_bytes(shape); }

  MGPU_HOST_DEVICE offset size() const { return runs.total; }

  /// The lengths have the total at most, also if the caller's have more.
  MGPU_HOST_DEVICE merge_core merge() const {
    const bool has_two = runs.count > 1;
    const offset second = has_two ? 1 : 0;
    const offset a_count = runs.length(0), b_count = has_two ? base::min(runs.length(1), runs.total - a_count) : 0;
    return {runs.keys_at(0, runs.place(0)),
            runs.keys_at(second, runs.place(second)),
            a_count,
            b_count,
            runs.values_at(0, runs.place(0)),
            runs.values_at(second, runs.place(second)),
            keys_out,
            values_out,
            compare};
  }

  /// A path whose arrays belong to it: a merge core that has them is temporary.
  MGPU_HOST_DEVICE auto path(offset diagonal) const {
    const merge_core m = merge();
    return tile::merge_path<offset, keys, keys, Compare>{
        m.a, m.b, m.a_count, m.b_count, base::min(diagonal, m.size()), compare};
  }
  MGPU_HOST_DEVICE tile::range between(offset first, offset last, offset first_split, offset last_split) const {
    const offset end = runs.length(0) + (runs.count > 1 ? runs.length(1) : 0);
    return tile::range::between(base::min(first, end), base::min(last, end), first_split, last_split);
  }

  void run(tile::host_thread worker, const tile::range& t) const {
    if (bad_input.is_asked() && t.out_begin() == 0 && core::are_bad_runs(runs)) bad_input.raise();
    merge().run(worker, t);
  }
  template <class Block>
  MGPU_DEVICE void run(Block& block, const tile::range& t) const {
    if (bad_input.is_asked() && t.out_begin() == 0 && block.thread() == 0 && core::are_bad_runs(runs))
      bad_input.raise();
    if (t.count() > 0) merge().run(block, t);
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
