// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/block/stage/staging_block.cuh>

#include <cub/block/block_reduce.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// A thread block that only counts the results of a tile.
template <class Core>
class counting_block : public staging_block<Core> {
  using base_block = staging_block<Core>;
  using reduce = cub::BlockReduce<int, base_block::shape.threads>;

 public:
  MGPU_DEVICE explicit counting_block(char* shared)
      : base_block(shared), storage_(*reinterpret_cast<typename reduce::TempStorage*>(this->take(storage_bytes))) {}

  static constexpr int storage_bytes = base::align_up(int{sizeof(typename reduce::TempStorage)}, 16);
  static constexpr int shared_bytes(const base::tile_shape& s) { return base_block::shared_bytes(s) + storage_bytes; }

  /// The sum over the block. Only thread 0 gets it.
  MGPU_DEVICE int sum(int mine) { return reduce(storage_).Sum(mine); }
  MGPU_DEVICE offset sum(offset mine) {
    __shared__ offset sums[base_block::shape.threads / 32];
    offset total;
    this->sum_before(mine, sums, total);
    return total;
  }

 private:
  typename reduce::TempStorage& storage_;
};

}  // namespace detail::block
MGPU_NAMESPACE_END
