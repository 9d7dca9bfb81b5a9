// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When the functions on intervals return, what runs at the same time, and calls captured into CUDA graphs.
#include "support/cuda.h"
#include "interval_calls.h"
#include "support/late_data.h"

#include <memory>
#include <thread>

namespace {

using namespace test;
using calls = interval_calls<cuda_executor>;

/// One function as check_returns_... takes it.
struct one_call {
  const calls& on;
  function f;
  given as = given::offsets;

  template <class Policy>
  void run(const Policy& policy) const {
    on.run(f, policy, as);
  }
};

/// Data in place before any stream goes on.
void load(const calls& c, int seed) {
  c.load(seed);
  require_cuda(cudaDeviceSynchronize());
}
void clear(const calls& c) {
  c.clear();
  require_cuda(cudaDeviceSynchronize());
}

template <class Policy>
void check_capture(const calls& c, function f, const Policy& policy, cudaStream_t s) {
  INFO("function ", static_cast<int>(f));
  load(c, 1);
  const graph captured(s, [&] { c.run(f, policy); });
  CHECK(c.has_not_run());
  for (const int seed : {1, 5}) {
    load(c, seed);
    captured.launch(s);
    require_cuda(cudaStreamSynchronize(s));
    CHECK(c.has_result(f, seed));
  }
  CHECK(c.inputs_hold(5));
}

/// The functions whose calls differ in what they write; the others are between them.
constexpr function some_functions[] = {function::expand, function::move, function::for_each};

}  // namespace

// First in the file: nothing has been set up before it, and no kernel has been loaded.
TEST_CASE("every function can be captured at its first call, and replayed with other offsets and data") {
  const stream s;
  const calls large(counts_of_large_call());
  for (const auto f : all_functions) check_capture(large, f, mgpu::par_nosync.on(s), s);
}

TEST_CASE("small calls, calls without items and a call with a wrapped policy can be captured") {
  const stream s;
  const calls small(counts_of_small_call()), without_items(std::vector<int>(1000, 0));
  for (const auto f : all_functions) {
    check_capture(small, f, mgpu::par_nosync.on(s), s);
    check_capture(without_items, f, mgpu::par_nosync.on(s), s);
  }
  check_capture(small, function::move, mgpu::wrap(thrust::cuda::par_nosync.on(s)), s);
}

TEST_CASE("many calls in one graph, the ones after the others") {
  const stream s;
  const calls small(counts_of_small_call()), large(counts_of_large_call());
  load(small, 7);
  load(large, 8);
  const graph captured(s, [&] {
    const auto policy = mgpu::par_nosync.on(s);
    for (int i = 0; i < 3; ++i) {
      small.run(function::gather, policy);
      large.run(function::search, policy);
      small.run(function::search, policy);
      large.run(function::expand, policy);
    }
  });
  for (int i = 0; i < 2; ++i) {
    captured.launch(s);
    s.wait();
    CHECK(small.has_result(function::gather, 7));
    CHECK(small.has_result(function::search, 7));
    CHECK(large.has_result(function::search, 8));
    CHECK(large.has_result(function::expand, 8));
    clear(small);
    clear(large);
  }
}

TEST_CASE("every function runs in stream order on intervals that come late, given by offsets and by counts") {
  const stream s;
  const calls small(counts_of_small_call()), large(counts_of_large_call());
  for (const auto f : all_functions) {
    for (const auto as : {given::offsets, given::counts}) {
      INFO("function ", static_cast<int>(f), ", intervals given as ", static_cast<int>(as));
      {
        const late_data late(small, 3, s);
        small.run(f, mgpu::par_nosync.on(s), as);
        s.wait();
        CHECK(small.has_result(f, 3));
      }
      {
        const late_data late(large, 4, s);
        large.run(f, mgpu::par_nosync.on(s), as);
        s.wait();
        CHECK(large.has_result(f, 4));
      }
      const late_data late(small, 6, cudaStreamLegacy);
      small.run(f, mgpu::par, as);
      CHECK(small.has_result(f, 6));
    }
  }
}

TEST_CASE("par_nosync returns before completion where offsets are given") {
  const stream s;
  const calls small(counts_of_small_call()), large(counts_of_large_call());
  load(small, 1);
  load(large, 2);
  for (const auto f : all_functions) {
    INFO("function ", static_cast<int>(f));
    clear(small);
    const one_call call{small, f};
    check_returns_before_completion(call, mgpu::par_nosync.on(s), s);
    if (f != function::for_each) CHECK(small.has_result(f, 1));  // which adds with every call
  }
  for (const auto f : some_functions) {
    clear(large);
    const one_call call{large, f};
    check_returns_before_completion(call, mgpu::par_nosync.on(s), s);
    if (f != function::for_each) CHECK(large.has_result(f, 2));
  }
  const one_call small_gather{small, function::gather}, large_scatter{large, function::scatter};
  check_returns_before_completion(small_gather, mgpu::wrap(thrust::cuda::par_nosync.on(s)), s);
  check_returns_before_completion(large_scatter, mgpu::par_nosync, cudaStreamLegacy);
}

