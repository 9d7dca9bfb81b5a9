// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/block/search/search.cuh>
#include <mgpu/block/stage/staging_block.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// A staging_block that runs a tile of a path core. It can search for the splits of the tile's borders.
template <class Core>
class path_block : public staging_block<Core> {
  using base_block = staging_block<Core>;
  using split = typename Core::split;

 public:
  using base_block::shape;

  MGPU_DEVICE explicit path_block(char* shared)
      : base_block(shared, own_bytes), splits_(reinterpret_cast<split*>(shared + splits_begin)) {}

  static constexpr int splits_begin = 16;
  static constexpr int own_bytes = base::align_up(splits_begin + 2 * int{sizeof(split)}, 16);
  static constexpr int shared_bytes(const base::tile_shape& s) { return own_bytes + Core::shared_bytes(s); }

  /// Searches for the splits at two diagonals, one warp each.
  MGPU_DEVICE void find_splits(const Core& core, offset first, offset last, split& first_split, split& last_split) {
    constexpr int last_warp = shape.threads / 32 - 1;
    const int warp = this->thread() / 32;
    const auto first_path = core.path(first), last_path = core.path(last);  // once, before warps part
    if (warp == 0) splits_[0] = first_path.find(warp_search{});
    if (warp == last_warp) splits_[1] = last_path.find(warp_search{});
    this->sync();
    first_split = splits_[0];
    last_split = splits_[1];
  }

 private:
  split* splits_;  // [2]
};

}  // namespace detail::block
MGPU_NAMESPACE_END
