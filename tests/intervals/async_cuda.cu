// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When the functions on intervals return, what runs at the same time, and calls captured into CUDA graphs.
#include "interval_calls.h"
#include "support/async.h"

namespace {

using namespace test;
using calls = interval_calls<cuda_executor>;

void clear(const calls& c) {
  c.clear();
  require_cuda(cudaDeviceSynchronize());
}

/// The functions whose calls differ in what they write; the others are between them.
constexpr function some_functions[] = {function::expand, function::move, function::for_each};

}  // namespace

// First in the file: nothing has been set up before it, and no kernel has been loaded.
TEST_CASE("every function can be captured at its first call, and replayed with other offsets and data") {
  const stream s;
  const calls large(counts_of_large_call());
  for (const auto f : all_functions) {
    INFO("function ", static_cast<int>(f));
    check_capture(one_call{large, f}, mgpu::par_nosync.on(s), s, {1, 5});
    CHECK(large.inputs_hold(5));
  }
}

TEST_CASE("small calls, calls without items and a call with a wrapped policy can be captured") {
  const stream s;
  const calls small(counts_of_small_call()), without_items(std::vector<int>(1000, 0));
  for (const auto f : all_functions) {
    INFO("function ", static_cast<int>(f));
    for (const auto* c : {&small, &without_items}) check_capture(one_call{*c, f}, mgpu::par_nosync.on(s), s, {1, 5});
  }
  check_capture(one_call{small, function::move}, mgpu::wrap(thrust::cuda::par_nosync.on(s)), s, {1, 5});
}

TEST_CASE("many calls in one graph, the ones after the others") {
  const stream s;
  const calls small(counts_of_small_call()), large(counts_of_large_call());
  check_captured_together(s, 3, {7, 8}, one_call{small, function::gather}, one_call{large, function::search},
                          one_call{small, function::search}, one_call{large, function::expand});
}

TEST_CASE("every function runs in stream order on intervals that come late, given by offsets and by counts") {
  const stream s;
  const calls small(counts_of_small_call()), large(counts_of_large_call());
  for (const auto f : all_functions) {
    for (const auto as : {given::offsets, given::counts}) {
      INFO("function ", static_cast<int>(f), ", intervals given as ", static_cast<int>(as));
      for (const auto* c : {&small, &large}) check_late_data(one_call{*c, calls::call{f, as}}, 3, s);
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
    const one_call small_call{small, f}, large_call{large, f};
    const one_call by_counts{small, calls::call{f, given::counts}};
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
  for (const auto as : {given::offsets, given::counts}) {
    for (const auto f : some_functions) {
      INFO("function ", static_cast<int>(f), ", intervals given as ", static_cast<int>(as));
      check_allocators(one_call{large, calls::call{f, as}}, 9, s);
    }
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
  const calls first(counts_of_large_call()), second(counts_of_large_call());
  const auto search = [&](const auto& policy) { second.run(function::search, policy, given::counts); };
  check_streams_are_apart(one_call{first, function::move}, one_call{second, function::move}, 3, search);
  CHECK(second.has_result(function::search, 2));
}

TEST_CASE("calls in two streams from two threads") {
  check_in_two_threads([](int thread, const stream& s) {
    std::mt19937 random(static_cast<unsigned>(thread));
    const calls c(counts_of_size(sharing::zipf, 500'000, random));
    bool all = true;
    for (int i = 0; i < 6; ++i) {
      const int seed = 10 * thread + i;
      c.load(seed);
      require_cuda(cudaStreamSynchronize(cudaStreamLegacy));
      c.run(function::search, mgpu::par_nosync.on(s), i % 2 == 0 ? given::counts : given::offsets);
      c.run(function::for_each, mgpu::par_nosync.on(s));
      c.run(function::move, mgpu::par.on(s), i % 3 == 0 ? given::counts : given::offsets);
      s.wait();
      for (const auto f : {function::search, function::for_each, function::move}) all = c.has_result(f, seed) && all;
    }
    return all;
  });
}
