// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/slot.h>
#include <mgpu/tile/border_search.h>
#include <mgpu/block/four_way_search.cuh>
#include <mgpu/block/search.cuh>

MGPU_NAMESPACE_BEGIN
namespace block {

/// The threads of a warp that search at one border, by the kind of search that a core asks for.
template <class Search>
struct border_searcher;

template <>
struct border_searcher<tile::partition_search> {
  static constexpr int threads = 32;

  /// The searcher of this thread, in a block of so many threads.
  template <int block_threads>
  static MGPU_DEVICE warp_search of_thread() {
    return {};
  }
};

template <class Key>
struct border_searcher<tile::four_way_search<Key>> {
  static constexpr int threads = four_way_search<Key>::threads;

  template <int block_threads>
  static MGPU_DEVICE four_way_search<Key> of_thread() {
    __shared__ base::slot<Key> samples[block_threads];
    return four_way_search<Key>(samples + threadIdx.x / threads * threads);
  }
};

}  // namespace block
MGPU_NAMESPACE_END
