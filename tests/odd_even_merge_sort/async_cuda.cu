// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When odd-even merge sort returns, what runs at the same time, and calls captured into CUDA graphs.
#include "check_odd_even_sort.h"
#include "support/late_data.h"
#include "support/sort_patterns.h"

#include <thread>

namespace {

using namespace test;

constexpr int small = 700, large = 1'200'011;

enum class odd_even_call { sort, sort_by_key };
constexpr odd_even_call all_calls[] = {odd_even_call::sort, odd_even_call::sort_by_key};

/// An array whose size is fixed, with other keys for each seed.
class odd_even_calls {
 public:
  using key = std::uint32_t;

  explicit odd_even_calls(int count) : count_(count), keys_(count), values_(count) {}

  const key* begin() const { return keys_.begin(); }

  /// Puts the data of `seed` where the calls find it.
  void load(int seed) const {
    for_each_input(seed,
                   [](void* to, const void* from, std::size_t bytes) { cuda_executor::copy_in(to, from, bytes); });
    require_cuda(cudaDeviceSynchronize());
  }
  /// Calls f(to, from, bytes) for all that a call reads.
  template <class F>
  void for_each_input(int seed, const F& f) const {
    const auto copy = [&](auto* to, const auto& from) { f(to, from.data(), from.size() * sizeof(from[0])); };
    copy(keys_.begin(), keys(seed));
    copy(values_.begin(), numbers());
  }

  template <class Policy>
  void run(odd_even_call c, const Policy& policy) const {
    if (c == odd_even_call::sort) mgpu::odd_even_merge_sort(policy, keys_.begin(), keys_.end());
    else mgpu::odd_even_merge_sort_by_key(policy, keys_.begin(), keys_.end(), values_.begin());
  }
  /// Requires that the call has finished.
  bool has_result(odd_even_call c, int seed) const {
    const auto s = network_sorting(keys(seed), cuda::std::less<>{});
    return keys_.first_difference(s.in_order(s.keys)) == -1 &&
           values_.first_difference(c == odd_even_call::sort ? numbers() : s.order) == -1;
  }
  bool has_not_run(int seed) const {
    return keys_.first_difference(keys(seed)) == -1 && values_.first_difference(numbers()) == -1;
  }

 private:
  std::vector<key> keys(int seed) const {
    std::mt19937 random(static_cast<unsigned>(seed));
    const auto ranks = disordered_ranks(disorder::random, count_, 100'000, random);
    return {ranks.begin(), ranks.end()};
  }
  std::vector<int> numbers() const { return numbers_below(static_cast<std::size_t>(count_)); }

  int count_;
  output<cuda_executor, key> keys_;
  output<cuda_executor, int> values_;
};

/// One function as check_returns_... takes it.
struct one_call {
  const odd_even_calls& on;
  odd_even_call c;

