// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// CUB's sorts of a whole array, with temporary storage allocated at the first call, which is not timed.

#include <support/cub_storage.cuh>
#include <support/sort_row.cuh>

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include <cstddef>
#include <type_traits>

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

/// cub::DeviceRadixSort with a DoubleBuffer. The second buffers are part of its storage.
struct cub_radix_in_place_peer : plain_peer {
  cub_storage storage;

  template <class Call>
  void operator()(const Call& c) {
    storage([&](void* memory, std::size_t& bytes) { return sort(memory, bytes, c); });
  }

 private:
  template <class Call>
  static cudaError_t sort(void* memory, std::size_t& bytes, const Call& c) {
    using key = std::remove_pointer_t<decltype(c.keys)>;
    using value = std::remove_pointer_t<decltype(c.values)>;
    const auto bytes_of = [&](std::size_t element_bytes) { return (c.count * element_bytes + 255) / 256 * 256; };
    const std::size_t key_bytes = bytes_of(sizeof(key)), value_bytes = Call::has_values ? bytes_of(sizeof(value)) : 0;
    auto* const begin = static_cast<char*>(memory);
    cub::DoubleBuffer<key> keys(c.keys, reinterpret_cast<key*>(begin));
    cub::DoubleBuffer<value> values(c.values, reinterpret_cast<value*>(begin + key_bytes));
    void* const rest = begin ? begin + key_bytes + value_bytes : nullptr;
    std::size_t rest_bytes = begin ? bytes - key_bytes - value_bytes : 0;
    cudaError_t result;
    if constexpr (Call::has_values)
      result = cub::DeviceRadixSort::SortPairs(rest, rest_bytes, keys, values, c.count, 0, 8 * int{sizeof(key)});
    else result = cub::DeviceRadixSort::SortKeys(rest, rest_bytes, keys, c.count, 0, 8 * int{sizeof(key)});
    if (result != cudaSuccess) return result;
    if (!begin) {
      bytes = key_bytes + value_bytes + rest_bytes;
      return cudaSuccess;
    }
    if (keys.Current() == c.keys) return cudaSuccess;
    result = cudaMemcpyAsync(c.keys, keys.Current(), c.count * sizeof(key), cudaMemcpyDeviceToDevice);
    if (result != cudaSuccess || !Call::has_values) return result;
    return cudaMemcpyAsync(c.values, values.Current(), c.count * sizeof(value), cudaMemcpyDeviceToDevice);
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
