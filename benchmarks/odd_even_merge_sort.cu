// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// odd_even_merge_sort and odd_even_merge_sort_by_key on the GPU beside the plain form of the same network, CUB, and the CPU:
// random keys. Rows are <types>/random/<size>/<peer>. Sizes are 2^20, 2^24, 2^26 + 12,345 and 10^9, the last that of the page
// which the network is from. Peers:
//   mgpu                     mgpu::par_nosync, in place
//   one_dispatch_per_layer   a launch for every layer and a thread for every index, in place
//   cub_radix                cub::DeviceRadixSort, to other arrays than it reads, with temporary storage allocated before
//   std_sort                 one std::sort on one core, the copies to the CPU and back not counted

#include <support/odd_even_merge_sort_peers.cuh>

#include <cstdint>
#include <exception>
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

void report(benchmark::State& state, std::size_t count, double seconds) {
  for (auto _ : state) state.SetIterationTime(seconds);
  state.counters["Gkeys/s"] = static_cast<double>(count) / seconds * 1e-9;
}

/// Checks a peer's results, then reports the median time of 9 samples, of large arrays 3.
template <class Case, class Peer>
void measure_network(benchmark::State& state, Case& data, std::size_t count) {
  const std::size_t samples = count <= std::size_t{1} << 27 ? 9 : 3;
  constexpr unsigned long long queueing_nanoseconds = 3'000'000;  // more than the launches of 465 layers need
  Peer peer;
  const auto call = data.call();
  const auto prepare = [&] {
    data.restore();
    hold<<<1, 1>>>(queueing_nanoseconds);
  };
  data.restore();
  peer(call);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  if (!data.is_sorted(Peer::order)) return state.SkipWithError("the results differ from the reference");
  report(state, count, median_of(samples, [&] { return seconds_of_prepared_call(prepare, [&] { peer(call); }); }));
}

/// Reports the time of one std::sort and checks its result.
template <class Case>
void measure_std_sort(benchmark::State& state, Case& data, std::size_t count) {
  const double seconds = seconds_of_std_sort(data.call());
  if (!data.is_sorted(value_order::any)) return state.SkipWithError("the results differ from the reference");
  report(state, count, seconds);
}

/// As add_measured_row, for a size that need not be a power of two.
template <class Case, class Measure>
void add_row_of_size(const Measure& measure, const std::string& types, std::size_t count,
                     const std::string& peer_name) {
  int log2_count = 0;
  while (count >> (log2_count + 1)) ++log2_count;
  const bool is_power = count == std::size_t{1} << log2_count;
  const std::string size = is_power ? "2^" + std::to_string(log2_count) : std::to_string(count);
  const std::string name = types + "/random/" + size;
  const auto run = [=](benchmark::State& state) {
    try {
      measure(state, live_case<Case>(name, count), count);
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
    }
  };
  benchmark::RegisterBenchmark((name + "/" + peer_name).c_str(), run)
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMicrosecond);
}

template <class Case, class Peer>
void add_peer(const std::string& types, std::size_t count, const std::string& peer_name) {
  add_row_of_size<Case>(measure_network<Case, Peer>, types, count, peer_name);
}

void add_rows() {
  using keys = random_case<i32, no_value>;
  using pairs = random_case<u32, u32>;
  const std::size_t middle = std::size_t{1} << 24;
  for (const std::size_t count : {std::size_t{1} << 20, middle, std::size_t{67'121'209}, std::size_t{1'000'000'000}}) {
    add_peer<keys, mgpu_peer>("keys_i32", count, "mgpu");
    add_peer<keys, one_dispatch_per_layer_peer>("keys_i32", count, "one_dispatch_per_layer");
    add_peer<keys, cub_radix_peer>("keys_i32", count, "cub_radix");
    if (count == middle) add_row_of_size<keys>(measure_std_sort<keys>, "keys_i32", count, "std_sort");
  }
  add_peer<pairs, mgpu_peer>("pairs_u32_u32", middle, "mgpu");
  add_peer<pairs, cub_radix_peer>("pairs_u32_u32", middle, "cub_radix");
}

}  // namespace bench

int main(int argc, char** argv) {
  bench::add_rows();
  return bench::run_rows(argc, argv);
}
