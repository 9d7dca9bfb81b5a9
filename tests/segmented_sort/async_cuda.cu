// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When segmented sort and locality sort return, what runs at the same time, and calls captured into CUDA graphs.
#include "support/late_data.h"
#include "sort_calls.h"

#include <memory>
#include <thread>

namespace {

using namespace test;
using key = sort_calls::key;

constexpr int small = 700, large = 1'200'011;

/// One function as check_returns_... takes it.
struct one_call {
  const sort_calls& on;
  sort_call c;

  template <class Policy>
  void run(const Policy& policy) const {
    on.run(c, policy);
  }
};

template <class Policy>
void check_capture(const sort_calls& calls, sort_call c, const Policy& policy, cudaStream_t s) {
  INFO("call ", static_cast<int>(c));
  calls.load(1);
  const graph captured(s, [&] { calls.run(c, policy); });
  CHECK(calls.has_not_run(1));
  for (const int seed : {1, 2, 5, 8}) {
    calls.load(seed);
    captured.launch(s);
    require_cuda(cudaStreamSynchronize(s));
    CHECK(calls.has_result(c, seed));
  }
}

}  // namespace

// First in the file: nothing has been set up before it, and no kernel has been loaded.
TEST_CASE("every function can be captured at its first call, and replayed with other segments and data") {
  const stream s;
  const sort_calls calls(large);
  for (const auto c : all_sort_calls) check_capture(calls, c, mgpu::par_nosync.on(s), s);
}

TEST_CASE("small calls and a call with a wrapped policy can be captured") {
  const stream s;
  const sort_calls one(1), few(small);
  for (const auto c : all_sort_calls) {
    check_capture(one, c, mgpu::par_nosync.on(s), s);
    check_capture(few, c, mgpu::par_nosync.on(s), s);
  }
  check_capture(few, sort_call::stable_sort_by_key, mgpu::wrap(thrust::cuda::par_nosync.on(s)), s);
}

TEST_CASE("many calls in one graph, the ones after the others") {
  const stream s;
  const sort_calls a(large), b(small), c(large / 3);
  for (const auto* calls : {&a, &b, &c}) calls->load(2);
  const graph captured(s, [&] {
    const auto policy = mgpu::par_nosync.on(s);
    for (int i = 0; i < 2; ++i) {
      a.run(sort_call::stable_sort_by_key, policy);
      b.run(sort_call::local, policy);
      c.run(sort_call::flags, policy);
    }
  });
  for (const int seed : {3, 4}) {
    for (const auto* calls : {&a, &b, &c}) calls->load(seed);
    captured.launch(s);
    s.wait();
    CHECK(a.has_result(sort_call::stable_sort_by_key, seed));
    CHECK(b.has_result(sort_call::local, seed));
    CHECK(c.has_result(sort_call::flags, seed));
  }
}

TEST_CASE("every function runs in stream order on segments and data that come late") {
  const stream s;
  const sort_calls few(small), many(large);
  for (const auto c : all_sort_calls) {
    INFO("call ", static_cast<int>(c));
    for (const auto* calls : {&few, &many}) {
      const late_data late(*calls, 4, s);
      calls->run(c, mgpu::par_nosync.on(s));
      s.wait();
      CHECK(calls->has_result(c, 4));
    }
    const late_data late(few, 7, cudaStreamLegacy);
    few.run(c, mgpu::par);
    CHECK(few.has_result(c, 7));
  }
}

TEST_CASE("par_nosync returns before completion") {
  const stream s;
  const sort_calls few(small), many(large);
  for (const auto c : all_sort_calls) {
    INFO("call ", static_cast<int>(c));
    for (const auto* calls : {&few, &many}) {
      calls->load(6);
      const one_call one{*calls, c};
      check_returns_before_completion(one, mgpu::par_nosync.on(s), s);
      if (!has_values(c)) CHECK(calls->has_result(c, 6));  // values would have been moved with every call
    }
  }
  const one_call wrapped{few, sort_call::sort}, on_default{many, sort_call::local};
  check_returns_before_completion(wrapped, mgpu::wrap(thrust::cuda::par_nosync.on(s)), s);
  check_returns_before_completion(on_default, mgpu::par_nosync, cudaStreamLegacy);
}

