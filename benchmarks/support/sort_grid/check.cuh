// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The input of a row of the grid of sorts, and the check of its result.

#include <support/cub_storage.cuh>
#include <support/sort_grid/keys.cuh>
#include <support/timing.cuh>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstring>

namespace bench {

/// What is kept in device memory from row to row.
enum class kept {
  unsorted_keys,
  keys,
  unsorted_values,
  values,
  more_keys,
  more_values,
  cuts,
  bits,
  sorted_bits,
  tally
};

inline void* kept_on_device(kept what, std::size_t bytes) {
  static stream_ordered_memory memory[static_cast<int>(kept::tally) + 1];
  return memory[static_cast<int>(what)].at_least(bytes);
}

/// What a way to sort is given: keys, the numbers of the elements as their values, and segments or runs.
template <class Key, class Value, class Compare>
struct grid_call {
  keys_iterator<Key> unsorted_keys, keys;
  Value *unsorted_values, *values;
  std::size_t count;
  const u32* cuts;  // [pieces + 1], or null where the array is one piece
  u32 pieces;       // segments or runs
  Compare compare;

  static constexpr bool has_values = !std::is_same_v<Value, no_values>;
  static constexpr std::size_t element_bytes = sizeof(Key) + (has_values ? sizeof(Value) : 0);
};

enum class ties { keep_order, any_order };

/// An array before or after a sort.
template <class Key, class Value, class Compare>
struct checked_array {
  keys_iterator<Key> keys;
  const Value* values;
  u64 count;
  const u32* cuts;  // of the segments, or null
  u32 segments;
  Compare compare;
  ties order;

  __device__ u32 segment(u64 i) const {
    u32 begin = 0, end = cuts ? segments : 1;  // the last segment that begins at or before i
    while (end - begin > 1) {
      const u32 middle = begin + (end - begin) / 2;
      if (cuts[middle] <= i) begin = middle;
      else end = middle;
    }
    return begin;
  }

  /// The number of an element in the input, or 0 if it has none.
  __device__ u64 number(u64 i) const {
    if constexpr (!std::is_same_v<Value, no_values>) return static_cast<u64>(values[i]);
    else if constexpr (is_struct<Key>) return keys[i].number;
    else return 0;
  }

  /// The sum of these over an array does not depend on the order within the segments.
  __device__ u64 fingerprint(u64 i, u32 its_segment) const {
    const Key key = keys[i];
    u64 words[(sizeof(Key) + 7) / 8] = {};
    std::memcpy(words, &key, sizeof(Key));
    u64 result = random_bits{its_segment}(number(i));
    for (const u64 word : words) result = random_bits{result}(word);
    return result;
  }

  /// Whether elements i - 1 and i of a segment are in the wrong order.
  __device__ bool is_disorder(u64 i) const {
    const Key before = keys[i - 1], key = keys[i];
    if (compare(key, before)) return true;
    return order == ties::keep_order && !compare(before, key) && number(i) < number(i - 1);
  }
};

struct tally {
  unsigned long long fingerprint, disorders;
};

template <class Array>
__global__ void add_to_tally(Array array, tally* sum) {
  unsigned long long fingerprint = 0, disorders = 0;
  const u64 threads = u64{gridDim.x} * blockDim.x;
  for (u64 i = u64{blockIdx.x} * blockDim.x + threadIdx.x; i < array.count; i += threads) {
    const u32 segment = array.segment(i);
    fingerprint += array.fingerprint(i, segment);
    const bool is_first = i == 0 || (array.cuts && array.cuts[segment] == i);
    if (!is_first && array.is_disorder(i)) ++disorders;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    fingerprint += __shfl_down_sync(~0u, fingerprint, distance);
    disorders += __shfl_down_sync(~0u, disorders, distance);
  }
  if (threadIdx.x % 32 != 0) return;
  atomicAdd(&sum->fingerprint, fingerprint);
  atomicAdd(&sum->disorders, disorders);
}

inline int blocks_for(std::size_t count) { return static_cast<int>(count < 256 * 4096 ? (count + 255) / 256 : 4096); }

template <class Array>
tally tally_of(const Array& array) {
  auto* const sum = static_cast<tally*>(kept_on_device(kept::tally, sizeof(tally)));
  check(cudaMemsetAsync(sum, 0, sizeof(tally)));
  add_to_tally<<<blocks_for(array.count), 256>>>(array, sum);
  check(cudaGetLastError());
  tally result;
  check(cudaMemcpy(&result, sum, sizeof(tally), cudaMemcpyDeviceToHost));
  return result;
}

enum class cuts_are { segments, runs };

/// Whether the result of a call is right.
template <class Key, class Value, class Compare>
bool is_right(const grid_call<Key, Value, Compare>& c, ties order, cuts_are cuts) {
  const u32* const segments = cuts == cuts_are::segments ? c.cuts : nullptr;
  checked_array<Key, Value, Compare> array{c.unsorted_keys, c.unsorted_values, c.count, segments,
                                           c.pieces,        c.compare,         order};
  const tally before = tally_of(array);
  array.keys = c.keys;
  array.values = c.values;
  const tally after = tally_of(array);
  return after.fingerprint == before.fingerprint && after.disorders == 0;
}

// Making inputs.

/// Bits that were made before.
struct given_bits {
  const u64* bits;
  int shift;
  __device__ u64 operator()(u64 i) const { return bits[i] << shift; }
};

template <class Bits>
__global__ void fill(u64* out, u64 count, Bits bits) {
  const u64 threads = u64{gridDim.x} * blockDim.x;
  for (u64 i = u64{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += threads) out[i] = bits(i);
}

template <class Key, class Value, class Compare, class Bits>
__global__ void make_input(grid_call<Key, Value, Compare> call, Bits bits) {
  const u64 threads = u64{gridDim.x} * blockDim.x;
  for (u64 i = u64{blockIdx.x} * blockDim.x + threadIdx.x; i < call.count; i += threads) {
    call.unsorted_keys[i] = key_of_bits<Key>(bits(i), i);
    if constexpr (call.has_values) call.unsorted_values[i] = static_cast<Value>(i);
  }
}

/// An array with such keys, in one piece.
template <class Key, class Value, class Compare, class Bits>
grid_call<Key, Value, Compare> make_call(std::size_t count, const Bits& bits) {
  const auto values = [&](kept which) {
    if constexpr (std::is_same_v<Value, no_values>) return static_cast<Value*>(nullptr);
    else return static_cast<Value*>(kept_on_device(which, count * sizeof(Value)));
  };
  const auto keys = [&](kept which) { return keys_at<Key>(kept_on_device(which, count * sizeof(Key)), count); };
  const grid_call<Key, Value, Compare> call{keys(kept::unsorted_keys),
                                            keys(kept::keys),
                                            values(kept::unsorted_values),
                                            values(kept::values),
                                            count,
                                            nullptr,
                                            1,
                                            Compare{}};
  make_input<<<blocks_for(count), 256>>>(call, bits);
  check(cudaGetLastError());
  return call;
}

}  // namespace bench
