// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The rows of calls on few elements: the inputs, a function with its peers, and how a call is timed by the wall clock.

#include <support/cub_storage.cuh>
#include <support/interval_peers.cuh>
#include <support/row.cuh>

#include <mgpu/par.h>
#include <mgpu/segmented_sort.h>

#include <thrust/copy.h>
#include <thrust/equal.h>
#include <thrust/sort.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench {

constexpr int calls_per_sample = 20;

/// Keys, and behind them the values 0, 1, ...
template <class KeyOfNumber>
words keys_and_values(std::size_t count, const KeyOfNumber& key) {
  words both = generate<u32>(count, key);
  const words values = generate<u32>(count, numbered<u32>{0});
  both.insert(both.end(), values.begin(), values.end());
  return both;
}

/// The inputs of all functions for one size.
struct small_data {
  std::size_t count;
  words a_keys, b_keys;  // [count / 2], sorted
  interval_arrays intervals;
  words from;                                      // [intervals]
  words random;                                    // [2 * count], keys and values
  words nearly_sorted;                             // [2 * count]
  words in_runs;                                   // [count], eight sorted runs of equal length
  words run_offsets;                               // [9]
  words scratch;                                   // [count]
  words cleared;                                   // [2 * count]
  words out;                                       // [calls_per_sample][2 * count], keys and values
  thrust::device_vector<std::ptrdiff_t> size_out;  // of a set, for the calls that do not wait for it

  explicit small_data(std::size_t count)
      : count(count),
        a_keys(sorted(1)),
        b_keys(sorted(2)),
        intervals(count, uniform_counts{100}),
        from(random_places(view(), 3)),
        random(keys_and_values(count, random_below<u32>{32, 4})),
        nearly_sorted(keys_and_values(count, near_place{1000})),
        in_runs(generate<u32>(count, random_below<u32>{32, 5})),
        run_offsets(9),
        scratch(count),
        cleared(2 * count, 0xa5a5a5a5u),
        out(2 * count * calls_per_sample),
        size_out(1) {
    keep_freed_memory();
    for (std::size_t i = 0; i <= 8; ++i) run_offsets[i] = static_cast<u32>(count * i / 8);
    for (std::size_t i = 0; i < 8; ++i)
      thrust::sort(in_runs.begin() + run_offsets[i], in_runs.begin() + run_offsets[i + 1]);
  }

  const u32* a() const { return a_keys.data().get(); }
  const u32* b() const { return b_keys.data().get(); }
  const u32* a_end() const { return a() + count / 2; }
  const u32* b_end() const { return b() + count / 2; }
  const u32* values() const { return random.data().get() + count; }
  const u32* b_values() const { return values() + count / 2; }
  interval_view view() const { return intervals.view(); }
  auto mgpu_segments() const { return mgpu::segment_offsets(view().offsets, view().count); }
  expand_call<u32> expand(u32* to) const { return {view(), values(), to}; }
  move_call<gather, u32> gather_of(u32* to) const { return {view(), from.data().get(), view().offsets, values(), to}; }

 private:
  words sorted(u64 seed) const {
    auto keys = generate<u32>(count / 2, random_below<u32>{log2_of(count) + 2, seed});
    thrust::sort(keys.begin(), keys.end());
    return keys;
  }
};

using small_call = std::function<void(small_data&, u32* out)>;
using initial_state = words small_data::*;

/// A function of the library with its peers, the first of which the others are checked against.
struct function {
  struct peer {
    std::string name;
    small_call call;
  };

  std::string name;
  initial_state state;  // of the array that a call writes; every call of a sample has its own, which may be sorted once
  std::vector<peer> peers;

  function(const char* name, initial_state state) : name(name), state(state) {}

  /// call(policy, data, out)
  template <class Call>
  function& thrust(const Call& call) {
    add("thrust_par", [=](small_data& d, u32* out) { call(::thrust::cuda::par, d, out); });
    return add("thrust_par_nosync", [=](small_data& d, u32* out) { call(::thrust::cuda::par_nosync, d, out); });
  }
  template <class Call>
  function& mgpu(const Call& call) {
    return mgpu(call, call);
  }
  template <class Call, class QueuedCall>
  function& mgpu(const Call& call, const QueuedCall& queued_call) {
    add("mgpu_par", [=](small_data& d, u32* out) { call(::mgpu::par, d, out); });
    return add("mgpu_par_nosync", [=](small_data& d, u32* out) { queued_call(::mgpu::par_nosync, d, out); });
  }
  /// call(storage, bytes, data, out)
  template <class Call>
  function& cub(const std::string& name, const Call& call) {
    return add_queued(name, [=](small_data& d, u32* out) {
      cub_storage storage;
      storage([&](void* memory, std::size_t& bytes) { return call(memory, bytes, d, out); });
    });
  }
  /// As `name` with a wait behind the call, and as `name`_nosync without one.
  function& add_queued(const std::string& name, const small_call& call) {
    add(name, [=](small_data& d, u32* out) {
      call(d, out);
      check(cudaStreamSynchronize(nullptr));
    });
    return add(name + "_nosync", call);
  }

 private:
  function& add(const std::string& name, const small_call& call) {
    peers.push_back({name, call});
    return *this;
  }
};

/// Gives all arrays that the calls of a sample write, or the first of them, their initial state.
inline void restore(small_data& d, initial_state state, int arrays = calls_per_sample) {
  for (int i = 0; i < arrays; ++i) {
    thrust::copy((d.*state).begin(), (d.*state).end(), d.out.begin() + static_cast<std::ptrdiff_t>(2 * d.count) * i);
  }
  check(cudaDeviceSynchronize());
}

inline words result(small_data& d, const function& f, const small_call& call) {
  restore(d, f.state, 1);
  call(d, d.out.data().get());
  check(cudaDeviceSynchronize());
  return words(d.out.begin(), d.out.begin() + static_cast<std::ptrdiff_t>(2 * d.count));
}

/// Seconds per call of a sample's calls, until the last has finished.
inline double wall_seconds(small_data& d, const function& f, const small_call& call) {
  using clock = std::chrono::steady_clock;
  restore(d, f.state);
  u32* const out = d.out.data().get();
  const auto begin = clock::now();
  for (int i = 0; i < calls_per_sample; ++i) call(d, out + 2 * d.count * i);
  check(cudaStreamSynchronize(nullptr));
  return std::chrono::duration<double>(clock::now() - begin).count() / calls_per_sample;
}

/// Checks a peer's results, then reports the median time of 15 samples.
inline void add_small_row(const function& f, const function::peer& peer, std::size_t count) {
  const auto run = [=](benchmark::State& state, small_data& d, std::size_t) {
    const words expected = result(d, f, f.peers.front().call), found = result(d, f, peer.call);
    if (!thrust::equal(expected.begin(), expected.end(), found.begin())) {
      return state.SkipWithError("the results differ from the reference");
    }
    report_median(state, 15, [&] { return wall_seconds(d, f, peer.call); });
  };
  add_measured_row<small_data>(run, f.name, count, peer.name);
}

}  // namespace bench
