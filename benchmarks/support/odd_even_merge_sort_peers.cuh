// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sorts of an array in place by a network, and how each peer is called with one.

#include <support/cub_sort_peers.cuh>
#include <support/sort_row.cuh>
#include <support/timing.cuh>

#include <mgpu/odd_even_merge_sort.h>
#include <mgpu/par.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace bench {

/// mgpu::par_nosync, which needs no scratch memory.
struct mgpu_peer : plain_peer {
  static constexpr value_order order = value_order::any;
  static constexpr unsigned long long queueing_nanoseconds = 3'000'000;  // for the passes of 10^9 elements

  template <class Call>
  void operator()(const Call& c) const {
    if constexpr (Call::has_values) {
      mgpu::odd_even_merge_sort_by_key(mgpu::par_nosync, c.keys, c.keys + c.count, c.values, c.compare);
    } else {
      mgpu::odd_even_merge_sort(mgpu::par_nosync, c.keys, c.keys + c.count, c.compare);
    }
  }
};

/// What all threads of a layer of the network share.
struct dispatched_layer {
  u32 count, stride_log, remainder, last;

  __device__ bool is_left(u32 i) const {
    const u32 inner = i >> stride_log;
    return (inner & 1) == remainder && (inner & last) < last;
  }
};

template <class Key, class Compare>
__global__ void compare_exchange_layer(Key* keys, dispatched_layer layer, Compare compare) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= layer.count || !layer.is_left(i)) return;
  const u32 j = i + (1u << layer.stride_log);
  if (j >= layer.count) return;
  const Key x = keys[i], y = keys[j];
  if (compare(y, x)) {
    keys[i] = y;
    keys[j] = x;
  }
}

/// The same network with a launch for every layer and a thread for every index, which compares its element with the one
/// a stride behind it if it is the left one of the two.
/// Source: "Parallel Sorting on GPU: Part 2".
struct one_dispatch_per_layer_peer : plain_peer {
  static constexpr u32 threads = 256;                                    // the source's local size
  static constexpr unsigned long long queueing_nanoseconds = 3'000'000;  // for 465 layers

  template <class Call>
  void operator()(const Call& c) const {
    static_assert(!Call::has_values, "the source sorts keys alone");
    if (c.count > std::size_t{1} << 31) throw std::invalid_argument("an index and a stride make 32 bits at most");
    const u32 count = static_cast<u32>(c.count);
    for (u32 group_log = 1; std::size_t{1} << (group_log - 1) < c.count; ++group_log) {
      for (u32 stride_log = group_log; stride_log-- > 0;) {
        const u32 remainder = stride_log + 1 < group_log;  // the first layer of a group has pairs of its halves
        const dispatched_layer layer{count, stride_log, remainder, (1u << (group_log - stride_log)) - 1};
        compare_exchange_layer<<<(count - 1) / threads + 1, threads>>>(c.keys, layer, c.compare);
      }
    }
  }
};

/// Seconds of one std::sort of the call's keys on the CPU; the copies there and back are not counted.
template <class Call>
double seconds_of_std_sort(const Call& c) {
  using clock = std::chrono::steady_clock;
  std::vector<std::remove_pointer_t<decltype(c.keys)>> keys(c.count);
  const std::size_t bytes = keys.size() * sizeof(keys[0]);
  check(cudaMemcpy(keys.data(), c.unsorted_keys, bytes, cudaMemcpyDeviceToHost));
  const auto begin = clock::now();
  std::sort(keys.begin(), keys.end());
  const double seconds = std::chrono::duration<double>(clock::now() - begin).count();
  check(cudaMemcpy(c.keys, keys.data(), bytes, cudaMemcpyHostToDevice));
  return seconds;
}

}  // namespace bench
