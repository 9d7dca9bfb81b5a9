// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// When calls return, what runs at the same time, and calls in CUDA graphs: checks of any work, which is a call with its
// data:
//   work.load(seed)               puts the data of a seed where the call finds it, and makes its outputs as they were
//   work.for_each_input(seed, f)  calls f(to, from, bytes) for all that load() puts there
//   work.run(policy)              is the call
//   work.has_result(seed)         whether the call has finished and was right
//   work.has_not_run(seed)        whether everything is as load() has left it

#include "support/cuda.h"
#include "support/vectors.h"

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <thread>
#include <vector>

namespace test {

/// Work made of the calls of a family: calls.run(c, policy), calls.has_result(c, seed) and otherwise as above.
template <class Calls, class Call>
struct one_call {
  const Calls& on;
  Call c;

  void load(int seed) const { on.load(seed); }
  template <class F>
  void for_each_input(int seed, const F& f) const {
    on.for_each_input(seed, f);
  }
  template <class Policy>
  void run(const Policy& policy) const {
    on.run(c, policy);
  }
  bool has_result(int seed) const { return on.has_result(c, seed); }
  bool has_not_run(int seed) const { return on.has_not_run(seed); }
};
template <class Calls, class Call>
one_call(const Calls&, Call) -> one_call<Calls, Call>;

/// Calls f(work) for each of a family's calls with each of some data.
template <class Calls, class Call, std::size_t n, class F>
void for_each_call(const Call (&all)[n], std::initializer_list<const Calls*> data, const F& f) {
  for (const Call c : all) {
    INFO("call ", static_cast<int>(c));
    for (const Calls* on : data) f(one_call<Calls, Call>{*on, c});
  }
}

/// Data in place before any stream goes on.
template <class Work>
void load(const Work& work, int seed) {
  work.load(seed);
  require_cuda(cudaDeviceSynchronize());
}

/// Puts the data of `seed` where calls find it: in stream order, and late. Until then there is other data.
class late_data {
 public:
  template <class Work>
  late_data(const Work& work, int seed, cudaStream_t s) {
    struct range {
      void* to;
      std::size_t bytes;
    };
    std::vector<range> ranges;
    work.load(seed + 1);
    work.for_each_input(seed, [&](void* to, const void* from, std::size_t bytes) {
      const char* const first = static_cast<const char*>(from);
      from_.push_back(std::make_unique<memory<cuda_executor>>(std::vector<char>(first, first + bytes)));
      ranges.push_back({to, bytes});
    });
    require_cuda(cudaDeviceSynchronize());
    be_late<<<1, 1, 0, s>>>();
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      require_cuda(cudaMemcpyAsync(ranges[i].to, from_[i]->data(), ranges[i].bytes, cudaMemcpyDeviceToDevice, s));
    }
  }

 private:
  std::vector<std::unique_ptr<memory<cuda_executor>>> from_;
};

/// Work in a graph does nothing until the graph is launched, and then what it does for the data that it finds.
template <class Work, class Policy>
void check_capture(const Work& work, const Policy& policy, cudaStream_t s, std::initializer_list<int> seeds) {
  load(work, 1);
  const graph captured(s, [&] { work.run(policy); });
  CHECK(work.has_not_run(1));
  for (const int seed : seeds) {
    load(work, seed);
    captured.launch(s);
    require_cuda(cudaStreamSynchronize(s));
    CHECK(work.has_result(seed));
  }
}

/// Different works in one graph, the ones after the others, `repeats` times.
template <class... Work>
void check_captured_together(cudaStream_t s, int repeats, std::initializer_list<int> seeds, const Work&... works) {
  (load(works, 0), ...);
  const graph captured(s, [&] {
    for (int i = 0; i < repeats; ++i) (works.run(mgpu::par_nosync.on(s)), ...);
  });
  for (const int seed : seeds) {
    (load(works, seed), ...);
    captured.launch(s);
    require_cuda(cudaStreamSynchronize(s));
    const auto check = [&](const auto& work) { CHECK(work.has_result(seed)); };
    (check(works), ...);
  }
}

/// The work runs after what was in its stream before.
template <class Work>
void check_late_data(const Work& work, int seed, cudaStream_t s) {
  {
    const late_data late(work, seed, s);
    work.run(mgpu::par_nosync.on(s));
    require_cuda(cudaStreamSynchronize(s));
    CHECK(work.has_result(seed));
  }
  const late_data late(work, seed + 3, cudaStreamLegacy);
  work.run(mgpu::par);
  CHECK(work.has_result(seed + 3));
}

struct nothing_else {
  template <class Policy>
  void operator()(const Policy&) const {}
};
/// What is in one stream does not wait for another one, nor does what `also` does with the policy of that one.
template <class First, class Second, class Also = nothing_else>
void check_streams_are_apart(const First& first, const Second& second, int repeats = 1, const Also& also = {}) {
  const stream held, free;
  first.run(mgpu::par_nosync.on(held));  // loads the kernels, which waits for the device
  second.run(mgpu::par_nosync.on(free));
  also(mgpu::par.on(free));
  require_cuda(cudaDeviceSynchronize());
  load(first, 1);
  load(second, 2);
  gate g;
  g.hold(held);
  first.run(mgpu::par_nosync.on(held));
  for (int i = 0; i < repeats; ++i) second.run(mgpu::par.on(free));
  also(mgpu::par.on(free));
  CHECK_FALSE(g.passed());
  g.open();
  held.wait();
  CHECK(first.has_result(1));
  CHECK(second.has_result(2));
}

/// Two threads, each with a stream, call f(thread, stream), which says whether all was right.
template <class F>
void check_in_two_threads(const F& f) {
  bool are_right[2] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([t, &f, &are_right] {
      const stream s;
      are_right[t] = f(t, s);
    });
  }
  for (auto& thread : threads) thread.join();
  for (const bool is_right : are_right) CHECK(is_right);
}
/// The same for work that is loaded, called in turns with par_nosync and par, and looked at.
template <class Work>
bool runs_in(const stream& s, const Work& work, int number, int seed) {
  work.load(seed);
  require_cuda(cudaStreamSynchronize(cudaStreamLegacy));
  if (number % 2 == 0) work.run(mgpu::par_nosync.on(s));
  else work.run(mgpu::par.on(s));
  s.wait();
  return work.has_result(seed);
}

/// Wrapped policies of Thrust and those with an allocator: memory comes from the allocator if there is one, and goes
/// back there. If the policy synchronizes, that is when nothing of the call runs any more.
template <class Work>
void check_allocators(const Work& work, int seed, cudaStream_t s, bool takes_memory = true) {
  allocation_log log;
  if (!takes_memory) log.allowed = 0;
  logging_allocator allocator{&log};
  const auto check = [&](const auto& policy, bool has_allocator, bool synchronizes) {
    log.allocations = log.deallocations = 0;
    log.was_busy = false;
    log.watched = s;
    load(work, seed);
    work.run(policy);
    require_cuda(cudaStreamSynchronize(s));
    CHECK(work.has_result(seed));
    CHECK((log.allocations > 0) == (has_allocator && takes_memory));
    CHECK(log.is_balanced());
    CHECK_FALSE((synchronizes && log.was_busy));
  };
  check(mgpu::wrap(thrust::cuda::par.on(s)), false, true);
  check(mgpu::wrap(thrust::cuda::par(allocator).on(s)), true, true);
  check(mgpu::wrap(thrust::cuda::par_nosync(allocator).on(s)), true, false);
  check(mgpu::par(allocator).on(s), true, true);
  check(mgpu::par_nosync(allocator).on(s), true, false);
}

}  // namespace test