TEST_CASE("par returns after completion, and so does par_nosync where statistics are asked for") {
  const stream s;
  const sort_calls few(small), many(large);
  for (const auto c : some_sort_calls) {
    INFO("call ", static_cast<int>(c));
    const one_call one{few, c}, other{many, c};
    check_returns_after_completion(one, mgpu::par.on(s), s);
    check_returns_after_completion(other, mgpu::par.on(s), s);
    check_returns_after_completion(one, mgpu::par, cudaStreamLegacy);
    check_returns_after_completion(other, mgpu::wrap(thrust::cuda::par.on(s)), s);
  }
  const sorted_array keys(cuda_executor{}, std::vector<key>(10'000, 3));
  struct {
    key *first, *last;
    void run(const decltype(mgpu::par_nosync.on(cudaStreamLegacy))& policy) const {
      mgpu::sort_statistics statistics;
      mgpu::locality_sort(policy, first, last, cuda::std::less<>{}, statistics);
      CHECK(statistics.tiles > 0);
      CHECK(statistics.passes.empty());
    }
  } const with_statistics{keys.begin(), keys.end()};
  check_returns_after_completion(with_statistics, mgpu::par_nosync.on(s), s);
}

TEST_CASE("wrapped policies of Thrust and policies with an allocator") {
  const stream s;
  const sort_calls many(large);
  allocation_log log;
  logging_allocator allocator{&log};
  const auto check = [&](const auto& policy, bool has_allocator) {
    for (const auto c : some_sort_calls) {
      INFO("call ", static_cast<int>(c));
      log = {};
      many.load(8);
      many.run(c, policy);
      s.wait();
      CHECK(many.has_result(c, 8));
      CHECK((log.allocations > 0) == has_allocator);
      CHECK(log.is_balanced());
    }
  };
  check(mgpu::wrap(thrust::cuda::par.on(s)), false);
  check(mgpu::wrap(thrust::cuda::par(allocator).on(s)), true);
  check(mgpu::wrap(thrust::cuda::par_nosync(allocator).on(s)), true);
  check(mgpu::par(allocator).on(s), true);
  check(mgpu::par_nosync(allocator).on(s), true);
}

TEST_CASE("arrays that one tile takes are sorted without memory") {
  const stream s;
  allocation_log log;
  logging_allocator allocator{&log};
  const auto policy = mgpu::par_nosync(allocator).on(s);
  for (const int count : {small, sort_tile_alone(), sort_tile_alone() + 1}) {
    const sort_calls calls(count);
    for (const auto c : all_sort_calls) {
      INFO("call ", static_cast<int>(c), ", ", count, " elements");
      log = {};
      calls.load(3);
      calls.run(c, policy);
      s.wait();
      CHECK(calls.has_result(c, 3));
      CHECK((log.allocations == 0) == (count <= sort_tile_alone()));
      CHECK(log.is_balanced());
    }
  }
}

TEST_CASE("bad segments in a graph: nothing is thrown, and calls after them are right") {
  const stream s;
  const input<cuda_executor, offset> bad({0, 90'000, 2, 100}), good({0, 50, 2'000, 30'000});
  std::mt19937 random(9);
  const auto unsorted = disordered_keys<key>(disorder::random, 30'000, random);
  const sorted_array spoiled(cuda_executor{}, unsorted), keys(cuda_executor{}, unsorted);
  const graph captured(s, [&] {
    const auto policy = mgpu::par_nosync.on(s);
    mgpu::segmented_sort(policy, spoiled.begin(), spoiled.end(), mgpu::segment_offsets(bad.begin(), 3));
    mgpu::segmented_sort(policy, keys.begin(), keys.end(), mgpu::segment_offsets(good.begin(), 3));
  });
  captured.launch(s);
  s.wait();
  const sorting<key> expected(unsorted, {30'000, {0, 50, 2'000}, {50, 2'000, 30'000}}, cuda::std::less<>{});
  CHECK(keys.holds(expected.in_order(unsorted)));
  CHECK(spoiled.guards_untouched());
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("a call in one stream does not wait for another stream") {
  const stream held, free;
  const sort_calls first(large), second(large);
  first.run(sort_call::sort, mgpu::par_nosync.on(held));
  second.run(sort_call::stable_sort_by_key, mgpu::par_nosync.on(free));
  first.load(1);
  second.load(2);
  gate g;
  g.hold(held);
  first.run(sort_call::sort, mgpu::par_nosync.on(held));
  second.run(sort_call::stable_sort_by_key, mgpu::par.on(free));
  CHECK_FALSE(g.passed());
  g.open();
  held.wait();
  CHECK(first.has_result(sort_call::sort, 1));
  CHECK(second.has_result(sort_call::stable_sort_by_key, 2));
}

TEST_CASE("calls in two streams from two threads") {
  constexpr int threads = 2, repeats = 6;
  bool has_results[threads] = {};
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) {
    running.emplace_back([t, &has_results] {
      const stream s;
      const sort_calls calls(300'000 + t);
      bool all = true;
      for (int i = 0; i < repeats; ++i) {
        for (const auto c : some_sort_calls) {
          const int seed = 10 * t + i;
          calls.load(seed);
          if (i % 2 == 0) calls.run(c, mgpu::par_nosync.on(s));
          else calls.run(c, mgpu::par.on(s));
          s.wait();
          all = all && calls.has_result(c, seed);
        }
      }
      has_results[t] = all;
    });
  }
  for (auto& thread : running) thread.join();
  for (const bool all : has_results) CHECK(all);
}
