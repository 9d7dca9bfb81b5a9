// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The interval functions, and how each peer is called with one. What Thrust and CUB need in memory is allocated at the
// first call, which is not timed. A peer returns the size of its result in words, of which a small element is a part.

#include <support/cub_storage.cuh>
#include <support/interval_data.cuh>
#include <support/timing.cuh>

#include <mgpu/interval.h>
#include <mgpu/par.h>

#include <thrust/device_ptr.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/system/cuda/execution_policy.h>
#include <cub/device/device_copy.cuh>
#include <cub/device/device_memcpy.cuh>

#include <cstddef>
#include <stdexcept>

namespace bench {

// Where a function that moves intervals reads and writes.
struct gather {
  static constexpr const char* name = "gather";
  static constexpr bool reads_anywhere = true, writes_anywhere = false;
};
struct scatter {
  static constexpr const char* name = "scatter";
  static constexpr bool reads_anywhere = false, writes_anywhere = true;
};
struct move {
  static constexpr const char* name = "move";
  static constexpr bool reads_anywhere = true, writes_anywhere = true;
};

template <class T>
struct expand_call {
  interval_view intervals;
  const T* values;  // [intervals.count]
  T* out;           // [intervals.total]

  std::size_t words() const { return sizeof(T) * intervals.total / sizeof(u32); }
};

template <class Operation, class T>
struct move_call {
  interval_view intervals;
  const u32 *from, *to;  // [intervals.count], the offsets of the intervals where the function has no places
  const T* in;           // [intervals.total]
  T* out;                // [intervals.total]

  std::size_t words() const { return sizeof(T) * intervals.total / sizeof(u32); }
};

template <class Policy, class T>
void call_mgpu(const Policy& policy, const expand_call<T>& c) {
  const mgpu::interval_offsets intervals(c.intervals.offsets, c.intervals.count, c.intervals.total);
  mgpu::interval_expand(policy, intervals, c.values, c.out);
}

template <class Policy, class Operation, class T>
void call_mgpu(const Policy& policy, const move_call<Operation, T>& c) {
  const mgpu::interval_offsets intervals(c.intervals.offsets, c.intervals.count, c.intervals.total);
  if constexpr (!Operation::writes_anywhere) mgpu::interval_gather(policy, intervals, c.from, c.in, c.out);
  else if constexpr (!Operation::reads_anywhere) mgpu::interval_scatter(policy, intervals, c.to, c.in, c.out);
  else mgpu::interval_move(policy, intervals, c.from, c.to, c.in, c.out);
}

/// mgpu::par_nosync: its kernels, as those of the others are called.
struct mgpu_peer {
  template <class Call>
  std::size_t operator()(const Call& c) const {
    call_mgpu(mgpu::par_nosync, c);
    return c.words();
  }
};

/// mgpu::par: what a user calls by default.
struct mgpu_par_peer {
  template <class Call>
  std::size_t operator()(const Call& c) const {
    call_mgpu(mgpu::par, c);
    return c.words();
  }
};

/// Memory that Thrust gets again at every call.
class reused_memory {
 public:
  using value_type = char;
  char* allocate(std::ptrdiff_t bytes) {
    if (is_given_) throw std::logic_error("memory for one array at a time");
    is_given_ = true;
    return static_cast<char*>(memory_.at_least(static_cast<std::size_t>(bytes)));
  }
  void deallocate(char*, std::size_t) { is_given_ = false; }

 private:
  stream_ordered_memory memory_;
  bool is_given_ = false;
};

struct is_not_empty {
  interval_view intervals;
  __host__ __device__ bool operator()(u32 interval) const { return intervals.size(interval) > 0; }
};

/// Where an item lies when its interval begins at a place.
struct place_of_item {
  const u32 *interval_of_item, *offsets, *places;
  __host__ __device__ u32 operator()(u32 item) const {
    const u32 interval = interval_of_item[item];
    return places[interval] + (item - offsets[interval]);
  }
};

/// Scan and gather, the expand of Thrust's examples: the number of an interval is written to its first item and spread
/// to the others by a running maximum, then every item is looked up.
class thrust_peer {
  stream_ordered_memory memory_;
  u32* interval_of_item_ = nullptr;
  reused_memory scan_memory_;

