// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// stable_sort and stable_sort_by_key on the GPU beside CUB: random keys, alone and with values. Rows are
// <types>/random/<size>/<peer>; keys_f32 and keys_i64 are such numbers, keys_u32_compared has a comparator that the
// library does not know, keys_16_bytes a struct with an operator<. Peers:
//   mgpu            mgpu::par_nosync, scratch memory allocated before
//   mgpu_par        mgpu::par
//   mgpu_locality   locality_sort, as mgpu
//   cub_radix       cub::DeviceRadixSort with a DoubleBuffer, and a copy where its result lies in the other buffer
//   cub_merge       cub::DeviceMergeSort, its stable functions, in place
// CUB's temporary storage is allocated before.

#include <support/cub_sort_peers.cuh>
#include <support/kept_memory.cuh>
#include <support/mgpu_sort_peers.cuh>
#include <support/sort_row.cuh>

#include <mgpu/locality_sort.h>
#include <mgpu/par.h>
#include <mgpu/sort.h>

#include <string>

namespace bench {

/// An order that no library can take for a known one.
struct by_number {
  __host__ __device__ bool operator()(u32 x, u32 y) const { return x < y; }
};

template <class Key>
struct any_key {
  __host__ __device__ Key operator()(u64 i) const {
    if constexpr (std::is_same_v<Key, float>)
      return static_cast<float>(static_cast<std::int32_t>(random_key<u32>{}(i)));
    else if constexpr (std::is_same_v<Key, std::int64_t>) return static_cast<std::int64_t>(random_key<u64>{}(i));
    else return random_key<Key>{}(i);
  }
};

template <class Key, class Value, class Compare = cuda::std::less<>>
struct stable_case : sort_arrays<Key, Value, Compare> {
  explicit stable_case(std::size_t count)
      : sort_arrays<Key, Value, Compare>(count, any_key<Key>{}, segment_lookup{nullptr}, {}) {}
  auto call() { return this->make_call(); }
};

template <class Policy, class Call>
void sort_with_mgpu(const Policy& policy, const Call& c) {
  if constexpr (Call::has_values) {
    mgpu::stable_sort_by_key(policy, c.keys, c.keys + c.count, c.values, c.compare);
  } else {
    mgpu::stable_sort(policy, c.keys, c.keys + c.count, c.compare);
  }
}

struct mgpu_locality_peer : plain_peer {
  kept_memory scratch;

  template <class Call>
  void operator()(const Call& c) {
    if constexpr (Call::has_values) {
      mgpu::locality_sort_by_key(mgpu::par_nosync(scratch), c.keys, c.keys + c.count, c.values, c.compare);
    } else {
      mgpu::locality_sort(mgpu::par_nosync(scratch), c.keys, c.keys + c.count, c.compare);
    }
  }
};

template <class Key, class Value, class Compare = cuda::std::less<>>
void add_types(const std::string& types) {
  using input = stable_case<Key, Value, Compare>;
  for (const int log2_count : {10, 12, 14, 16, 18, 20, 22, 24, 26, 28}) {
    const std::size_t count = power_of_two(log2_count);
    if (count * sizeof(element<Key>) > (std::size_t{1} << 32)) continue;  // what the expected result is made of
    const std::string name = types + "/random";
    add_sort_row<input, mgpu_peer>(name, count, "mgpu");
    add_sort_row<input, mgpu_par_peer>(name, count, "mgpu_par");
    add_sort_row<input, mgpu_locality_peer>(name, count, "mgpu_locality");
    if constexpr (std::is_arithmetic_v<Key>) add_sort_row<input, cub_radix_in_place_peer>(name, count, "cub_radix");
    add_sort_row<input, cub_merge_peer>(name, count, "cub_merge");
  }
}

}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  add_types<u32, no_value>("keys_u32");
  add_types<u64, no_value>("keys_u64");
  add_types<float, no_value>("keys_f32");
  add_types<std::int64_t, no_value>("keys_i64");
  add_types<u32, u32>("pairs_u32_u32");
  add_types<u64, u32>("pairs_u64_u32");
  add_types<u64, u64>("pairs_u64_u64");
  add_types<u32, no_value, by_number>("keys_u32_compared");
  add_types<u64x2, no_value>("keys_16_bytes");
  return run_rows(argc, argv);
}