TEST_CASE("par returns after completion, and par_nosync waits for the total of counts") {
  const stream s;
  const calls small(counts_of_small_call()), large(counts_of_large_call());
  for (const auto f : some_functions) {
    INFO("function ", static_cast<int>(f));
    const one_call small_call{small, f}, large_call{large, f}, by_counts{small, f, given::counts};
    check_returns_after_completion(small_call, mgpu::par.on(s), s);
    check_returns_after_completion(large_call, mgpu::par.on(s), s);
    check_returns_after_completion(small_call, mgpu::par, cudaStreamLegacy);
    check_returns_after_completion(small_call, mgpu::wrap(thrust::cuda::par.on(s)), s);
    check_returns_after_completion(by_counts, mgpu::par.on(s), s);
    // The call waits for what is in the stream before it.
    check_returns_after_completion(by_counts, mgpu::par_nosync.on(s), s);
  }
}

TEST_CASE("wrapped policies of Thrust and policies with an allocator") {
  const stream s;
  const calls large(counts_of_large_call());
  allocation_log log;
  logging_allocator allocator{&log};
  const auto check = [&](const auto& policy, given as, bool has_allocator) {
    for (const auto f : some_functions) {
      INFO("function ", static_cast<int>(f), ", intervals given as ", static_cast<int>(as));
      log = {};
      load(large, 9);
      large.run(f, policy, as);
      s.wait();
      CHECK(large.has_result(f, 9));
      CHECK((log.allocations > 0) == has_allocator);
      CHECK(log.is_balanced());
    }
  };
  for (const auto as : {given::offsets, given::counts}) {
    check(mgpu::wrap(thrust::cuda::par.on(s)), as, false);
    check(mgpu::wrap(thrust::cuda::par(allocator).on(s)), as, true);
    check(mgpu::wrap(thrust::cuda::par_nosync(allocator).on(s)), as, true);
    check(mgpu::par(allocator).on(s), as, true);
    check(mgpu::par_nosync(allocator).on(s), as, true);
  }
}

TEST_CASE("bad offsets in a graph: nothing is thrown, and calls after them are right") {
  const stream s;
  const input<cuda_executor, offset> bad({0, 900, 20, 30}), good({0, 10, 20, 30});
  const input<cuda_executor, int> values({1, 2, 3, 4});
  const output<cuda_executor, int> bad_out(40), good_out(40);
  const graph captured(s, [&] {
    const auto policy = mgpu::par_nosync.on(s);
    mgpu::interval_expand(policy, mgpu::interval_offsets(bad.begin(), 4, 40), values.begin(), bad_out.begin());
    mgpu::interval_expand(policy, mgpu::interval_offsets(good.begin(), 4, 40), values.begin(), good_out.begin());
  });
  captured.launch(s);
  s.wait();
  std::vector<int> expected;
  for (int i = 0; i < 40; ++i) expected.push_back(i / 10 + 1);
  CHECK(good_out.first_difference(expected) == -1);
  CHECK(bad_out.guards_untouched());
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("a call in one stream does not wait for another stream") {
  const stream held, free;
  const calls first(counts_of_large_call()), second(counts_of_large_call());
  load(first, 1);
  load(second, 2);
  first.run(function::move, mgpu::par_nosync.on(held));
  second.run(function::move, mgpu::par_nosync.on(free));
  second.run(function::search, mgpu::par.on(free), given::counts);
  require_cuda(cudaDeviceSynchronize());
  clear(first);
  clear(second);
  gate g;
  g.hold(held);
  first.run(function::move, mgpu::par_nosync.on(held));
  for (int i = 0; i < 3; ++i) second.run(function::move, mgpu::par.on(free));
  second.run(function::search, mgpu::par.on(free), given::counts);
  CHECK_FALSE(g.passed());
  g.open();
  held.wait();
  CHECK(first.has_result(function::move, 1));
  CHECK(second.has_result(function::move, 2));
  CHECK(second.has_result(function::search, 2));
}

TEST_CASE("calls in two streams from two threads") {
  constexpr int threads = 2, repeats = 6;
  bool has_results[threads] = {};
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) {
    running.emplace_back([t, &has_results] {
      const stream s;
      std::mt19937 random(static_cast<unsigned>(t));
      const calls c(counts_of_size(sharing::zipf, 500'000, random));
      bool all = true;
      for (int i = 0; i < repeats; ++i) {
        const int seed = 10 * t + i;
        c.load(seed);
        require_cuda(cudaStreamSynchronize(cudaStreamLegacy));
        c.run(function::search, mgpu::par_nosync.on(s), i % 2 == 0 ? given::counts : given::offsets);
        c.run(function::for_each, mgpu::par_nosync.on(s));
        c.run(function::move, mgpu::par.on(s), i % 3 == 0 ? given::counts : given::offsets);
        s.wait();
        all = all && c.has_result(function::search, seed) && c.has_result(function::for_each, seed) &&
              c.has_result(function::move, seed);
      }
      has_results[t] = all;
    });
  }
  for (auto& thread : running) thread.join();
  for (const bool all : has_results) CHECK(all);
}
