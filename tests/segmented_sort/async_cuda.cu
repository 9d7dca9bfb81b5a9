// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When segmented sort and locality sort return, what runs at the same time, and calls captured into CUDA graphs.
#include "sort_calls.h"
#include "support/async.h"

namespace {

using namespace test;
using key = sort_calls::key;

constexpr int small = 700, large = is_full ? 1'200'011 : 300'011;

}  // namespace

// First in the file: nothing has been set up before it, and no kernel has been loaded.
TEST_CASE("every function can be captured at its first call, and replayed with other segments and data") {
  const stream s;
  const sort_calls calls(large);
  for_each_call(all_sort_calls, {&calls}, [&](const auto& work) {
    check_capture(work, mgpu::par_nosync.on(s), s, {1, 2, 5, 8});
  });
}

TEST_CASE("small calls and a call with a wrapped policy can be captured") {
  const stream s;
  const sort_calls one(1), few(small);
  for_each_call(all_sort_calls, {&one, &few}, [&](const auto& work) {
    check_capture(work, mgpu::par_nosync.on(s), s, {1, 2, 5, 8});
  });
  const one_call wrapped{few, sort_call::stable_sort_by_key};
  check_capture(wrapped, mgpu::wrap(thrust::cuda::par_nosync.on(s)), s, {1, 2, 5, 8});
}

TEST_CASE("many calls in one graph, the ones after the others") {
  const stream s;
  const sort_calls a(large), b(small), c(large / 3);
  check_captured_together(s, 2, {3, 4}, one_call{a, sort_call::stable_sort_by_key}, one_call{b, sort_call::local},
                          one_call{c, sort_call::flags});
}

TEST_CASE("every function runs in stream order on segments and data that come late") {
  const stream s;
  const sort_calls few(small), many(large);
  for_each_call(all_sort_calls, {&few, &many}, [&](const auto& work) { check_late_data(work, 4, s); });
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
  for_each_call(some_sort_calls, {&many}, [&](const auto& work) { check_allocators(work, 8, s); });
}

TEST_CASE("arrays that one tile takes are sorted without memory") {
  const stream s;
  allocation_log log;
  logging_allocator allocator{&log};
  const auto policy = mgpu::par_nosync(allocator).on(s);
  for (const int count : {300, sort_tile_of_one_segment(), sort_tile_of_one_segment() + 1, small, sort_tile_alone(),
                          sort_tile_alone() + 1}) {
    const sort_calls calls(count);
    for (const auto c : all_sort_calls) {
      INFO("call ", static_cast<int>(c), ", ", count, " elements");
      log = {};
      calls.load(3);
      calls.run(c, policy);
      s.wait();
      CHECK(calls.has_result(c, 3));
      const bool is_one_segment = c == sort_call::local || c == sort_call::local_by_key;
      CHECK((log.allocations == 0) == (count <= (is_one_segment ? sort_tile_of_one_segment() : sort_tile_alone())));
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
  const sort_calls first(large), second(large);
  check_streams_are_apart(one_call{first, sort_call::sort}, one_call{second, sort_call::stable_sort_by_key});
}

TEST_CASE("calls in two streams from two threads") {
  check_in_two_threads([](int thread, const stream& s) {
    const sort_calls calls(300'000 + thread);
    bool all = true;
    for (int i = 0; i < 6; ++i) {
      for (const auto c : some_sort_calls) all = runs_in(s, one_call{calls, c}, i, 10 * thread + i) && all;
    }
    return all;
  });
}
