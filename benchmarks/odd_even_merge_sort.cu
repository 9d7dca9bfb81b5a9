// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// odd_even_merge_sort and odd_even_merge_sort_by_key on the GPU beside the plain form of the same network, CUB, and the
// CPU: random keys. Rows are <types>/random/<size>/<peer>. Sizes are 2^16 to 2^26, 2^26 + 12,345 and 10^9, the last
// that of the page which the network is from. Peers:
//   mgpu                     mgpu::par_nosync, in place
//   one_dispatch_per_layer   a launch for every layer and a thread for every index, in place
//   cub_radix                cub::DeviceRadixSort, to other arrays than it reads, with temporary storage allocated
//                            before
//   std_sort                 one std::sort on one core, the copies to the CPU and back not counted

#include <support/odd_even_merge_sort_peers.cuh>

#include <cstddef>
#include <cstdint>
#include <string>

namespace bench {

using i32 = std::int32_t;

/// A key from 32 random bits, signed or not.
template <class Key>
struct random_word {
  __host__ __device__ Key operator()(u64 i) const { return static_cast<Key>(random_key<u32>{}(i)); }
};

template <class Key, class Value>
struct random_case : sort_arrays<Key, Value, cuda::std::less<>> {
  explicit random_case(std::size_t count)
      : sort_arrays<Key, Value, cuda::std::less<>>(count, random_word<Key>{}, segment_lookup{nullptr}, {}) {}
  auto call() { return this->make_call(); }
};

/// Reports the time of one std::sort and checks its result.
template <class Case>
void measure_std_sort(benchmark::State& state, Case& data, std::size_t count) {
  const double seconds = seconds_of_std_sort(data.call());
  if (!data.is_sorted(value_order::any)) return state.SkipWithError("the results differ from the reference");
  report_sort(state, count, 1, [=] { return seconds; });
}

void add_keys(std::size_t count) {
  using keys = random_case<i32, no_value>;
  const std::string name = "keys_i32/random";
  add_sort_row<keys, mgpu_peer>(name, count, "mgpu");
  add_sort_row<keys, one_dispatch_per_layer_peer>(name, count, "one_dispatch_per_layer");
  add_sort_row<keys, cub_radix_peer>(name, count, "cub_radix");
  if (count == power_of_two(24)) add_measured_row<keys>(measure_std_sort<keys>, name, count, "std_sort");
}

void add_pairs(std::size_t count) {
  using pairs = random_case<u32, u32>;
  add_sort_row<pairs, mgpu_peer>("pairs_u32_u32/random", count, "mgpu");
  add_sort_row<pairs, cub_radix_peer>("pairs_u32_u32/random", count, "cub_radix");
}

}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  for (const int log2_count : log2_of_sizes) {
    if (log2_count <= 26) add_keys(power_of_two(log2_count));
  }
  add_keys(67'121'209);
  add_keys(1'000'000'000);
  add_pairs(power_of_two(24));
  return run_rows(argc, argv);
}
