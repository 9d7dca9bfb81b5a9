// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When calls return, what runs at the same time, and calls captured into a CUDA graph.
#include "support/async.h"

#include <memory>

namespace {

using namespace test;

/// keys[i] = first + i * step.
__global__ void write_keys(int* keys, offset count, int first, int step) {
  for (offset i = offset{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += offset{gridDim.x} * blockDim.x) {
    keys[i] = first + static_cast<int>(i) * step;
  }
}

/// Merges in a row. Each reads what the one before it wrote last, with no wait between them. The first tiles of a merge
/// of many tiles run while the others' splits are searched, so they must see it, too.
struct merges_in_a_row {
  offset n = offset{first_executor::items_beyond_single_launch<core_of<int, void>::type>()} / 2;
  offset m = n / 4;
  output<cuda_executor, int> a{n}, b{n}, c{2 * n}, d{2 * n}, e{2 * n + m};

  /// c gets every second number from `seed` on. The last m of them and odd ones, which go on behind them, make e.
  void run(cudaStream_t s, int seed) const {
    const int last_m = seed + static_cast<int>(2 * (2 * n - m));
    write_keys<<<256, 256, 0, s>>>(a.begin(), n, seed, 4);
    write_keys<<<256, 256, 0, s>>>(d.begin(), 2 * n, last_m + 1, 2);
    write_keys<<<256, 256, 0, s>>>(b.begin(), n, seed + 2, 4);
    mgpu::merge(mgpu::par_nosync.on(s), a.begin(), a.end(), b.begin(), b.end(), c.begin());
    mgpu::merge(mgpu::par_nosync.on(s), c.end() - m, c.end(), d.begin(), d.end(), e.begin());
  }
  bool has_result(int seed) const {
    const int last_m = seed + static_cast<int>(2 * (2 * n - m));
    std::vector<int> expected(static_cast<std::size_t>(2 * n + m));
    for (offset i = 0; i < 2 * n + m; ++i)
      expected[static_cast<std::size_t>(i)] = last_m + static_cast<int>(i < 2 * m ? i : 2 * (i - m) + 1);
    return e.first_difference(expected) == -1;
  }
};

/// Two small sorted inputs and their merge.
struct small_merge {
  input<cuda_executor, int> a{{1, 3, 5, 7}}, b{{2, 3, 6}};
  output<cuda_executor, int> out{7};

  template <class Policy>
  void run(const Policy& policy) const {
    mgpu::merge(policy, a.begin(), a.end(), b.begin(), b.end(), out.begin());
  }
  bool has_result() const { return out.first_difference({1, 2, 3, 3, 5, 6, 7}) == -1; }
};

}  // namespace

// First in the file: nothing has been set up before it.
TEST_CASE("the first call of a program can be captured") {
  const stream s;
  check_capture(large_merge(), mgpu::par_nosync.on(s), s, {1, 2, 3});
}

TEST_CASE("a small call can be captured") {
  const stream s;
  const small_merge merge;
  const graph captured(s, [&] { merge.run(mgpu::par_nosync.on(s)); });
  CHECK(merge.out.untouched());
  captured.launch(s);
  s.wait();
  CHECK(merge.has_result());
}

TEST_CASE("a call with par_nosync and a wrapped policy can be captured") {
  const stream s;
  check_capture(large_merge(), mgpu::par_nosync.on(s), s, {1, 2, 3});
  check_capture(large_merge(), mgpu::wrap(thrust::cuda::par_nosync.on(s)), s, {1, 2, 3});
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
  CHECK(first.has_result());
  CHECK(second.has_result());
  CHECK(large.has_result(5));
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
  CHECK(large.has_result(4));
  CHECK(small.has_result());
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
  CHECK(large.has_result(4));
  CHECK(small.has_result());
}

TEST_CASE("a call in one stream does not wait for another stream") {
  check_streams_are_apart(large_merge(), large_merge(), 5);
}

TEST_CASE("calls in two streams from two threads") {
  check_in_two_threads([](int thread, const stream& s) {
    const large_merge large;
    const small_merge small;
    bool all = true;
    for (int i = 0; i < 20; ++i) {
      small.run(mgpu::par_nosync.on(s));
      all = runs_in(s, large, i, 10 * thread + i % 3) && small.has_result() && all;
    }
    return all;
  });
}

TEST_CASE("scratch of many calls in flight") {
  const stream s;
  std::vector<std::unique_ptr<large_merge>> merges;
  for (int i = 0; i < 8; ++i) merges.push_back(std::make_unique<large_merge>());
  for (int i = 0; i < 8; ++i) merges[static_cast<std::size_t>(i)]->load(i);
  require_cuda(cudaDeviceSynchronize());
  for (const auto& merge : merges) merge->run(mgpu::par_nosync.on(s));
  s.wait();
  for (int i = 0; i < 8; ++i) CHECK(merges[static_cast<std::size_t>(i)]->has_result(i));
}

TEST_CASE("a call sees what the calls before it have written") {
  const stream s;
  const merges_in_a_row merges;
  for (int seed = 0; seed < 6; ++seed) merges.run(s, seed);
  s.wait();
  CHECK(merges.has_result(5));
  const graph captured(s, [&] {
    for (int seed = 6; seed < 9; ++seed) merges.run(s, seed);
  });
  captured.launch(s);
  captured.launch(s);
  s.wait();
  CHECK(merges.has_result(8));
}
