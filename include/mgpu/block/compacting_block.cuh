// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/block/look_back.cuh>
#include <mgpu/block/tile_block.cuh>

#include <cub/block/block_scan.cuh>

MGPU_NAMESPACE_BEGIN
namespace block {

/// A thread block at work on a tile that emits some of its elements: the outputs of all tiles are packed in tile order.
template <class Core>
class compacting_block : public tile_block<Core> {
  using base_block = tile_block<Core>;
  using scan = cub::BlockScan<int, base_block::shape.threads, cub::BLOCK_SCAN_WARP_SCANS>;
  struct storage {
    offset packed_begin;
    typename scan::TempStorage scan_storage;
  };

 public:
  using base_block::shape;

  MGPU_DEVICE compacting_block(char* shared, tile_state* states, offset tile)
      : base_block(shared), storage_(*reinterpret_cast<storage*>(this->take(own_bytes - base_block::own_bytes))),
        states_(states), tile_(tile) {}

  static constexpr int own_bytes = base::align_up(base_block::own_bytes + int{sizeof(storage)}, 16);

  /// Room for the elements that this thread emits, all after those of the threads before: the place of the first one among
  /// the tile's. Together the tiles emit no more than `max_size`. When it returns, no thread is before the call any more.
  MGPU_DEVICE int reserve(int count, offset max_size) {
    int place;
    scan(storage_.scan_storage).ExclusiveSum(count, place, packed_count_);
    max_size_ = max_size;
    if (this->thread() == 0) {
      if (tile_ == 0) states_[0].publish_sum(packed_count_);
      else states_[tile_].publish_own(packed_count_);
    }
    return place;
  }

  /// Puts those of x whose bit in `emitted` is set, one after the other, at `packed` + `place`.
  template <class T, int Items>
  MGPU_DEVICE void put_packed(const base::slot<T> (&x)[Items], unsigned emitted, T* packed, int place) const {
    T* to = packed + place;
    MGPU_UNROLL
    for (int i = 0; i < Items; ++i) {
      if (emitted >> i & 1) new (to++) T(x[i].value);
    }
  }

  /// Where the tile's elements begin in the output; everything put by the block is visible then.
  MGPU_DEVICE offset packed_begin() {
    if (this->thread() < 32) {
      const offset begin = tile_ == 0 ? 0 : look_back(states_, tile_);
      if (this->thread() == 0) {
        if (tile_ != 0) states_[tile_].publish_sum(begin + packed_count_);
        storage_.packed_begin = begin;
      }
    }
    this->sync();
    packed_begin_ = base::min(storage_.packed_begin, max_size_);
    packed_count_ = static_cast<int>(base::min<offset>(packed_count_, max_size_ - packed_begin_));
    return packed_begin_;
  }

  /// The number of elements the tile emits, after packed_begin().
  MGPU_DEVICE int packed_count() const { return packed_count_; }
  MGPU_DEVICE offset packed_end() const { return packed_begin_ + packed_count_; }

  /// Writes the packed elements to their place in out.
  template <class T, class Out>
  MGPU_DEVICE void store_packed(const T* packed, Out out) {
    const offset begin = packed_begin();
    const Out to = out + begin;
    for (int i = this->thread(); i < packed_count_; i += shape.threads) to[i] = packed[i];
  }

 private:
  storage& storage_;
  tile_state* states_;  // [tiles]
  offset tile_;
  offset max_size_, packed_begin_;
  int packed_count_;
};

}  // namespace block
MGPU_NAMESPACE_END
