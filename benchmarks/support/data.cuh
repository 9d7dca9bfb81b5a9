// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Input data, made on the device.

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/sort.h>

#include <cstddef>
#include <cstdint>

namespace bench {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// A key or a value of 16 bytes, in lexicographic order.
struct alignas(16) u64x2 {
  u64 high, low;
  friend __host__ __device__ bool operator<(const u64x2& x, const u64x2& y) {
    return x.high < y.high || (x.high == y.high && x.low < y.low);
  }
};

/// Makes an element of 64 random bits, in such a way that more bits do not make a smaller element.
template <class T>
struct from_bits;

template <>
struct from_bits<u32> {
  __host__ __device__ u32 operator()(u64 bits) const { return static_cast<u32>(bits >> 32); }
};

template <>
struct from_bits<u64> {
  __host__ __device__ u64 operator()(u64 bits) const { return bits; }
};

template <>
struct from_bits<u64x2> {
  __host__ __device__ u64x2 operator()(u64 bits) const { return {bits >> 32, bits & 0xffffffffu}; }
};

/// 64 well mixed bits of a number (the finaliser of splitmix64).
struct random_bits {
  u64 seed;
  __host__ __device__ u64 operator()(u64 i) const {
    u64 z = (i + seed) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
};

/// A value that tells which element it came with.
template <class T>
struct numbered {
  u64 first;
  __host__ __device__ T operator()(u64 i) const {
    if constexpr (sizeof(T) == 16) return {first + i, ~(first + i)};
    else return static_cast<T>(first + i);
  }
};

/// The first `count` results of f(0), f(1), ...
template <class T, class F>
thrust::device_vector<T> generate(std::size_t count, F f) {
  const auto numbers = thrust::make_transform_iterator(thrust::counting_iterator<u64>(0), f);
  return thrust::device_vector<T>(numbers, numbers + static_cast<std::ptrdiff_t>(count));
}

/// Random numbers below 2^log2_range.
template <class T>
struct random_below {
  int log2_range;
  u64 seed;
  __host__ __device__ T operator()(u64 i) const {
    return static_cast<T>(random_bits{seed << 40}(i) >> (64 - log2_range));
  }
};

/// i + a random number of [0, distance] for every i: nearly sorted.
struct near_place {
  u32 distance;
  __host__ __device__ u32 operator()(u64 i) const {
    return static_cast<u32>(i + random_bits{u64{2} << 40}(i) % (distance + 1));
  }
};

/// Uniformly distributed random keys, sorted.
template <class Key>
thrust::device_vector<Key> sorted_keys(std::size_t count, u64 seed) {
  auto bits = generate<u64>(count, random_bits{seed << 40});
  thrust::sort(bits.begin(), bits.end());
  const auto keys = thrust::make_transform_iterator(bits.begin(), from_bits<Key>{});
  return thrust::device_vector<Key>(keys, keys + static_cast<std::ptrdiff_t>(count));
}

}  // namespace bench
