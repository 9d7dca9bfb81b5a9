// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a good engineer writes with CUB and NCCL in a process with a thread for each GPU, all memory allocated before:
//   sort   cub::DeviceRadixSort of each part; exact splits, digit by digit, with ncclAllReduce; grouped ncclSend and
//          ncclRecv; a tree of cub::DeviceMerge
//   merge  merge path through peer memory; grouped ncclSend and ncclRecv; one cub::DeviceMerge

#include <support/ranks.cuh>

#include <cub/device/device_merge.cuh>
#include <cub/device/device_radix_sort.cuh>

#include <cuda/std/functional>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace bench {

using count_type = unsigned long long;

/// The first index at which is_before is false.
template <class IsBefore>
__device__ count_type first_not(count_type low, count_type high, const IsBefore& is_before) {
  while (low < high) {
    const count_type middle = (low + high) / 2;
    if (is_before(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/// counts[s][t]: the keys below prefix[s] with digit t behind it.
template <class T>
__global__ void count_below(const T* keys, count_type count, const T* prefix, int shift, count_type* counts) {
  const T bound = prefix[blockIdx.x] | (static_cast<T>(threadIdx.x) << shift);
  counts[blockIdx.x * 256 + threadIdx.x] = first_not(0, count, [=](count_type i) { return keys[i] < bound; });
}
/// Takes the largest digit whose count does not pass wanted[s].
template <class T>
__global__ void take_digit(T* prefix, int shift, const count_type* counts, const count_type* wanted) {
  const count_type* const own = counts + blockIdx.x * 256;
  const int t = static_cast<int>(threadIdx.x);
  if (own[t] <= wanted[blockIdx.x] && (t == 255 || own[t + 1] > wanted[blockIdx.x]))
    prefix[blockIdx.x] |= static_cast<T>(t) << shift;
}
/// The keys below each splitter, and those not above it.
template <class T>
__global__ void bound_splitters(const T* keys, count_type count, const T* prefix, count_type* bounds) {
  const T splitter = prefix[threadIdx.x];
  bounds[2 * threadIdx.x] = first_not(0, count, [=](count_type i) { return keys[i] < splitter; });
  bounds[2 * threadIdx.x + 1] = first_not(0, count, [=](count_type i) { return !(splitter < keys[i]); });
}

/// Where rank r's keys are cut, [r][0..ranks]: those that go to rank k lie from cut k to cut k + 1.
inline std::vector<std::vector<count_type>> cut_positions(std::size_t ranks, count_type count,
                                                          const count_type* bounds) {
  std::vector<std::vector<count_type>> cuts(ranks, std::vector<count_type>(ranks + 1));
  for (auto& of_rank : cuts) of_rank[ranks] = count;
  for (std::size_t s = 0; s + 1 < ranks; ++s) {
    const auto bound = [&](std::size_t r, std::size_t which) { return bounds[(r * (ranks - 1) + s) * 2 + which]; };
    count_type ties = (s + 1) * count;  // how many of the keys that equal the splitter come before it
    for (std::size_t r = 0; r < ranks; ++r) ties -= bound(r, 0);
    for (std::size_t r = 0; r < ranks; ++r) {
      const count_type taken = std::min(ties, bound(r, 1) - bound(r, 0));
      ties -= taken;
      cuts[r][s + 1] = bound(r, 0) + taken;
    }
  }
  return cuts;
}

/// The sort of one rank. After a call result() has the sorted keys.
template <class T>
class simple_sort_rank {
 public:
  explicit simple_sort_rank(std::size_t count) : count_(count) {
    check(cudaMalloc(&other_, count * sizeof(T)));
    check(cudaMalloc(&merged_, count * sizeof(T)));
    check(cudaMalloc(&prefix_, most_ranks * sizeof(T)));
    check(cudaMalloc(&counts_, most_ranks * 256 * sizeof(count_type)));
    check(cudaMalloc(&wanted_, most_ranks * sizeof(count_type)));
    check(cudaMalloc(&bounds_, most_bounds * sizeof(count_type)));
    check(cudaMallocHost(&bounds_host_, most_bounds * sizeof(count_type)));
    std::vector<count_type> wanted;
    for (std::size_t s = 1; s <= most_ranks; ++s) wanted.push_back(s * count);
    check(cudaMemcpy(wanted_, wanted.data(), most_ranks * sizeof(count_type), cudaMemcpyHostToDevice));
    cub::DoubleBuffer<T> keys;
    std::size_t merge_bytes = 0;
    check(cub::DeviceRadixSort::SortKeys(nullptr, storage_bytes_, keys, count));
    check(cub::DeviceMerge::MergeKeys(nullptr, merge_bytes, merged_, std::int64_t(count), merged_, std::int64_t(count),
                                      other_, cuda::std::less<>{}));
    storage_bytes_ = std::max(storage_bytes_, merge_bytes);
    check(cudaMalloc(&storage_, storage_bytes_));
  }
  ~simple_sort_rank() {
    for (void* p : {static_cast<void*>(other_), static_cast<void*>(merged_), static_cast<void*>(prefix_),
                    static_cast<void*>(counts_), static_cast<void*>(wanted_), static_cast<void*>(bounds_), storage_})
      cudaFree(p);
    cudaFreeHost(bounds_host_);
  }
  simple_sort_rank(const simple_sort_rank&) = delete;
  simple_sort_rank& operator=(const simple_sort_rank&) = delete;

  const T* result() const { return result_; }

  void run(gpu& g, int ranks, T* unsorted) {
    cub::DoubleBuffer<T> keys(unsorted, other_);
    std::size_t bytes = storage_bytes_;
    check(cub::DeviceRadixSort::SortKeys(storage_, bytes, keys, count_, 0, 8 * int{sizeof(T)}, g.stream));
    result_ = keys.Current();
    if (ranks > 1) share(g, static_cast<std::size_t>(ranks), keys.Current(), keys.Alternate());
  }

 private:
  static constexpr std::size_t most_ranks = 16, most_bounds = 2 * most_ranks * most_ranks;
  struct sorted_run {
    const T* keys;
    count_type count;
  };

  void share(gpu& g, std::size_t ranks, T* sorted, T* room) {
    find_bounds(g, ranks, sorted);
    const auto own = static_cast<std::size_t>(g.number);
    const auto cuts = bench::cut_positions(ranks, count_, bounds_host_);
    std::vector<sorted_run> runs;
    count_type end = 0;
    g.phases->record(1, g.stream);
    check(ncclGroupStart());
    for (std::size_t r = 0; r < ranks; ++r) {
      const count_type in = cuts[r][own + 1] - cuts[r][own], out = cuts[own][r + 1] - cuts[own][r];
      runs.push_back({r == own ? sorted + cuts[own][own] : room + end, in});
      if (r == own) continue;
      if (in > 0) check(ncclRecv(room + end, in * sizeof(T), ncclUint8, int(r), g.comm, g.stream));
      if (out > 0) check(ncclSend(sorted + cuts[own][r], out * sizeof(T), ncclUint8, int(r), g.comm, g.stream));
      end += in;
    }
    check(ncclGroupEnd());
    g.phases->record(2, g.stream);
    g.phases->has_exchange = true;
    merge(g, std::move(runs), room);
  }

  void find_bounds(gpu& g, std::size_t ranks, const T* sorted) {
    const auto splitters = static_cast<unsigned>(ranks - 1);
    check(cudaMemsetAsync(prefix_, 0, most_ranks * sizeof(T), g.stream));
    for (int shift = 8 * int{sizeof(T)} - 8; shift >= 0; shift -= 8) {
      count_below<<<splitters, 256, 0, g.stream>>>(sorted, count_, prefix_, shift, counts_);
      check(ncclAllReduce(counts_, counts_, splitters * 256, ncclUint64, ncclSum, g.comm, g.stream));
      take_digit<<<splitters, 256, 0, g.stream>>>(prefix_, shift, counts_, wanted_);
    }
    count_type* const own = bounds_ + std::size_t(g.number) * 2 * splitters;
    bound_splitters<<<1, splitters, 0, g.stream>>>(sorted, count_, prefix_, own);
    check(cudaGetLastError());
    check(ncclAllGather(own, bounds_, 2 * splitters, ncclUint64, g.comm, g.stream));
    check(cudaMemcpyAsync(bounds_host_, bounds_, ranks * 2 * splitters * sizeof(count_type), cudaMemcpyDeviceToHost,
                          g.stream));
    check(cudaStreamSynchronize(g.stream));
  }

  /// Level after level, between the two arrays that are free.
  void merge(gpu& g, std::vector<sorted_run> runs, T* room) {
    T* to = merged_;
    while (runs.size() > 1) {
      std::vector<sorted_run> merged;
      count_type end = 0;
      for (std::size_t i = 0; i + 1 < runs.size(); i += 2) {
        std::size_t bytes = storage_bytes_;
        check(cub::DeviceMerge::MergeKeys(storage_, bytes, runs[i].keys, std::int64_t(runs[i].count), runs[i + 1].keys,
                                          std::int64_t(runs[i + 1].count), to + end, cuda::std::less<>{}, g.stream));
        merged.push_back({to + end, runs[i].count + runs[i + 1].count});
        end += merged.back().count;
      }
      runs = std::move(merged);
      to = to == merged_ ? room : merged_;
    }
    result_ = runs[0].keys;
  }

  std::size_t count_, storage_bytes_ = 0;
  T *other_ = nullptr, *merged_ = nullptr, *prefix_ = nullptr;
  count_type *counts_ = nullptr, *wanted_ = nullptr, *bounds_ = nullptr, *bounds_host_ = nullptr;
  void* storage_ = nullptr;
  const T* result_ = nullptr;
};

/// Equal blocks of a sequence on the GPUs, which see each other's memory.
template <class T>
struct blocks {
  const T* begin[16];
  count_type count;  // of one block
  __device__ T operator[](count_type i) const { return begin[i / count][i % count]; }
};

/// cuts[r]: the elements of a before rank r's part of the merge.
template <class T>
__global__ void cut_merge_path(blocks<T> a, blocks<T> b, int ranks, count_type* cuts) {
  const count_type rank = threadIdx.x, all = a.count * static_cast<count_type>(ranks), diagonal = 2 * a.count * rank;
  if (threadIdx.x > static_cast<unsigned>(ranks)) return;
  const count_type low = diagonal > all ? diagonal - all : 0, high = diagonal < all ? diagonal : all;
  cuts[rank] = first_not(low, high, [&](count_type i) { return !(b[diagonal - 1 - i] < a[i]); });
}

/// The merge of one rank.
template <class T>
class simple_merge_rank {
 public:
  explicit simple_merge_rank(std::size_t count) : count_(count) {
    check(cudaMalloc(&room_, 2 * count * sizeof(T)));
    check(cudaMalloc(&cuts_, 32 * sizeof(count_type)));
    check(cudaMallocHost(&cuts_host_, 32 * sizeof(count_type)));
    check(cub::DeviceMerge::MergeKeys(nullptr, storage_bytes_, room_, std::int64_t(2 * count), room_,
                                      std::int64_t(2 * count), room_, cuda::std::less<>{}));
    check(cudaMalloc(&storage_, storage_bytes_));
    check(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&copied_, cudaEventDisableTiming));
  }
  ~simple_merge_rank() {
    for (void* p : {static_cast<void*>(room_), static_cast<void*>(cuts_), storage_}) cudaFree(p);
    cudaFreeHost(cuts_host_);
    cudaStreamDestroy(copies_);
    cudaEventDestroy(copied_);
  }
  simple_merge_rank(const simple_merge_rank&) = delete;
  simple_merge_rank& operator=(const simple_merge_rank&) = delete;

  void run(gpu& g, int ranks, const blocks<T>& a, const blocks<T>& b, T* out) {
    cut_merge_path<<<1, 32, 0, g.stream>>>(a, b, ranks, cuts_);
    check(cudaMemcpyAsync(cuts_host_, cuts_, std::size_t(ranks + 1) * sizeof(count_type), cudaMemcpyDeviceToHost,
                          g.stream));
    check(cudaStreamSynchronize(g.stream));
    const auto own = static_cast<count_type>(g.number);
    const auto cut = [&](bool is_b, count_type r) { return is_b ? 2 * count_ * r - cuts_host_[r] : cuts_host_[r]; };
    const count_type a_count = cut(false, own + 1) - cut(false, own), b_count = cut(true, own + 1) - cut(true, own);
    g.phases->record(1, g.stream);
    check(ncclGroupStart());
    for (int r = 0; r < ranks; ++r) {
      for (const bool is_b : {false, true}) {
        const T* const from = (is_b ? b : a).begin[g.number];
        T* const to = room_ + (is_b ? a_count : 0);
        const auto other = static_cast<count_type>(r);
        const piece sent = overlap(own, cut(is_b, other), cut(is_b, other + 1));
        const piece got = overlap(other, cut(is_b, own), cut(is_b, own + 1));
        if (r == g.number) {
          check(cudaMemcpyAsync(to + got.to, from + sent.from, sent.count * sizeof(T), cudaMemcpyDeviceToDevice,
                                copies_));
          continue;
        }
        if (sent.count > 0) check(ncclSend(from + sent.from, sent.count * sizeof(T), ncclUint8, r, g.comm, g.stream));
        if (got.count > 0) check(ncclRecv(to + got.to, got.count * sizeof(T), ncclUint8, r, g.comm, g.stream));
      }
    }
    check(ncclGroupEnd());
    check(cudaEventRecord(copied_, copies_));
    check(cudaStreamWaitEvent(g.stream, copied_, 0));
    g.phases->record(2, g.stream);
    g.phases->has_exchange = true;
    std::size_t bytes = storage_bytes_;
    check(cub::DeviceMerge::MergeKeys(storage_, bytes, room_, std::int64_t(a_count), room_ + a_count,
                                      std::int64_t(b_count), out, cuda::std::less<>{}, g.stream));
  }

 private:
  struct piece {
    count_type from, count, to;  // in the block, and in the part
  };
  /// What block r has of [begin, end).
  piece overlap(count_type r, count_type begin, count_type end) const {
    const count_type first = std::max(begin, r * count_), last = std::min(end, (r + 1) * count_);
    return first < last ? piece{first - r * count_, last - first, first - begin} : piece{0, 0, 0};
  }

  std::size_t count_, storage_bytes_ = 0;
  T* room_ = nullptr;
  count_type *cuts_ = nullptr, *cuts_host_ = nullptr;
  void* storage_ = nullptr;
  cudaStream_t copies_ = nullptr;
  cudaEvent_t copied_ = nullptr;
};

/// Lets the GPUs see each other's memory.
inline void enable_peers(int gpus) {
  for (int g = 0; g < gpus; ++g) {
    check(cudaSetDevice(g));
    for (int other = 0; other < gpus; ++other) {
      if (other == g) continue;
      const cudaError_t code = cudaDeviceEnablePeerAccess(other, 0);
      if (code == cudaErrorPeerAccessAlreadyEnabled) cudaGetLastError();
      else check(code);
    }
  }
  check(cudaSetDevice(0));
}

}  // namespace bench
