// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The segmented sorts, and how each peer is called with one. CUB's write to other arrays than they read and have their
// temporary storage allocated at the first call, which is not timed.

#include <support/cub_storage.cuh>
#include <support/interval_data.cuh>
#include <support/kept_memory.cuh>
#include <support/sort_row.cuh>

#include <mgpu/par.h>
#include <mgpu/segmented_sort.h>

#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include <cstddef>

namespace bench {

template <class Key, class Value, class Compare>
struct segmented_sort_call : sort_call<Key, Value, Compare> {
  interval_view segments;
  const u32* segment_of_element;  // [count]

  auto mgpu_segments() const { return mgpu::segment_offsets(segments.offsets, segments.count); }
};

template <class Policy, class Call>
void sort_with_mgpu(const Policy& policy, const Call& c) {
  if constexpr (Call::has_values) {
    mgpu::segmented_sort_by_key(policy, c.keys, c.keys + c.count, c.values, c.mgpu_segments(), c.compare);
  } else {
    mgpu::segmented_sort(policy, c.keys, c.keys + c.count, c.mgpu_segments(), c.compare);
  }
}

/// mgpu::par_nosync with scratch memory that is allocated before: its kernels, as CUB's are called.
struct mgpu_peer : plain_peer {
  static constexpr value_order order = value_order::any;
  kept_memory scratch;

  template <class Call>
  void operator()(const Call& c) {
    sort_with_mgpu(mgpu::par_nosync(scratch), c);
  }
};

/// mgpu::par: what a user calls by default.
struct mgpu_par_peer : plain_peer {
  static constexpr value_order order = value_order::any;
  template <class Call>
  void operator()(const Call& c) const {
    sort_with_mgpu(mgpu::par, c);
  }
};

/// The stable ones, as mgpu_peer.
struct mgpu_stable_peer : plain_peer {
  kept_memory scratch;

  template <class Call>
  void operator()(const Call& c) {
    const auto policy = mgpu::par_nosync(scratch);
    const auto segments = c.mgpu_segments();
    if constexpr (Call::has_values) {
      mgpu::stable_segmented_sort_by_key(policy, c.keys, c.keys + c.count, c.values, segments, c.compare);
    } else {
      mgpu::stable_segmented_sort(policy, c.keys, c.keys + c.count, segments, c.compare);
    }
  }
};

/// cub::DeviceSegmentedSort, the stable one where there are values.
struct cub_segmented_peer : plain_peer {
  cub_storage storage;

  template <class Call>
  void operator()(const Call& c) {
    const u32 *const begins = c.segments.offsets, *const ends = begins + 1;
    storage([&](void* memory, std::size_t& bytes) {
      if constexpr (Call::has_values) {
        return cub::DeviceSegmentedSort::StableSortPairs(memory, bytes, c.unsorted_keys, c.keys, c.unsorted_values,
                                                         c.values, c.count, c.segments.count, begins, ends);
      } else {
        return cub::DeviceSegmentedSort::SortKeys(memory, bytes, c.unsorted_keys, c.keys, c.count, c.segments.count,
                                                  begins, ends);
      }
    });
  }
};

/// cub::DeviceSegmentedRadixSort.
struct cub_segmented_radix_peer : plain_peer {
  cub_storage storage;

  template <class Call>
  void operator()(const Call& c) {
    storage([&](void* memory, std::size_t& bytes) {
      return cub::DeviceSegmentedRadixSort::SortKeys(memory, bytes, c.unsorted_keys, c.keys, static_cast<int>(c.count),
                                                     static_cast<int>(c.segments.count), c.segments.offsets,
                                                     c.segments.offsets + 1);
    });
  }
};

// A key behind the number of its segment.

inline __host__ __device__ u64 fuse(u32 segment, u32 key) { return u64{segment} << 32 | key; }

/// Element i, given the number of its segment.
struct fuse_element {
  const u32 *segments, *keys;  // segments[i] may be 0 where element i does not begin its segment
  __host__ __device__ u64 operator()(u32 i) const { return fuse(segments[i], keys[i]); }
};

/// Gives an element the segment of the one before where that has the higher number.
struct spread_segment {
  __host__ __device__ u64 operator()(u64 x, u64 y) const {
    return fuse(static_cast<u32>((x > y ? x : y) >> 32), static_cast<u32>(y));
  }
};

struct write_head {
  interval_view segments;
  u32* heads;
  __host__ __device__ void operator()(u32 segment) const {
    if (segments.size(segment) > 0) heads[segments.offsets[segment]] = segment;
  }
};

struct low_half {
  __host__ __device__ u32 operator()(u64 fused) const { return static_cast<u32>(fused); }
};

/// cub::DeviceRadixSort of the bits that matter of keys fused before, the least that this way costs.
struct cub_fused_peer : plain_peer {
  thrust::device_vector<u64> fused, sorted;
  cub_storage storage;

  template <class Call>
  void prepare(const Call& c) {
    sorted.resize(c.count);
    fused = generate<u64>(c.count, fuse_element{c.segment_of_element, c.unsorted_keys});
  }

  template <class Call>
  void operator()(const Call& c) {
    int end_bit = 32;
    while ((u64{c.segments.count} - 1) >> (end_bit - 32)) ++end_bit;
    storage([&](void* memory, std::size_t& bytes) {
      const u64* const in = fused.data().get();
      u64* const out = sorted.data().get();
      if constexpr (Call::has_values) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, in, out, c.unsorted_values, c.values, c.count, 0,
                                               end_bit);
      } else {
        return cub::DeviceRadixSort::SortKeys(memory, bytes, in, out, c.count, 0, end_bit);
      }
    });
  }

  template <class Call>
  void finish(const Call& c) {
    thrust::transform(thrust::cuda::par_nosync, sorted.begin(), sorted.end(), c.keys, low_half{});
  }
};

/// The same with fusing the keys before and taking them apart after.
struct cub_fused_whole_peer : plain_peer {
  thrust::device_vector<u32> heads;  // [count], the number of the segment that begins at an element, or 0
  cub_fused_peer sort;
  cub_storage scan_storage;

  template <class Call>
  void prepare(const Call& c) {
    heads.resize(c.count);
    sort.fused.resize(c.count);
    sort.sorted.resize(c.count);
  }

  template <class Call>
  void operator()(const Call& c) {
    const thrust::counting_iterator<u32> number(0);
    u32* const head_begin = heads.data().get();
    check(cudaMemsetAsync(head_begin, 0, heads.size() * sizeof(u32)));
    thrust::for_each_n(thrust::cuda::par_nosync, number, c.segments.count, write_head{c.segments, head_begin});
    const auto elements = thrust::make_transform_iterator(number, fuse_element{head_begin, c.unsorted_keys});
    scan_storage([&](void* memory, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveScan(memory, bytes, elements, sort.fused.data().get(), spread_segment{},
                                            c.count);
    });
    sort(c);
    sort.finish(c);
  }
};

}  // namespace bench
