// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Two sorted inputs of equal length for a set operation.

#include <support/data.cuh>
#include <support/row.cuh>

#include <thrust/device_vector.h>
#include <thrust/sort.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace bench {

enum class distribution {
  random,     // uniform in [0, 4N), N elements in both inputs
  runs,       // 64 equal keys per value, the same values in both inputs
  all_equal,  // one value
  unique,     // as dense as random, without equal keys in an input
};
constexpr std::array<distribution, 3> distributions{distribution::random, distribution::runs, distribution::all_equal};

inline std::string name_of(distribution d) {
  switch (d) {
    case distribution::random:
      return "rand";
    case distribution::runs:
      return "dup64";
    case distribution::all_equal:
      return "alleq";
    case distribution::unique:
      return "unique";
  }
  return "";
}

/// Binary logarithms of the sizes with u32 keys: random ones are drawn against their size.
inline std::vector<int> sizes_of_u32(distribution d) {
  if (d == distribution::random) return {log2_of_sizes.rbegin(), log2_of_sizes.rend()};
  return {28, 24, 20};
}

template <class Key>
struct run_of_64 {
  __host__ __device__ Key operator()(u64 i) const { return static_cast<Key>(i / 64); }
};

template <class Key>
struct same_key {
  __host__ __device__ Key operator()(u64) const { return 7; }
};

/// Ascending keys, the i-th in [8 i, 8 i + 8).
template <class Key>
struct spread_key {
  random_below<Key> below_8;
  __host__ __device__ Key operator()(u64 i) const { return static_cast<Key>(8 * i + below_8(i)); }
};

/// One of the two inputs of 2^(log2_count - 1) keys.
template <class Key>
thrust::device_vector<Key> set_keys(distribution d, int log2_count, u64 seed) {
  const std::size_t half = std::size_t{1} << (log2_count - 1);
  if (d == distribution::runs) return generate<Key>(half, run_of_64<Key>{});
  if (d == distribution::all_equal) return generate<Key>(half, same_key<Key>{});
  if (d == distribution::unique) return generate<Key>(half, spread_key<Key>{{3, seed}});
  auto keys = generate<Key>(half, random_below<Key>{log2_count + 2, seed});
  thrust::sort(keys.begin(), keys.end());
  return keys;
}

template <class Operation, class Key>
struct set_inputs {
  std::size_t half;
  thrust::device_vector<Key> a_keys, b_keys;

  set_inputs(std::size_t count, distribution d)
      : half(count / 2), a_keys(set_keys<Key>(d, log2_of(count), 1)), b_keys(set_keys<Key>(d, log2_of(count), 2)) {}
  const Key* a() const { return a_keys.data().get(); }
  const Key* b() const { return b_keys.data().get(); }
  const Key* a_end() const { return a() + half; }
  const Key* b_end() const { return b() + half; }
  std::size_t max_out_count() const { return Operation::emits_b ? 2 * half : half; }
};

}  // namespace bench
