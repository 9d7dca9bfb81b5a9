// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/slot.h>
#include <mgpu/core/sort_item.h>
#include <mgpu/core/sort_plan.h>
#include <mgpu/tile/range.h>
#include <mgpu/tuning/sort.h>

MGPU_NAMESPACE_BEGIN
namespace core {

/// Brings every element to where it belongs, after the last pass.
///   tiles_of_run  one run() concerns so many tiles, which are not neighbours
template <int tiles_of_run, class Key, class Value, class Compare, class KeysOut, class ValuesOut>
struct sort_return {
  static constexpr bool has_values = sort_item<Key, Value>::has_values;
  // Only scratch memory is then brought back.
  static constexpr bool is_in_place = base::is_byte_range<KeysOut> && (!has_values || base::is_byte_range<ValuesOut>);

  const Key* keys[2];
  const Value* values[2];
  KeysOut keys_out;
  ValuesOut values_out;
  offset tiles;
  const sort_border* borders;
  part_parities parities[2];  // those of even passes, and of odd ones
  sort_passes passes;
  const sort_progress* progress;

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) { return tuning::sort(cc, sort_case<Key, Value>()); }
  static constexpr int shared_bytes(const base::tile_shape&) { return 0; }
  static constexpr offset host_items_per_tile = tuning::sort_host_items_per_tile;
  using split = offset;

  MGPU_HOST_DEVICE offset runs() const { return base::ceil_div<offset>(tiles, tiles_of_run); }

  void run(tile::serial_worker, offset number) const { run(number, 0, 1); }
  template <class Block>
  MGPU_DEVICE void run(Block& block, offset number) const {
    run(number, block.thread(), Block::shape.threads);
  }

 private:
  MGPU_HOST_DEVICE void run(offset number, int thread, int threads) const {
    const unsigned char* const parity = parities[passes.of(progress->needed_levels()) & 1].of;
    const offset step = runs();
    int returns = 0;
    MGPU_UNROLL
    for (int i = 0; i < tiles_of_run; ++i) {
      const offset tile = base::min(number + i * step, tiles - 1);
      returns |= parity[part_parities::left(tile)] | parity[part_parities::right(tile)];
    }
    if (is_in_place && returns == 0) return;
    for (offset tile = number; tile < tiles; tile += step) run(tile, parity, thread, threads);
  }

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void run(offset tile, const unsigned char* parity, int thread, int threads) const {
    const bool left_returns = parity[part_parities::left(tile)] != 0;
    const bool right_returns = parity[part_parities::right(tile)] != 0;
    if (is_in_place && !left_returns && !right_returns) return;
    const sort_border first = borders[tile], last = borders[tile + 1];
    const offset left_end = first.cuts() ? base::min(first.end, last.position) : first.position;
    const offset right_begin = last.cuts() && last.begin >= first.position ? last.begin : last.position;
    constexpr int batch = 4;  // so many loads are under way at once
    for (offset begin = first.position + thread; begin < last.position; begin += batch * offset{threads}) {
      base::slot<Key> key[batch];
      base::slot<Value> value[batch];
      bool is_stored[batch];
      MGPU_UNROLL
      for (int k = 0; k < batch; ++k) {
        const offset i = begin + k * offset{threads};
        const bool returns = i < left_end ? left_returns : i >= right_begin && right_returns;
        is_stored[k] = i < last.position && (!is_in_place || returns);
        if (!is_stored[k]) continue;
        key[k].put(keys[returns][i]);
        if constexpr (has_values) value[k].put(values[returns][i]);
      }
      MGPU_UNROLL
      for (int k = 0; k < batch; ++k) {
        if (!is_stored[k]) continue;
        const offset i = begin + k * offset{threads};
        keys_out[i] = key[k].value;
        if constexpr (has_values) values_out[i] = value[k].value;
      }
    }
  }
};

}  // namespace core
MGPU_NAMESPACE_END
