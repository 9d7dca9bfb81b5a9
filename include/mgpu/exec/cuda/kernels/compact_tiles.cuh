// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/bad_input_flag.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/block/compact/compacting_block.cuh>
#include <mgpu/block/compact/counting_block.cuh>
#include <mgpu/block/compact/look_back.cuh>
#include <mgpu/block/grid_dependency.cuh>
#include <mgpu/exec/cuda/kernels/deferred_tiles.cuh>
#include <mgpu/exec/cuda/kernels/split_tiles.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

MGPU_PRIVATE_BEGIN

/// Runs a compacting core and writes the number of emitted elements to *size_out. Raises a flag if that saturates. A
/// block takes, again and again, the first tile that no block has taken. So all tiles before a taken tile are taken
/// too, whichever blocks run. A block stores the results of a tile when it has packed those of its next tile: by then
/// the tiles before have been counted. Blocks that wait for each other would fall into step: all load, then all
/// compute.
///   u32 2^28 H200, us, union / intersection (2026-11-20): one tile per block and look-back 862 / 609 (256 x 31),
///   without the wait for other tiles 566 / 408, this 686 / 517 (256 x 27). Looking back at 256 tiles at once:
///   786 / 580. Loads that start before the last results are stored, which then wait in registers: 794 / 665.
template <class Core, class SizeOut>
MGPU_PRIVATE __global__ void __launch_bounds__(Core::shape(MGPU_DEVICE_CC).threads,
                                               Core::shape(MGPU_DEVICE_CC).blocks_per_sm)
    compact_tiles(const __grid_constant__ Core core, const typename Core::split* splits, block::tile_state* states,
                  offset tiles, SizeOut size_out, base::bad_input_flag overflow) {
  extern __shared__ __align__(128) char shared[];
  block::compacting_block<Core> block(shared, states);
  block::wait_for_last_kernel();
  const auto take_tile = [&] { return static_cast<offset>(atomicAdd(states[tiles].counter(), 1ull)); };
  const auto find_next = [&](offset tile) {
    block.set_next(tile, tile < tiles ? exec::tile_range(core, splits, tile) : typename Core::range{});
  };
  if (block.finds_next()) find_next(take_tile());
  block.sync();

  constexpr offset none = -1;
  offset last_tile = none;
  for (int half = 0;; half ^= 1) {
    const offset tile = block.next_tile() < tiles ? block.next_tile() : none;
    offset next = tiles;
    if (tile != none) {
      if (block.finds_next()) next = take_tile();
      block.enter_half(half);
      block.set_packed(half, core.run(block, tile, block.next_range()));
    }
    if (last_tile != none) block.find_packed_begin(last_tile, half ^ 1);
    if (tile != none && block.finds_next()) find_next(next);
    block.sync();
    if (last_tile != none) {
      const offset end = core.store(block, block.packed(half ^ 1), block.packed_begin());
      if (last_tile == tiles - 1 && block.thread() == 0) {
        base::write_number_to(size_out, end);
        if (end == base::max_offset && overflow.is_asked()) overflow.raise();
      }
      if constexpr (is_deferring_core<Core>) {
        if (block.thread() == 0) {
          const offset jobs = core.deferred_jobs(block, block.packed(half ^ 1), block.packed_begin());
          deferred_tiles(states, tiles).add(last_tile, jobs);
        }
      }
    }
    if (tile == none) break;
    block.publish();  // before the next tile's bulk loads write where threads have put and read
    last_tile = tile;
  }
}

/// Counts the elements that the tiles of a core emit. The last block to end writes the result to *size_out. It
/// saturates: one tile emits less than 2^63, so a sum that grows over base::max_offset flips the upper bit of the
/// counter. The flips are counted above the number of blocks that have ended.
template <class Core>
MGPU_PRIVATE __global__ void __launch_bounds__(Core::shape(MGPU_DEVICE_CC).threads,
                                               Core::shape(MGPU_DEVICE_CC).blocks_per_sm)
    count_tiles(const __grid_constant__ Core core, const typename Core::split* splits, block::tile_state* states,
                offset* size_out) {
  extern __shared__ __align__(128) char shared[];
  block::counting_block<Core> block(shared);
  block::wait_for_last_kernel();
  __shared__ __align__(16) char range_memory[sizeof(typename Core::range)];
  auto& range = *reinterpret_cast<typename Core::range*>(range_memory);
  if (block.thread() == 0) range = exec::tile_range(core, splits, blockIdx.x);  // 64-bit arithmetic for one thread only
  block.sync();
  const auto of_tile = block.sum(core.count(block, typename Core::range(range)));
  if (block.thread() == 0) {
    unsigned long long* const pairs = states[0].counter();
    const auto own = static_cast<unsigned long long>(of_tile), before = atomicAdd(pairs, own);
    constexpr unsigned long long one_overflow = 1ull << 32;
    const auto counted = ((before ^ (before + own)) >> 63) * one_overflow + 1;
    __threadfence();
    const unsigned long long ended = atomicAdd(states[1].counter(), counted) + counted;
    __threadfence();
    if (static_cast<unsigned>(ended) != gridDim.x) return;
    const offset sum = ended < one_overflow ? static_cast<offset>(atomicAdd(pairs, 0ull)) : base::max_offset;
    base::write_number_to(size_out, core.size_of_result(sum));
  }
}

MGPU_PRIVATE_END

}  // namespace detail::exec
MGPU_NAMESPACE_END
