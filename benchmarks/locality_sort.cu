// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// locality_sort and locality_sort_by_key on the GPU beside CUB: 2^26 u32 keys that are more or less sorted, alone and
// with u32 values, and of one input other sizes. Rows are <types>/<input>/<size>/<peer>; the inputs are
//   sorted        i
//   within_N      i + a random number in [0, N]
//   random
//   reversed
// Peers:
//   mgpu        mgpu::par_nosync, scratch memory allocated before
//   mgpu_par    mgpu::par
//   cub_radix   cub::DeviceRadixSort, to other arrays than it reads
//   cub_merge   cub::DeviceMergeSort, its stable functions, in place
// CUB's temporary storage is allocated before.

#include <support/cub_sort_peers.cuh>
#include <support/mgpu_sort_peers.cuh>
#include <support/sort_row.cuh>

#include <mgpu/locality_sort.h>

#include <string>

namespace bench {

struct near : near_place {
  std::string name() const { return distance == 0 ? "sorted" : "within_" + std::to_string(distance); }
};

struct at_random : random_key<u32> {
  std::string name() const { return "random"; }
};

struct backwards {
  __host__ __device__ u32 operator()(u64 i) const { return ~static_cast<u32>(i); }
  std::string name() const { return "reversed"; }
};

template <class Value>
struct locality_case : sort_arrays<u32, Value, cuda::std::less<>> {
  template <class KeyOfNumber>
  locality_case(std::size_t count, const KeyOfNumber& key)
      : sort_arrays<u32, Value, cuda::std::less<>>(count, key, segment_lookup{nullptr}, {}) {}
  auto call() { return this->make_call(); }
};

template <class Policy, class Call>
void sort_with_mgpu(const Policy& policy, const Call& c) {
  if constexpr (Call::has_values) {
    mgpu::locality_sort_by_key(policy, c.keys, c.keys + c.count, c.values, c.compare);
  } else {
    mgpu::locality_sort(policy, c.keys, c.keys + c.count, c.compare);
  }
}

template <class Value, class KeyOfNumber>
void add_input(const KeyOfNumber& key, int log2_count = 26) {
  using input = locality_case<Value>;
  const std::size_t count = power_of_two(log2_count);
  const std::string name = name_of_types<u32, Value>() + "/" + key.name();
  add_sort_row<input, mgpu_peer>(name, count, "mgpu", key);
  add_sort_row<input, mgpu_par_peer>(name, count, "mgpu_par", key);
  add_sort_row<input, cub_radix_peer>(name, count, "cub_radix", key);
  add_sort_row<input, cub_merge_peer>(name, count, "cub_merge", key);
}

template <class Value>
void add_inputs() {
  for (const u32 distance : {0, 25, 1000, 100'000}) add_input<Value>(near{{distance}});
  add_input<Value>(at_random{});
  add_input<Value>(backwards{});
}

}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  add_inputs<no_value>();
  add_inputs<u32>();
  for (const int log2_count : log2_of_sizes) {
    if (log2_count != 26) add_input<no_value>(near{{1000}}, log2_count);
  }
  return run_rows(argc, argv);
}