  template <class Policy>
  void run(const Policy& policy) const {
    on.run(c, policy);
  }
};

template <class Policy>
void check_capture(const odd_even_calls& calls, odd_even_call c, const Policy& policy, cudaStream_t s) {
  INFO("call ", static_cast<int>(c));
  calls.load(1);
  const graph captured(s, [&] { calls.run(c, policy); });
  CHECK(calls.has_not_run(1));
  for (const int seed : {1, 2, 5}) {
    calls.load(seed);
    captured.launch(s);
    require_cuda(cudaStreamSynchronize(s));
    CHECK(calls.has_result(c, seed));
  }
}

}  // namespace

// First in the file: nothing has been set up before it, and no kernel has been loaded.
TEST_CASE("both functions can be captured at their first call, and replayed with other data") {
  const stream s;
  const odd_even_calls calls(large);
  for (const auto c : all_calls) check_capture(calls, c, mgpu::par_nosync.on(s), s);
}

TEST_CASE("small calls and a call with a wrapped policy can be captured") {
  const stream s;
  const odd_even_calls one(1), two(2), few(small);
  for (const auto c : all_calls) {
    for (const auto* calls : {&two, &few}) check_capture(*calls, c, mgpu::par_nosync.on(s), s);
    const graph captured(s, [&] {
      one.run(c, mgpu::par_nosync.on(s));  // may launch nothing
      few.run(c, mgpu::par_nosync.on(s));
    });
    for (const auto* calls : {&one, &few}) calls->load(3);
    captured.launch(s);
    s.wait();
    CHECK(one.has_result(c, 3));
    CHECK(few.has_result(c, 3));
  }
  check_capture(few, odd_even_call::sort_by_key, mgpu::wrap(thrust::cuda::par_nosync.on(s)), s);
}

TEST_CASE("many calls in one graph, the ones after the others") {
  const stream s;
  const odd_even_calls a(large), b(small), c(large / 3);
  for (const auto* calls : {&a, &b, &c}) calls->load(2);
  const graph captured(s, [&] {
    const auto policy = mgpu::par_nosync.on(s);
    for (int i = 0; i < 2; ++i) {
      a.run(odd_even_call::sort_by_key, policy);
      b.run(odd_even_call::sort, policy);
      c.run(odd_even_call::sort, policy);
    }
  });
  for (const int seed : {3, 4}) {
    for (const auto* calls : {&a, &b, &c}) calls->load(seed);
    captured.launch(s);
    s.wait();
    CHECK(a.has_result(odd_even_call::sort_by_key, seed));
    CHECK(b.has_result(odd_even_call::sort, seed));
    CHECK(c.has_result(odd_even_call::sort, seed));
  }
}

TEST_CASE("both functions run in stream order on data that comes late") {
  const stream s;
  const odd_even_calls few(small), many(large);
  for (const auto c : all_calls) {
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

TEST_CASE("work that comes after a call sees what it has left") {
  const stream s;
  const odd_even_calls many(large);
  const std::size_t bytes = large * sizeof(odd_even_calls::key);
  const memory<cuda_executor> copy{std::vector<char>(bytes)};
  many.load(3);
  many.run(odd_even_call::sort_by_key, mgpu::par_nosync.on(s));
  require_cuda(cudaMemcpyAsync(copy.data(), many.begin(), bytes, cudaMemcpyDeviceToDevice, s));
  s.wait();
  CHECK(many.has_result(odd_even_call::sort_by_key, 3));
  std::vector<char> sorted(bytes);
  cuda_executor::copy_out(sorted.data(), many.begin(), bytes);
  CHECK(copy.read() == sorted);
}

TEST_CASE("par_nosync returns before completion") {
  const stream s;
  const odd_even_calls few(small), many(large);
  for (const auto c : all_calls) {
    INFO("call ", static_cast<int>(c));
    for (const auto* calls : {&few, &many}) {
      calls->load(6);
      const one_call one{*calls, c};
      check_returns_before_completion(one, mgpu::par_nosync.on(s), s);
      CHECK(calls->has_result(c, 6));  // of two calls, the second of which finds a sorted array
    }
  }
  const one_call wrapped{few, odd_even_call::sort}, on_default{many, odd_even_call::sort_by_key};
  check_returns_before_completion(wrapped, mgpu::wrap(thrust::cuda::par_nosync.on(s)), s);
  check_returns_before_completion(on_default, mgpu::par_nosync, cudaStreamLegacy);
}

TEST_CASE("par returns after completion") {
  const stream s;
  const odd_even_calls few(small), many(large);
  for (const auto c : all_calls) {
    INFO("call ", static_cast<int>(c));
    const one_call one{few, c}, other{many, c};
    check_returns_after_completion(one, mgpu::par.on(s), s);
    check_returns_after_completion(other, mgpu::par.on(s), s);
    check_returns_after_completion(one, mgpu::par, cudaStreamLegacy);
    check_returns_after_completion(other, mgpu::wrap(thrust::cuda::par.on(s)), s);
  }
}

TEST_CASE("wrapped policies of Thrust and policies with an allocator, which is not asked for memory") {
  const stream s;
  const odd_even_calls many(large);
  allocation_log log;
  log.allowed = 0;
  logging_allocator allocator{&log};
  const auto check = [&](const auto& policy) {
    for (const auto c : all_calls) {
      INFO("call ", static_cast<int>(c));
      many.load(8);
      many.run(c, policy);
      s.wait();
      CHECK(many.has_result(c, 8));
      CHECK(log.allocations == 0);
      CHECK(log.deallocations == 0);
    }
  };
  check(mgpu::wrap(thrust::cuda::par.on(s)));
  check(mgpu::wrap(thrust::cuda::par(allocator).on(s)));
  check(mgpu::wrap(thrust::cuda::par_nosync(allocator).on(s)));
  check(mgpu::par(allocator).on(s));
  check(mgpu::par_nosync(allocator).on(s));
}

TEST_CASE("a call in one stream does not wait for another stream") {
  const stream held, free;
  const odd_even_calls first(large), second(large);
  first.run(odd_even_call::sort, mgpu::par_nosync.on(held));
  second.run(odd_even_call::sort_by_key, mgpu::par_nosync.on(free));
  first.load(1);
  second.load(2);
  gate g;
  g.hold(held);
  first.run(odd_even_call::sort, mgpu::par_nosync.on(held));
  second.run(odd_even_call::sort_by_key, mgpu::par.on(free));
  CHECK_FALSE(g.passed());
  g.open();
  held.wait();
  CHECK(first.has_result(odd_even_call::sort, 1));
  CHECK(second.has_result(odd_even_call::sort_by_key, 2));
}

TEST_CASE("calls in two streams from two threads") {
  constexpr int threads = 2, repeats = 6;
  bool has_results[threads] = {};
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) {
    running.emplace_back([t, &has_results] {
      const stream s;
      const odd_even_calls calls(300'000 + t);
      bool all = true;
      for (int i = 0; i < repeats; ++i) {
        for (const auto c : all_calls) {
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
