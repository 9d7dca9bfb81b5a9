// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Intervals of random counts, and places that they are gathered from or scattered to.

#include <support/data.cuh>

#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace bench {

/// Counts uniform in [0, 2 * mean].
struct uniform_counts {
  u32 mean;

  __host__ __device__ u64 operator()(u64 interval) const { return random_bits{1}(interval) % (2 * mean + 1); }
  double expected_mean() const { return mean; }
  std::string name() const { return "mean_" + std::to_string(mean); }
};

/// floor(scale / u), at most 2^20, with u uniform in (0, 1]: a few intervals have most items. Of every interval the
/// chance of being empty is 1 - scale, that of having at least k items is scale / k.
struct zipf_counts {
  double scale = 0.5;

  __host__ __device__ u64 operator()(u64 interval) const {
    const double u = static_cast<double>((random_bits{1}(interval) >> 11) + 1) * 0x1p-53;
    const double count = scale / u;
    return count < 0x1p20 ? static_cast<u64>(count) : u64{1} << 20;
  }
  double expected_mean() const { return 14.44 * scale; }  // the sum of scale / k for k from 1 to 2^20
  std::string name() const { return "zipf"; }
};

/// What the peers see of the intervals.
struct interval_view {
  const u32* offsets;  // [count + 1], offsets[count] == total
  u32 count;           // of the intervals
  u32 total;           // of the items

  __host__ __device__ u32 size(u32 interval) const { return offsets[interval + 1] - offsets[interval]; }
};

/// As many intervals as it takes to have `total` items; the last one is cut off there.
struct interval_arrays {
  u32 total;
  thrust::device_vector<u32> offsets;  // [count + 1]

  template <class Counts>
  interval_arrays(std::size_t total, const Counts& counts) : total(static_cast<u32>(total)) {
    const auto enough = static_cast<std::ptrdiff_t>(1.25 * total / counts.expected_mean()) + 1000;
    const auto all = thrust::make_transform_iterator(thrust::counting_iterator<u64>(0), counts);
    thrust::device_vector<u64> begins(enough);
    thrust::exclusive_scan(all, all + enough, begins.begin(), u64{0});
    const auto end = thrust::lower_bound(begins.begin(), begins.end(), u64{total});
    if (end == begins.end()) throw std::runtime_error("the intervals have too few items");
    offsets.assign(begins.begin(), end);
    offsets.push_back(this->total);
  }

  interval_view view() const { return {offsets.data().get(), static_cast<u32>(offsets.size() - 1), total}; }
};

struct size_of_interval {
  interval_view intervals;
  __host__ __device__ u32 operator()(u32 interval) const { return intervals.size(interval); }
};

/// Where each interval begins when they all lie side by side in a random order.
inline thrust::device_vector<u32> random_places(const interval_view& intervals, u64 seed) {
  thrust::device_vector<u32> order(intervals.count), places(intervals.count);
  thrust::sequence(order.begin(), order.end());
  auto keys = generate<u64>(intervals.count, random_bits{seed << 40});
  thrust::sort_by_key(keys.begin(), keys.end(), order.begin());

  const auto sizes = thrust::make_transform_iterator(order.begin(), size_of_interval{intervals});
  thrust::device_vector<u32> begins(intervals.count);
  thrust::exclusive_scan(sizes, sizes + static_cast<std::ptrdiff_t>(intervals.count), begins.begin());
  thrust::scatter(begins.begin(), begins.end(), order.begin(), places.begin());
  return places;
}

/// Random elements, so that one in another's place is found.
template <class T>
struct random_element {
  u64 seed;
  __host__ __device__ T operator()(u64 i) const {
    const u64 bits = random_bits{seed << 40}(i);
    if constexpr (sizeof(T) == 16) return {bits, ~bits};
    else return static_cast<T>(bits);
  }
};

}  // namespace bench
