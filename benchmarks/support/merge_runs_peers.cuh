// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One merge of runs, and how each peer is called with it.

#include <support/cub_sort_peers.cuh>
#include <support/cub_storage.cuh>
#include <support/kept_memory.cuh>
#include <support/sort_row.cuh>

#include <mgpu/merge.h>
#include <mgpu/merge_runs.h>
#include <mgpu/par.h>

#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <cub/device/device_merge.cuh>
#include <cub/device/device_merge_sort.cuh>

#include <cuda/std/functional>

#include <cstddef>
#include <map>
#include <tuple>
#include <vector>

namespace bench {

/// Keys, and their values if they have any, in one memory.
template <class Key, class Value>
struct elements {
  Key* keys;
  Value* values;  // null without values

  elements from(std::ptrdiff_t i) const { return {keys + i, values ? values + i : nullptr}; }
};

template <class Key, class Value>
struct merge_runs_call {
  static constexpr bool has_values = !std::is_same_v<Value, no_value>;

  elements<const Key, const Value> in;
  const std::vector<std::ptrdiff_t>* offsets;  // [runs + 1]
  const std::ptrdiff_t* device_offsets;        // [runs + 1]
  elements<Key, Value> out;
  elements<Key, Value> scratch;  // for the trees

  std::ptrdiff_t runs() const { return static_cast<std::ptrdiff_t>(offsets->size()) - 1; }
  std::size_t size() const { return static_cast<std::size_t>(offsets->back()); }
};

template <class Policy, class Call>
std::size_t merge_runs_with_mgpu(const Policy& policy, const Call& c) {
  const mgpu::run_offsets runs(c.device_offsets, c.runs());
  const auto* const end = c.in.keys + c.size();
  if constexpr (Call::has_values) {
    mgpu::merge_runs_by_key(policy, c.in.keys, end, c.in.values, runs, c.out.keys, c.out.values);
  } else {
    mgpu::merge_runs(policy, c.in.keys, end, runs, c.out.keys);
  }
  return c.size();
}

/// mgpu::par_nosync, scratch memory kept from call to call.
struct mgpu_runs_peer {
  kept_memory scratch;

  template <class Call>
  std::size_t operator()(const Call& c) {
    return merge_runs_with_mgpu(mgpu::par_nosync(scratch), c);
  }
};

struct mgpu_par_runs_peer {
  template <class Call>
  std::size_t operator()(const Call& c) const {
    return merge_runs_with_mgpu(mgpu::par, c);
  }
};

/// Merges neighbours, two by two, until one run is left. merge_two(a, a_count, b, b_count, to) merges two.
template <class Key, class Value, class MergeTwo>
void merge_in_a_tree(const merge_runs_call<Key, Value>& c, const MergeTwo& merge_two) {
  std::vector<std::ptrdiff_t> offsets = *c.offsets;
  int levels = 0;
  while ((std::ptrdiff_t{1} << levels) < c.runs()) ++levels;
  elements<const Key, const Value> from = c.in;
  for (int level = 0; level < levels; ++level) {
    const elements<Key, Value> to = (levels - level) % 2 != 0 ? c.out : c.scratch;
    std::vector<std::ptrdiff_t> merged{0};
    for (std::size_t i = 0; i + 1 < offsets.size(); i += 2) {
      const std::ptrdiff_t begin = offsets[i], middle = offsets[i + 1];
      const std::ptrdiff_t end = i + 2 < offsets.size() ? offsets[i + 2] : middle;
      if (begin < end) merge_two(from.from(begin), middle - begin, from.from(middle), end - middle, to.from(begin));
      merged.push_back(end);
    }
    offsets = merged;
    from = {to.keys, to.values};
  }
}

/// A tree of mgpu::merge, scratch memory kept from call to call.
struct mgpu_tree_peer {
  kept_memory scratch;

  template <class Key, class Value>
  std::size_t operator()(const merge_runs_call<Key, Value>& c) {
    merge_in_a_tree(
        c, [&](const auto& a, std::ptrdiff_t a_count, const auto& b, std::ptrdiff_t b_count, const auto& to) {
          if constexpr (merge_runs_call<Key, Value>::has_values) {
            mgpu::merge_by_key(mgpu::par_nosync(scratch), a.keys, a.keys + a_count, b.keys, b.keys + b_count, a.values,
                               b.values, to.keys, to.values);
          } else {
            mgpu::merge(mgpu::par_nosync(scratch), a.keys, a.keys + a_count, b.keys, b.keys + b_count, to.keys);
          }
        });
    return c.size();
  }
};

/// A tree of cub::DeviceMerge. Temporary storage is allocated for merges of each size once.
struct cub_tree_peer {
  std::map<std::ptrdiff_t, cub_storage> storage;

  template <class Key, class Value>
  std::size_t operator()(const merge_runs_call<Key, Value>& c) {
    const auto less = cuda::std::less<>{};
    merge_in_a_tree(
        c, [&](const auto& a, std::ptrdiff_t a_count, const auto& b, std::ptrdiff_t b_count, const auto& to) {
          storage[a_count + b_count]([&](void* memory, std::size_t& bytes) {
            if constexpr (merge_runs_call<Key, Value>::has_values) {
              return cub::DeviceMerge::MergePairs(memory, bytes, a.keys, a.values, a_count, b.keys, b.values, b_count,
                                                  to.keys, to.values, less);
            } else {
              return cub::DeviceMerge::MergeKeys(memory, bytes, a.keys, a_count, b.keys, b_count, to.keys, less);
            }
          });
        });
    return c.size();
  }
};

/// cub::DeviceRadixSort of all elements.
struct cub_radix_runs_peer {
  cub_radix_peer sort;

  template <class Key, class Value>
  std::size_t operator()(const merge_runs_call<Key, Value>& c) {
    sort(sort_call<Key, Value, cuda::std::less<>>{c.size(), c.in.keys, c.in.values, c.out.keys, c.out.values, {}});
    return c.size();
  }
};

/// cub::DeviceMergeSort of all elements.
struct cub_merge_runs_peer {
  cub_storage storage;

  template <class Key>
  std::size_t operator()(const merge_runs_call<Key, no_value>& c) {
    storage([&](void* memory, std::size_t& bytes) {
      return cub::DeviceMergeSort::SortKeysCopy(memory, bytes, c.in.keys, c.out.keys, c.size(), cuda::std::less<>{});
    });
    return c.size();
  }
};

/// A stable sort of all, which the others are checked against.
struct sort_peer {
  template <class Key, class Value>
  std::size_t operator()(const merge_runs_call<Key, Value>& c) const {
    const std::size_t n = c.size();
    check(cudaMemcpy(c.out.keys, c.in.keys, n * sizeof(Key), cudaMemcpyDeviceToDevice));
    if constexpr (merge_runs_call<Key, Value>::has_values) {
      check(cudaMemcpy(c.out.values, c.in.values, n * sizeof(Value), cudaMemcpyDeviceToDevice));
      thrust::stable_sort_by_key(thrust::cuda::par, c.out.keys, c.out.keys + n, c.out.values);
    } else {
      thrust::stable_sort(thrust::cuda::par, c.out.keys, c.out.keys + n);
    }
    return n;
  }
};

}  // namespace bench
