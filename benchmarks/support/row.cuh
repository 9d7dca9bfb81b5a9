// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A row of a benchmark: one case, one size, one peer. A case is a class with
//   Case(std::size_t count, arguments...)            makes its data
//   auto call()                                      what a peer is given
//   std::vector<output> outputs()                    the arrays it writes
//   double traffic_bytes(std::size_t out_count)      each input read once + each output written once
// and a peer is a function object that takes a call and returns the number of elements of the result.

#include <support/timing.cuh>

#include <benchmark/benchmark.h>

#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/fill.h>
#include <thrust/system/cuda/execution_policy.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace bench {

using words = thrust::device_vector<std::uint32_t>;

template <class T>
T* as(words& memory) {
  return reinterpret_cast<T*>(memory.data().get());
}

struct output {
  words* memory;
  std::size_t words_per_element;

  /// The first `count` elements.
  auto end(std::size_t count) const { return memory->begin() + static_cast<std::ptrdiff_t>(count * words_per_element); }
};

/// A case with the results of a peer that the others have to equal.
template <class Case, class Reference>
struct referenced : Case {
  std::size_t expected_count;
  std::vector<words> expected;

  template <class... Arguments>
  explicit referenced(std::size_t count, const Arguments&... arguments) : Case(count, arguments...) {
    expected_count = Reference{}(Case::call());
    for (const output& o : Case::outputs()) expected.emplace_back(o.memory->begin(), o.end(expected_count));
  }

  void clear() {
    for (const output& o : Case::outputs()) thrust::fill(o.memory->begin(), o.memory->end(), 0xa5a5a5a5u);
  }

  bool is_as_expected(std::size_t count) {
    if (count != expected_count) return false;
    auto reference = expected.begin();
    for (const output& o : Case::outputs()) {
      if (!thrust::equal(o.memory->begin(), o.end(count), reference->begin())) return false;
      ++reference;
    }
    return true;
  }
};

/// The data in memory: those of one case and one size, shared by its peers, which run one after another.
struct live_data {
  std::string name;
  std::shared_ptr<void> data;
};
inline live_data live;

template <class Case, class... Arguments>
Case& live_case(const std::string& name, std::size_t count, const Arguments&... arguments) {
  if (live.name != name) {
    live = {};  // frees the memory of the case before
    live = {name, std::make_shared<Case>(count, arguments...)};
  }
  return *static_cast<Case*>(live.data.get());
}

/// Reports the median time of so many samples and, as "noise", its standard error as a part of it. Returns the median
/// in seconds.
template <class Sample>
double report_median(benchmark::State& state, std::size_t samples, const Sample& sample) {
  std::vector<double> seconds(samples);
  for (double& s : seconds) s = sample();
  std::sort(seconds.begin(), seconds.end());
  const double median = seconds[samples / 2];
  // The middle half of normally distributed values spans 1.349 standard deviations. The error of their median is 1.253
  // times that of their mean.
  const double deviation = (seconds[samples * 3 / 4] - seconds[samples / 4]) / 1.349;
  for (auto _ : state) state.SetIterationTime(median);
  state.counters["noise"] = 1.253 * deviation / std::sqrt(static_cast<double>(samples)) / median;
  return median;
}

/// Checks a peer's results, then reports the median time of 20 samples.
template <class Case, class Peer>
void measure(benchmark::State& state, Case& data, std::size_t count) {
  constexpr std::size_t samples = 20;
  constexpr std::size_t small_count = std::size_t{1} << 24;
  const int calls_per_sample = count <= small_count ? 20 : 3;
  Peer peer;
  const auto call = data.call();
  data.clear();
  const std::size_t out_count = peer(call);
  check(cudaDeviceSynchronize());
  if (!data.is_as_expected(out_count)) return state.SkipWithError("the results differ from the reference");

  const double seconds =
      report_median(state, samples, [&] { return seconds_per_call([&] { peer(call); }, calls_per_sample); });
  const double bytes_per_second = data.traffic_bytes(out_count) / seconds;
  state.counters["GB/s"] = bytes_per_second * 1e-9;
  state.counters["fraction_of_copy"] = bytes_per_second / copy_bandwidth();
}

/// Binary logarithms of the sizes of the cases that are drawn against their size.
constexpr std::array<int, 7> log2_of_sizes{16, 18, 20, 22, 24, 26, 28};

constexpr std::size_t power_of_two(int log2) { return std::size_t{1} << log2; }

inline int log2_of(std::size_t count) {
  int log2 = 0;
  while (count >> (log2 + 1)) ++log2;
  return log2;
}

/// Adds the row "<case>/<size>/<peer>", which is measured by measure(state, data, count). A case's data are made of the
/// count and the arguments.
template <class Case, class Measure, class... Arguments>
void add_measured_row(const Measure& measure, const std::string& case_name, std::size_t count,
                      const std::string& peer_name, const Arguments&... arguments) {
  const int log2_count = log2_of(count);
  const bool is_power = count == power_of_two(log2_count);
  const std::string sized_name =
      case_name + '/' + (is_power ? "2^" + std::to_string(log2_count) : std::to_string(count));
  const auto run = [=](benchmark::State& state) {
    try {
      measure(state, live_case<Case>(sized_name, count, arguments...), count);
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
    }
  };
  benchmark::RegisterBenchmark((sized_name + "/" + peer_name).c_str(), run)
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMicrosecond);
}

/// The row "<case>/2^<log2_count>/<peer>".
template <class Case, class Peer, class... Arguments>
void add_row(const std::string& case_name, int log2_count, const std::string& peer_name,
             const Arguments&... arguments) {
  add_measured_row<Case>(measure<Case, Peer>, case_name, power_of_two(log2_count), peer_name, arguments...);
}

/// main() of a benchmark whose rows are added. Copy bandwidth and machine become part of the output.
inline int run_rows(int argc, char** argv) try {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  int device, driver, runtime;
  cudaDeviceProp properties;
  check(cudaGetDevice(&device));
  check(cudaGetDeviceProperties(&properties, device));
  check(cudaDriverGetVersion(&driver));
  check(cudaRuntimeGetVersion(&runtime));
  benchmark::AddCustomContext("device", properties.name);
  benchmark::AddCustomContext("cuda_driver", std::to_string(driver));
  benchmark::AddCustomContext("cuda_runtime", std::to_string(runtime));
  benchmark::AddCustomContext("thrust_and_cub", std::to_string(THRUST_VERSION));
  benchmark::AddCustomContext("copy_GB/s", std::to_string(copy_bandwidth() * 1e-9));
  benchmark::RunSpecifiedBenchmarks();
  live = {};
  benchmark::Shutdown();
  return 0;
} catch (const std::exception& error) {
  std::cerr << argv[0] << ": " << error.what() << '\n';
  return 1;
}

}  // namespace bench
