// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When odd-even merge sort returns, what runs at the same time, and calls captured into CUDA graphs.
#include "check_odd_even_sort.h"
#include "support/async.h"
#include "support/sort_patterns.h"

namespace {

using namespace test;

constexpr int small = 700, large = is_full ? 1'200'011 : 300'011;

enum class odd_even_call { sort, sort_by_key };
constexpr odd_even_call all_calls[] = {odd_even_call::sort, odd_even_call::sort_by_key};

/// An array whose size is fixed, with other keys for each seed.
class odd_even_calls : public loads_inputs<odd_even_calls> {
 public:
  using key = std::uint32_t;

  explicit odd_even_calls(int count) : count_(count), keys_(count), values_(count) {}

  const key* begin() const { return keys_.begin(); }

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

}  // namespace

// First in the file: nothing has been set up before it, and no kernel has been loaded.
TEST_CASE("both functions can be captured at their first call, and replayed with other data") {
  const stream s;
  const odd_even_calls calls(large);
  for_each_call(all_calls, {&calls}, [&](const auto& work) {
    check_capture(work, mgpu::par_nosync.on(s), s, {1, 2, 5});
  });
}

TEST_CASE("small calls and a call with a wrapped policy can be captured") {
  const stream s;
  const odd_even_calls one(1), two(2), few(small);
  for (const auto c : all_calls) {
    INFO("call ", static_cast<int>(c));
    for (const auto* calls : {&two, &few}) check_capture(one_call{*calls, c}, mgpu::par_nosync.on(s), s, {1, 2, 5});
    check_captured_together(s, 1, {3}, one_call{one, c}, one_call{few, c});  // the first one may launch nothing
  }
  const one_call wrapped{few, odd_even_call::sort_by_key};
  check_capture(wrapped, mgpu::wrap(thrust::cuda::par_nosync.on(s)), s, {1, 2, 5});
}

TEST_CASE("many calls in one graph, the ones after the others") {
  const stream s;
  const odd_even_calls a(large), b(small), c(large / 3);
  check_captured_together(s, 2, {3, 4}, one_call{a, odd_even_call::sort_by_key}, one_call{b, odd_even_call::sort},
                          one_call{c, odd_even_call::sort});
}

TEST_CASE("both functions run in stream order on data that comes late") {
  const stream s;
  const odd_even_calls few(small), many(large);
  for_each_call(all_calls, {&few, &many}, [&](const auto& work) { check_late_data(work, 4, s); });
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
  for_each_call(all_calls, {&many}, [&](const auto& work) { check_allocators(work, 8, s, false); });
}

TEST_CASE("a call in one stream does not wait for another stream") {
  const odd_even_calls first(large), second(large);
  check_streams_are_apart(one_call{first, odd_even_call::sort}, one_call{second, odd_even_call::sort_by_key});
}

TEST_CASE("calls in two streams from two threads") {
  check_in_two_threads([](int thread, const stream& s) {
    const odd_even_calls calls(300'000 + thread);
    bool all = true;
    for (int i = 0; i < 6; ++i) {
      for (const auto c : all_calls) all = runs_in(s, one_call{calls, c}, i, 10 * thread + i) && all;
    }
    return all;
  });
}
