// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/slot.h>
#include <mgpu/tile/border_search.h>
#include <mgpu/block/runs/sampled_way_search.cuh>
#include <mgpu/block/search/search.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

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

template <int most_ways, class Key>
struct border_searcher<tile::ways_search<most_ways, Key>> {
  using search = sampled_way_search<most_ways, Key>;
  static constexpr int threads = search::threads;

  template <int block_threads>
  static MGPU_DEVICE search of_thread() {
    __shared__ base::slot<Key> samples[block_threads];
    return search(samples + threadIdx.x / threads * threads);
  }
};

}  // namespace detail::block
MGPU_NAMESPACE_END
