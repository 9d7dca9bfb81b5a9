// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/slot.h>
#include <mgpu/core/sort/borders.h>
#include <mgpu/core/sort/item.h>
#include <mgpu/tile/range.h>
#include <mgpu/tuning/sort.h>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// Brings every element to where it belongs, after the last pass.
///   tiles_per_call  one call of run() looks after at most so many tiles, which are not neighbours
template <int tiles_per_call, class Key, class Value, class KeysOut, class ValuesOut>
struct bring_back {
  static constexpr bool has_values = sort_item<Key, Value>::has_values;
  // Then only the elements in scratch memory move.
  static constexpr bool is_in_place = is_sorted_in_place<KeysOut, ValuesOut>;

  sort_buffers<Key, Value> elements;
  KeysOut keys_out;
  ValuesOut values_out;
  offset tiles;
  const sort_border* borders;
  part_buffers buffers[2];  // after an even number of passes, after an odd one
  sort_passes passes;
  const sort_progress* progress;
  offset calls;

  static constexpr const char* name = "bring back";  // in a profiler

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) { return tuning::sort(cc, sort_case<Key, Value>()); }
  static constexpr int shared_bytes(const base::tile_shape&) { return 0; }
  static constexpr offset host_items_per_tile = tuning::sort_host_items_per_tile;

  /// How many calls there are for so many tiles.
  static offset calls_for(offset tiles, int multiprocessors) {
    return base::max(base::ceil_div<offset>(tiles, tiles_per_call),
                     base::min(tiles, tuning::least_bring_back_blocks(multiprocessors)));
  }

  void run(tile::host_thread, offset number) const { run<1>(number, 0, 1); }
  template <class Block>
  MGPU_DEVICE void run(Block& block, offset number) const {
    run<4>(number, block.thread(), Block::shape.threads);
  }

 private:
  /// A thread has `batch` loads in flight at a time.
  template <int batch>
  MGPU_HOST_DEVICE void run(offset number, int thread, int threads) const {
    const unsigned char* const buffer = buffers[passes.count(progress->needed_levels()) & 1].buffer;
    const offset step = calls;
    int returns = 0;
    MGPU_UNROLL
    for (int i = 0; i < tiles_per_call; ++i) {
      const offset tile = base::min(number + i * step, tiles - 1);
      returns |= buffer[part_buffers::left(tile)] | buffer[part_buffers::right(tile)];
    }
    if (is_in_place && returns == 0) return;
    for (offset tile = number; tile < tiles; tile += step) run<batch>(tile, buffer, thread, threads);
  }

  MGPU_EXEC_CHECK_DISABLE
  template <int batch>
  MGPU_HOST_DEVICE void run(offset tile, const unsigned char* buffer, int thread, int threads) const {
    const bool left_returns = buffer[part_buffers::left(tile)] != 0;
    const bool right_returns = buffer[part_buffers::right(tile)] != 0;
    if (is_in_place && !left_returns && !right_returns) return;
    const sort_border first = borders[tile], last = borders[tile + 1];
    const offset left_end = first.cuts() ? base::min(first.end, last.position) : first.position;
    const offset right_begin = last.cuts() && last.begin >= first.position ? last.begin : last.position;
    const auto is_stored = [&](offset i, bool returns) { return i < last.position && (!is_in_place || returns); };
    const auto returns = [&](offset i) { return i < left_end ? left_returns : i >= right_begin && right_returns; };
    for (offset begin = first.position + thread; begin < last.position; begin += batch * offset{threads}) {
      if constexpr (batch == 1) {
        const bool from = returns(begin);
        if (!is_stored(begin, from)) continue;
        keys_out[begin] = elements.keys[from][begin];
        if constexpr (has_values) values_out[begin] = elements.values[from][begin];
      } else {
        base::slot<Key> key[batch];
        base::slot<Value> value[batch];
        MGPU_UNROLL
        for (int k = 0; k < batch; ++k) {
          const offset i = begin + k * offset{threads};
          const bool from = returns(i);
          if (!is_stored(i, from)) continue;
          key[k].put(elements.keys[from][i]);
          if constexpr (has_values) value[k].put(elements.values[from][i]);
        }
        MGPU_UNROLL
        for (int k = 0; k < batch; ++k) {
          const offset i = begin + k * offset{threads};
          if (!is_stored(i, returns(i))) continue;
          keys_out[i] = key[k].value;
          if constexpr (has_values) values_out[i] = value[k].value;
        }
      }
    }
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
