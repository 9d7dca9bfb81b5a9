// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Which way a sort goes on a GPU, as the library chooses it. A test of one way takes its counts from here.

#include "executors.h"

#include <doctest/doctest.h>

#include <mgpu/plan/sort/sort.h>

#include <type_traits>

namespace test {

using mgpu::detail::core::tile_kind;
using mgpu::detail::exec::kernel_facts;
using mgpu::detail::plan::sort_tiling;
using mgpu::detail::plan::sort_way;

/// The values of a sort of keys alone, and the arrays of locality_sort and of stable_sort.
using keys_alone = mgpu::detail::base::no_values::value_type;
using near_array = mgpu::detail::plan::nearly_sorted_array;
using any_array = mgpu::detail::plan::whole_array;

/// Stands for a policy of a GPU where only the host is asked.
struct gpu_policy {
  struct executor_type {
    static constexpr bool has_shared_memory = true, has_radix_sort = true;
  };
};

#ifdef MGPU_TEST_CUDA
static_assert(mgpu::detail::exec::executor_of<std::decay_t<decltype(mgpu::par)>>::has_shared_memory &&
                  mgpu::detail::exec::executor_of<std::decay_t<decltype(mgpu::par)>>::has_radix_sort,
              "as gpu_policy says");

/// The GPU of this test.
inline kernel_facts gpu() {
  return {
      10 * device_attribute(cudaDevAttrComputeCapabilityMajor) + device_attribute(cudaDevAttrComputeCapabilityMinor),
      device_attribute(cudaDevAttrMultiProcessorCount), 0};
}
#else
/// An H200.
inline kernel_facts gpu() { return {90, 132, 0}; }
#endif

template <class Value>
using values_of = std::conditional_t<std::is_same_v<Value, keys_alone>, mgpu::detail::base::no_values, Value*>;

/// The way of `count` keys, with values or alone.
template <class Key, class Value = keys_alone, class Segments, class Compare>
sort_way way_of(offset count, const Segments& segments, const Compare&, const kernel_facts& device = gpu()) {
  return mgpu::detail::plan::way_of_sort<gpu_policy, Key*, values_of<Value>, Segments, Compare>(count, segments,
                                                                                                device);
}

/// The tiles of a sort in small tiles.
struct small_tiles {
  tile_kind kind;
  sort_tiling tiling;
};
template <class Key, class Value = keys_alone, class Segments, class Compare>
small_tiles small_tiles_of(offset count, const Segments& segments, const Compare& compare,
                           const kernel_facts& device = gpu()) {
  small_tiles result{};
  mgpu::detail::plan::with_small_tiles<gpu_policy, Key*, values_of<Value>>(
      count, segments, mgpu::detail::plan::order_of_tiles<Key>(compare), device,
      [&](auto kind, const sort_tiling& tiling) {
        result = {kind, tiling};
      });
  return result;
}

/// `count` segments, of which only the number counts.
inline auto segments_of_count(offset count) {
  static const offset never_read = 0;
  return mgpu::segment_offsets(&never_read, count);
}

struct count_range {
  offset first, last;
};
/// The first range of counts that go a way. way(count) says which way a count goes.
template <class Way>
count_range counts_of(sort_way wanted, const Way& way) {
  const auto border = [&](offset low, offset high) {  // between two counts, of which one goes the way
    const bool goes = way(high) == wanted;
    while (high - low > 1) {
      const offset middle = low + (high - low) / 2;
      ((way(middle) == wanted) == goes ? high : low) = middle;
    }
    return high;
  };
  constexpr offset end = offset{1} << 31;
  const auto next = [](offset count) { return count + count / 64 + 1; };
  offset low = 0, high = 1;
  for (; way(high) != wanted && high < end; high = next(high)) low = high;
  REQUIRE(way(high) == wanted);  // else no count goes the way
  count_range range{border(low, high), end};
  for (low = high; way(low) == wanted && low < end; low = next(high = low)) {
  }
  if (low < end) range.last = border(high, low) - 1;
  return range;
}

}  // namespace test
