// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A row of a benchmark on the CPU, its data, and the policies of mgpu and Thrust, std:: and GNU's parallel mode, as far
// as this build has them.

#include <mgpu/cpp.h>

#include <thrust/system/cpp/execution_policy.h>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#ifdef MGPU_TEST_HAS_OMP
#include <mgpu/omp.h>

#include <thrust/system/omp/execution_policy.h>

#include <omp.h>
#include <parallel/algorithm>
#endif

#ifdef MGPU_TEST_HAS_TBB
#include <mgpu/tbb.h>

#include <thrust/system/tbb/execution_policy.h>

#include <execution>
#endif

namespace bench {

using array = std::vector<std::uint32_t>;

/// Uniformly distributed keys of that many random bits, sorted.
inline array sorted_keys(std::size_t count, unsigned seed, int bits = 32) {
  std::mt19937 random(seed);
  array made(count);
  std::generate(made.begin(), made.end(), [&] { return static_cast<std::uint32_t>(random()) >> (32 - bits); });
  std::sort(made.begin(), made.end());
  return made;
}

inline array numbers(std::size_t count, std::uint32_t first) {
  array made(count);
  std::iota(made.begin(), made.end(), first);
  return made;
}

inline void clear(array& output) { std::fill(output.begin(), output.end(), 0xa5a5a5a5u); }

/// The data of the case that is measured now; those of the case before are freed first.
template <class Data, class Case>
Data& live_data_of(const Case& c) {
  static std::unique_ptr<Data> live;
  if (!live || &live->in != &c) {
    live.reset();
    live = std::make_unique<Data>(c);
  }
  return *live;
}

/// Adds the row `name`. `is_right` runs the peer once, before the first of its 11 runs, and checks the results. `run`
/// is timed, after `prepare`, which is not: the median is the result. The least time is told, too.
template <class IsRight, class Prepare, class Run>
void add_row(const std::string& name, const IsRight& is_right, const Prepare& prepare, const Run& run) {
  const auto checked = std::make_shared<std::optional<bool>>();
  const auto measure = [is_right, prepare, run, checked](benchmark::State& state) {
    if (!*checked) *checked = is_right();
    if (!**checked) return state.SkipWithError("the results differ from those of a serial computation");
    prepare();
    for (auto _ : state) {
      run();
      benchmark::ClobberMemory();
    }
  };
  const auto least = [](const std::vector<double>& times) { return *std::min_element(times.begin(), times.end()); };
  benchmark::RegisterBenchmark(name.c_str(), measure)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(1)
      ->Repetitions(11)
      ->ComputeStatistics("min", least)
      ->ReportAggregatesOnly();
}

/// The same of a peer that does not change its inputs.
template <class IsRight, class Run>
void add_row(const std::string& name, const IsRight& is_right, const Run& run) {
  bench::add_row(
      name, is_right, [] {}, run);
}

/// Calls f(name, policy) for each of the library's policies that this build has.
template <class Function>
void for_each_policy(const Function& f) {
#ifdef MGPU_TEST_HAS_TBB
  f("tbb", mgpu::tbb::par);
#endif
#ifdef MGPU_TEST_HAS_OMP
  f("omp", mgpu::omp::par);
#endif
  f("cpp", mgpu::cpp::par);
}

/// main() of a benchmark whose rows are added by `add_rows`.
template <class AddRows>
int run_rows(int argc, char** argv, const AddRows& add_rows) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
#ifdef MGPU_TEST_HAS_OMP
  benchmark::AddCustomContext("omp_threads", std::to_string(omp_get_max_threads()));
#endif
  add_rows();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace bench
