// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CUB's sorts of a whole array, with temporary storage allocated at the first call, which is not timed.

#include <support/cub_storage.cuh>
#include <support/sort_row.cuh>

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include <cstddef>

namespace bench {

/// cub::DeviceRadixSort, to other arrays than it reads.
struct cub_radix_peer : plain_peer {
  cub_storage storage;

  template <class Call>
  void operator()(const Call& c) {
    storage([&](void* memory, std::size_t& bytes) {
      if constexpr (Call::has_values) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, c.unsorted_keys, c.keys, c.unsorted_values, c.values,
                                               c.count);
      } else {
        return cub::DeviceRadixSort::SortKeys(memory, bytes, c.unsorted_keys, c.keys, c.count);
      }
    });
  }
};

/// The stable functions of cub::DeviceMergeSort, in place.
struct cub_merge_peer : plain_peer {
  cub_storage storage;

  template <class Call>
  void operator()(const Call& c) {
    storage([&](void* memory, std::size_t& bytes) {
      if constexpr (Call::has_values) {
        return cub::DeviceMergeSort::StableSortPairs(memory, bytes, c.keys, c.values, c.count, c.compare);
      } else {
        return cub::DeviceMergeSort::StableSortKeys(memory, bytes, c.keys, c.count, c.compare);
      }
    });
  }
};

}  // namespace bench
