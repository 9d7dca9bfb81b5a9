// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/slot.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/block/compact/look_back.cuh>
#include <mgpu/block/stage/staging_block.cuh>

#include <cub/block/block_scan.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// A thread block that runs tiles which emit some of their elements. The results of all tiles are packed in tile order.
/// The block has shared memory for two tiles: while the results of one tile wait until the tiles before it are counted,
/// the block runs the next tile.
template <class Core>
class compacting_block : public staging_block<Core> {
  using base_block = staging_block<Core>;
  using scan = cub::BlockScan<int, base_block::shape.threads, cub::BLOCK_SCAN_WARP_SCANS>;
  struct alignas(16) storage {
    typename Core::range next_range;
    typename Core::packed_tile packed[2];
    offset next_tile;
    offset packed_begin;
    typename scan::TempStorage scan_storage;
  };
  // The host computes the size of the shared memory from this class as it is compiled for the host.
  static_assert(base_block::shape.threads == Core::shape(0).threads,
                "a tile must have the same number of threads on all architectures");
  static MGPU_HOST_DEVICE constexpr int half_bytes(const base::tile_shape& s) {
    return base::align_up(Core::shared_bytes(s), 128);
  }

 public:
  using base_block::shape;

  MGPU_DEVICE compacting_block(char* shared, tile_state* states)
      : base_block(shared),
        storage_(*reinterpret_cast<storage*>(shared + base_block::own_bytes)),
        halves_(shared + base_block::own_bytes + sizeof(storage)),
        states_(states) {}

  static constexpr int shared_bytes(const base::tile_shape& s) {
    return base_block::own_bytes + int{sizeof(storage)} + 2 * half_bytes(s);
  }

  /// From now on stage() and take() use this half of the shared memory.
  MGPU_DEVICE void enter_half(int half) { this->take_from(halves_ + half * half_bytes(shape)); }

  /// True for the thread that finds the block's next tile. If there are two warps, it is not in the one of look_back.
  MGPU_DEVICE bool finds_next() const { return this->thread() == shape.threads - 1; }
  MGPU_DEVICE void set_next(offset tile, const typename Core::range& range) {
    storage_.next_tile = tile;
    storage_.next_range = range;
  }
  MGPU_DEVICE offset next_tile() const { return storage_.next_tile; }
  MGPU_DEVICE typename Core::range next_range() const { return storage_.next_range; }

  /// Makes room for this thread's `count` results behind those of the threads before it; returns the place of the first
  /// one. When it returns, every thread has called it. `count_of_tile` is the number of all results.
  MGPU_DEVICE int place_of(int count, int& count_of_tile) {
    int place;
    scan(storage_.scan_storage).ExclusiveSum(count, place, count_of_tile);
    return place;
  }
  /// Tells the tiles after this one how many results it has.
  MGPU_DEVICE void publish_count(offset tile, offset count_of_tile) {
    if (this->thread() != 0) return;
    if (tile == 0) states_[tile].publish_sum(count_of_tile);
    else states_[tile].publish_own(count_of_tile);
  }

  /// Puts the elements of x whose bit in `emitted` is set to `to`, without gaps.
  template <class T, int Items>
  MGPU_DEVICE void put_packed(const base::slot<T> (&x)[Items], unsigned emitted, T* to) const {
    MGPU_UNROLL
    for (int i = 0; i < Items; ++i) {
      if (emitted >> i & 1) base::construct(to++, x[i].value);
    }
  }

  /// Describes the tile whose results lie in a half. It lies in shared memory, to spare registers. One thread sets it;
  /// all threads may read it after the next sync().
  MGPU_DEVICE void set_packed(int half, const typename Core::packed_tile& t) {
    if (this->thread() == 0) storage_.packed[half] = t;
  }
  MGPU_DEVICE typename Core::packed_tile& packed(int half) const { return storage_.packed[half]; }

  /// Finds where in the output the results of the tile in a half begin. The first warp does it; all threads may read it
  /// after the next sync().
  MGPU_DEVICE void find_packed_begin(offset tile, int half) {
    if (this->thread() >= 32) return;
    const offset begin = tile == 0 ? 0 : look_back(states_, tile);
    if (this->thread() == 0) {
      if (tile != 0) states_[tile].publish_sum(base::saturated_sum(begin, storage_.packed[half].count));
      storage_.packed_begin = begin;
    }
  }
  MGPU_DEVICE offset packed_begin() const { return storage_.packed_begin; }

  /// How many results another tile has, or -1 if that is not known yet.
  MGPU_DEVICE offset count_if_known(offset tile) const { return size_if_known(states_, tile); }

  /// Writes `count` packed elements to out.
  template <class T, class Out>
  MGPU_DEVICE void store_packed(const T* packed, Out out, int count) const {
    for (int i = this->thread(); i < count; i += shape.threads) out[i] = packed[i];
  }

 private:
  storage& storage_;
  char* halves_;
  tile_state* states_;  // [tiles]
};

}  // namespace detail::block
MGPU_NAMESPACE_END
