// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A row of a benchmark: one case, one size, one peer. A case is a class with
//   static constexpr const char* name
//   explicit Case(std::size_t count)         makes its data
//   auto call()                              what a peer is given
//   std::vector<words*> outputs()            the arrays it writes
//   double traffic_bytes()                   each input read once + each output written once
// and a peer is a function object that takes a call.

#include <support/timing.cuh>

#include <benchmark/benchmark.h>

#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/fill.h>
#include <thrust/system/cuda/execution_policy.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <vector>

namespace bench {

using words = thrust::device_vector<std::uint32_t>;

/// A case with the results of a peer that the others have to equal.
template <class Case, class Reference>
struct referenced : Case {
  std::vector<words> expected;

  explicit referenced(std::size_t count) : Case(count) {
    Reference{}(Case::call());
    for (words* output : Case::outputs()) expected.push_back(*output);
  }

  void clear() {
    for (words* output : Case::outputs()) thrust::fill(output->begin(), output->end(), 0xa5a5a5a5u);
  }

  bool is_as_expected() {
    auto reference = expected.begin();
    for (words* output : Case::outputs()) {
      if (!thrust::equal(output->begin(), output->end(), reference->begin())) return false;
      ++reference;
    }
    return true;
  }
};

/// The data in memory: those of one case and one size, shared by its peers, which run one after another.
struct live_data {
  std::type_index type = typeid(void);
  std::size_t count = 0;
  std::shared_ptr<void> data;
};
inline live_data live;

template <class Case>
Case& live_case(std::size_t count) {
  if (live.type != typeid(Case) || live.count != count) {
    live = {};  // frees the memory of the case before
    live = {typeid(Case), count, std::make_shared<Case>(count)};
  }
  return *static_cast<Case*>(live.data.get());
}

/// Checks a peer's results, then reports the median time of 20 samples.
template <class Case, class Peer>
void measure(benchmark::State& state, std::size_t count) {
  constexpr std::size_t samples = 20;
  constexpr std::size_t small_count = std::size_t{1} << 24;
  const int calls_per_sample = count <= small_count ? 20 : 3;
  Case& data = live_case<Case>(count);
  Peer peer;
  const auto call = data.call();
  data.clear();
  peer(call);
  check(cudaDeviceSynchronize());
  if (!data.is_as_expected()) return state.SkipWithError("the results differ from the reference");

  std::vector<double> seconds(samples);
  for (double& s : seconds) s = seconds_per_call([&] { peer(call); }, calls_per_sample);
  const auto median = seconds.begin() + samples / 2;
  std::nth_element(seconds.begin(), median, seconds.end());

  for (auto _ : state) state.SetIterationTime(*median);
  const double bytes_per_second = data.traffic_bytes() / *median;
  state.counters["GB/s"] = bytes_per_second * 1e-9;
  state.counters["fraction_of_copy"] = bytes_per_second / copy_bandwidth();
}

/// Adds the row "<case>/2^<log2_count>/<peer>".
template <class Case, class Peer>
void add_row(const std::string& peer_name, int log2_count) {
  const std::string name = std::string(Case::name) + "/2^" + std::to_string(log2_count) + "/" + peer_name;
  const auto run = [log2_count](benchmark::State& state) {
    try {
      measure<Case, Peer>(state, std::size_t{1} << log2_count);
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
    }
  };
  benchmark::RegisterBenchmark(name.c_str(), run)->UseManualTime()->Iterations(1)->Unit(benchmark::kMicrosecond);
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
