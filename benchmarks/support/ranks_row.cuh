// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The rows of calls over several GPUs: the calls of each peer, and how they are timed.

#include <support/ranks.cuh>
#include <support/row.cuh>

#include <mgpu/distributed.h>
#include <mgpu/par.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// The GPUs of the rows that are measured now.
inline gpus& live_gpus(int count) {
  static std::unique_ptr<gpus> now;
  if (!now || now->count() != count) {
    live = {};
    now.reset();
    now = std::make_unique<gpus>(count);
  }
  return *now;
}

inline auto alone(gpu& g) { return mgpu::par_nosync(g.scratch).on(g.stream); }
template <class Communicator>
auto over_ranks(gpu& g, const Communicator& c) {
  return mgpu::distributed(alone(g), noting_communicator<Communicator>(g, c));
}

/// Checks a call's results, then reports the median time of its samples, with the phases of the median one.
template <class Case, class Run>
void measure_ranks(benchmark::State& state, Case& data, const gpus& all, const Run& run) {
  constexpr std::size_t samples = 11;
  const auto sample = [&] {
    all.run([&](gpu& g) { data.prepare(g); });
    return all.seconds([&](gpu& g) { run(data, g); });
  };
  sample();
  if (!data.is_right()) return state.SkipWithError("the results differ from those of one GPU");
  std::vector<std::pair<double, std::array<double, 3>>> runs;
  double least = 1e9;
  const auto timed = [&] {
    const double seconds = sample();
    least = std::min(least, seconds);
    std::array<double, 3> phases{};
    for (int g = 0; g < all.count(); ++g) {
      const auto own = all[g].phases->milliseconds();
      for (std::size_t i = 0; i < phases.size(); ++i) phases[i] = std::max(phases[i], own[i]);
    }
    runs.push_back({seconds, phases});
    return seconds;
  };
  timed();
  runs.clear();
  const double median = report_median(state, samples, timed);
  if (!data.is_right()) return state.SkipWithError("the results differ from those of one GPU");
  std::sort(runs.begin(), runs.end());
  const auto& phases = runs[samples / 2].second;
  state.counters["before_ms"] = phases[0];
  state.counters["exchange_ms"] = phases[1];
  state.counters["after_ms"] = phases[2];
  state.counters["least_ms"] = least * 1e3;
  state.counters["Gkeys/s"] = static_cast<double>(data.keys_in()) / median * 1e-9;
}

/// prepare(data) comes before the first run of a row.
template <class Case, class Prepare, class Run, class... Arguments>
void add_ranks_row(const std::string& case_name, int gpu_count, std::size_t count, const std::string& peer,
                   const Prepare& prepare, const Run& run, const Arguments&... arguments) {
  const std::string name = case_name + "/" + std::to_string(gpu_count) + (gpu_count == 1 ? "_gpu" : "_gpus");
  const std::string sized_name = name + "/2^" + std::to_string(log2_of(count));
  const auto measure = [=](benchmark::State& state) {
    try {
      const gpus& all = live_gpus(gpu_count);
      Case& data = live_case<Case>(sized_name, count, gpu_count, arguments...);
      prepare(data);
      measure_ranks(state, data, all, run);
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
    }
  };
  benchmark::RegisterBenchmark((sized_name + "/" + peer).c_str(), measure)
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

template <class Case, class... Arguments>
void add_case(const std::string& name, int gpu_count, int log2_count, const Arguments&... arguments) {
  const std::size_t count = power_of_two(log2_count);
  const auto nothing = [](Case&) {};
  add_ranks_row<Case>(
      name, gpu_count, count, "mgpu", nothing, [](Case& data, gpu& g) { data.run(over_ranks(g, *g.nccl), g); },
      arguments...);
  if (gpu_count > 1)
    add_ranks_row<Case>(
        name, gpu_count, count, "mgpu_in_process", nothing,
        [](Case& data, gpu& g) { data.run(over_ranks(g, *g.in_process), g); }, arguments...);
  else
    add_ranks_row<Case>(
        name, gpu_count, count, "mgpu_alone", nothing, [](Case& data, gpu& g) { data.run(alone(g), g); }, arguments...);
}

/// The obvious program, whose memory is allocated at its first call.
template <class Case, class... Arguments>
void add_simple(const std::string& name, int gpu_count, int log2_count, const Arguments&... arguments) {
  const auto prepare = [](Case& data) { data.prepare_simple(); };
  const auto run = [](Case& data, gpu& g) { data.run_simple(g); };
  add_ranks_row<Case>(name, gpu_count, power_of_two(log2_count), "simple", prepare, run, arguments...);
}

}  // namespace bench