  template <class Policy>
  void find_intervals(const Policy& policy, const interval_view& intervals) {
    interval_of_item_ = static_cast<u32*>(memory_.at_least(intervals.total * sizeof(u32)));
    const auto begin = thrust::device_pointer_cast(interval_of_item_), end = begin + intervals.total;
    const thrust::counting_iterator<u32> number(0);
    thrust::fill(policy, begin, end, u32{0});
    thrust::scatter_if(policy, number, number + intervals.count, intervals.offsets, number, begin,
                       is_not_empty{intervals});
    thrust::inclusive_scan(policy, begin, end, begin, thrust::maximum<u32>{});
  }

  auto places_of_items(const interval_view& intervals, const u32* places) const {
    return thrust::make_transform_iterator(thrust::counting_iterator<u32>(0),
                                           place_of_item{interval_of_item_, intervals.offsets, places});
  }

 public:
  template <class T>
  std::size_t operator()(const expand_call<T>& c) {
    const auto policy = thrust::cuda::par_nosync(scan_memory_);
    find_intervals(policy, c.intervals);
    thrust::gather(policy, interval_of_item_, interval_of_item_ + c.intervals.total, c.values, c.out);
    return c.words();
  }

  template <class Operation, class T>
  std::size_t operator()(const move_call<Operation, T>& c) {
    const auto policy = thrust::cuda::par_nosync(scan_memory_);
    find_intervals(policy, c.intervals);
    const auto from = places_of_items(c.intervals, c.from), to = places_of_items(c.intervals, c.to);
    if constexpr (!Operation::writes_anywhere) {
      thrust::gather(policy, from, from + c.intervals.total, c.in, c.out);
    } else if constexpr (!Operation::reads_anywhere) {
      thrust::scatter(policy, c.in, c.in + c.intervals.total, to, c.out);
    } else {
      thrust::gather(policy, from, from + c.intervals.total, c.in, thrust::make_permutation_iterator(c.out, to));
    }
    return c.words();
  }
};

template <class T>
struct constant_of_interval {
  const T* values;
  __host__ __device__ auto operator()(u32 interval) const { return thrust::constant_iterator<T>(values[interval]); }
};

template <class T>
struct pointer_of_interval {
  T* array;
  const u32* places;
  __host__ __device__ T* operator()(u32 interval) const { return array + places[interval]; }
};

template <class T>
struct bytes_of_interval {
  interval_view intervals;
  __host__ __device__ u32 operator()(u32 interval) const { return intervals.size(interval) * sizeof(T); }
};

/// f(0), f(1), ...
template <class F>
auto of_intervals(const F& f) {
  return thrust::make_transform_iterator(thrust::counting_iterator<u32>(0), f);
}

/// cub::DeviceCopy, which an expand gives constant iterators.
struct cub_copy_peer {
  cub_storage storage;

  template <class T>
  std::size_t operator()(const expand_call<T>& c) {
    copy(of_intervals(constant_of_interval<T>{c.values}),
         of_intervals(pointer_of_interval<T>{c.out, c.intervals.offsets}), c.intervals);
    return c.words();
  }

  template <class Operation, class T>
  std::size_t operator()(const move_call<Operation, T>& c) {
    copy(of_intervals(pointer_of_interval<const T>{c.in, c.from}), of_intervals(pointer_of_interval<T>{c.out, c.to}),
         c.intervals);
    return c.words();
  }

 private:
  template <class Sources, class Destinations>
  void copy(Sources sources, Destinations destinations, const interval_view& intervals) {
    storage([&](void* memory, std::size_t& bytes) {
      return cub::DeviceCopy::Batched(memory, bytes, sources, destinations, of_intervals(size_of_interval{intervals}),
                                      intervals.count);
    });
  }
};

/// cub::DeviceMemcpy.
struct cub_memcpy_peer {
  cub_storage storage;

  template <class Operation, class T>
  std::size_t operator()(const move_call<Operation, T>& c) {
    const auto sources = of_intervals(pointer_of_interval<const T>{c.in, c.from});
    const auto destinations = of_intervals(pointer_of_interval<T>{c.out, c.to});
    storage([&](void* memory, std::size_t& bytes) {
      return cub::DeviceMemcpy::Batched(memory, bytes, sources, destinations,
                                        of_intervals(bytes_of_interval<T>{c.intervals}), c.intervals.count);
    });
    return c.words();
  }
};

}  // namespace bench
