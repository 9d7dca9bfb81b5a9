// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When calls return, what runs at the same time, and calls captured into a CUDA graph.
#include "support/cuda.h"

#include <memory>
#include <thread>

namespace {

using namespace test;

/// Two small sorted inputs and their merge.
struct small_merge {
  input<cuda_executor, int> a{{1, 3, 5, 7}}, b{{2, 3, 6}};
  output<cuda_executor, int> out{7};

  template <class Policy>
  void run(const Policy& policy) const {
    mgpu::merge(policy, a.begin(), a.end(), b.begin(), b.end(), out.begin());
  }
  bool has_merged() const { return out.first_difference({1, 2, 3, 3, 5, 6, 7}) == -1; }
};

template <class Policy>
void check_capture(const Policy& policy, cudaStream_t s) {
  large_merge merge;
  merge.load(1);
  require_cuda(cudaDeviceSynchronize());
  const graph captured(s, [&] { merge.run(policy); });
  CHECK_FALSE(merge.has_merged(1));
  for (const int seed : {1, 2, 3}) {
    merge.load(seed);
    captured.launch(s);
    require_cuda(cudaStreamSynchronize(s));
    CHECK(merge.has_merged(seed));
    CHECK(merge.inputs_hold(seed));
  }
}

}  // namespace

// First in the file: nothing has been set up before it.
TEST_CASE("the first call of a program can be captured") {
  const stream s;
  check_capture(mgpu::par_nosync.on(s), s);
}

TEST_CASE("a small call can be captured") {
  const stream s;
  const small_merge merge;
  const graph captured(s, [&] { merge.run(mgpu::par_nosync.on(s)); });
  CHECK(merge.out.untouched());
  captured.launch(s);
  s.wait();
  CHECK(merge.has_merged());
}

TEST_CASE("a call with par_nosync and a wrapped policy can be captured") {
  const stream s;
  check_capture(mgpu::par_nosync.on(s), s);
  check_capture(mgpu::wrap(thrust::cuda::par_nosync.on(s)), s);
}

TEST_CASE("several calls in one graph") {
  const stream s;
  small_merge first, second;
  large_merge large;
  large.load(5);
  require_cuda(cudaDeviceSynchronize());
  const graph captured(s, [&] {
    const auto policy = mgpu::par_nosync.on(s);
    first.run(policy);
    large.run(policy);
    second.run(policy);
    large.run(policy);
  });
  captured.launch(s);
  s.wait();
  CHECK(first.has_merged());
  CHECK(second.has_merged());
  CHECK(large.has_merged(5));
}

TEST_CASE("par_nosync returns before completion") {
  const stream s;
  large_merge large;
  large.load(4);
  small_merge small;
  check_returns_before_completion(small, mgpu::par_nosync.on(s), s);
  check_returns_before_completion(large, mgpu::par_nosync.on(s), s);
  check_returns_before_completion(small, mgpu::wrap(thrust::cuda::par_nosync.on(s)), s);
  check_returns_before_completion(large, mgpu::wrap(thrust::cuda::par_nosync.on(s)), s);
  check_returns_before_completion(small, mgpu::par_nosync, cudaStreamLegacy);
  check_returns_before_completion(large, mgpu::par_nosync, cudaStreamLegacy);
  CHECK(large.has_merged(4));
  CHECK(small.has_merged());
}

TEST_CASE("par returns after completion") {
  const stream s;
  large_merge large;
  large.load(4);
  small_merge small;
  check_returns_after_completion(small, mgpu::par.on(s), s);
  check_returns_after_completion(large, mgpu::par.on(s), s);
  check_returns_after_completion(small, mgpu::wrap(thrust::cuda::par.on(s)), s);
  check_returns_after_completion(small, mgpu::par, cudaStreamLegacy);
  check_returns_after_completion(large, mgpu::par, cudaStreamLegacy);
  CHECK(large.has_merged(4));
  CHECK(small.has_merged());
}

TEST_CASE("a call in one stream does not wait for another stream") {
  const stream held, free;
  large_merge first, second;
  first.load(1);
  second.load(2);
  first.run(mgpu::par_nosync.on(held));
  second.run(mgpu::par_nosync.on(free));
  require_cuda(cudaDeviceSynchronize());
  gate g;
  g.hold(held);
  first.run(mgpu::par_nosync.on(held));
  for (int i = 0; i < 5; ++i) second.run(mgpu::par.on(free));
  CHECK_FALSE(g.passed());
  g.open();
  held.wait();
  CHECK(first.has_merged(1));
  CHECK(second.has_merged(2));
}

TEST_CASE("calls in two streams from two threads") {
  constexpr int threads = 2, repeats = 20;
  bool has_merged[threads] = {};
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) {
    running.emplace_back([t, &has_merged] {
      const stream s;
      large_merge large;
      small_merge small;
      bool all = true;
      for (int i = 0; i < repeats; ++i) {
        const int seed = 10 * t + i % 3;
        large.load(seed);
        small.run(mgpu::par_nosync.on(s));
        if (i % 2 == 0) large.run(mgpu::par_nosync.on(s));
        else large.run(mgpu::par.on(s));
        s.wait();
        all = all && small.has_merged() && large.has_merged(seed);
      }
      has_merged[t] = all;
    });
  }
  for (auto& thread : running) thread.join();
  for (const bool all : has_merged) CHECK(all);
}

TEST_CASE("scratch of many calls in flight") {
  const stream s;
  std::vector<std::unique_ptr<large_merge>> merges;
  for (int i = 0; i < 8; ++i) merges.push_back(std::make_unique<large_merge>());
  for (int i = 0; i < 8; ++i) merges[static_cast<std::size_t>(i)]->load(i);
  require_cuda(cudaDeviceSynchronize());
  for (const auto& merge : merges) merge->run(mgpu::par_nosync.on(s));
  s.wait();
  for (int i = 0; i < 8; ++i) CHECK(merges[static_cast<std::size_t>(i)]->has_merged(i));
}
