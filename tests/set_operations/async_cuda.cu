// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Set operations that write their size to the device: captured into CUDA graphs, in streams, with every kind of
// place for the size; and when set operations return.
#include "set_into_call.h"
#include "support/async.h"

#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>

#include <memory>

namespace {

using namespace test;

/// Calls f(call) for every operation in every form.
template <class F>
void for_each_call(const F& f) {
  for_each_operation([&](auto operation) {
    using tag = decltype(operation);
    INFO(tag::name);
    into_call<tag, form::keys> keys;
    into_call<tag, form::by_key> by_key;
    into_call<tag, form::unique_keys> unique_keys;
    into_call<tag, form::by_unique_key> by_unique_key;
    f(keys);
    f(by_key);
    f(unique_keys);
    f(by_unique_key);
  });
}

/// A call that hands its size to the host.
struct waiting_call {
  input<cuda_executor, int> a{numbered_values<int>(0, 50000)}, b{numbered_values<int>(1000, 40000)};
  output<cuda_executor, int> out{90000};

  template <class Policy>
  void run(const Policy& policy) const {
    const int* const end = mgpu::set_union(policy, a.begin(), a.end(), b.begin(), b.end(), out.begin());
    CHECK(end - out.begin() == 50000);
  }
};
struct waiting_count : waiting_call {
  template <class Policy>
  void run(const Policy& policy) const {
    CHECK(mgpu::set_intersection_size(policy, a.begin(), a.end(), b.begin(), b.end()) == 40000);
  }
};

}  // namespace

// First in the file: nothing has been set up before it, and no kernel has been loaded.
TEST_CASE("every form can be captured at its first call, and replayed with other data") {
  const stream s;
  for_each_call([&](auto& call) { check_capture(call, mgpu::par_nosync.on(s), s, {1, 2, 3, 6}); });
}

TEST_CASE("a call with a wrapped policy can be captured") {
  const stream s;
  into_call<op::set_union, form::keys> call;
  check_capture(call, mgpu::wrap(thrust::cuda::par_nosync.on(s)), s, {1, 2, 3, 6});
}

TEST_CASE("small calls and empty ones can be captured, many in one graph") {
  const stream s;
  into_call<op::set_union, form::keys> small(7, 5), empty(0, 0), a_alone(3, 0);
  into_call<op::set_intersection, form::by_key> nothing(3, 0), one(1, 1);
  into_call<op::set_difference, form::keys> large(60000, 50000);
  check_captured_together(s, 1, {6, 9, 0}, small, empty, a_alone, nothing, one, large);
}

TEST_CASE("every form runs in stream order on inputs that come late") {
  const stream s;
  for_each_call([&](auto& call) {
    for (const int seed : {0, 5}) check_late_data(call, seed, s);
  });
}

TEST_CASE("calls whose inputs are the outputs of the call before") {
  const stream s;
  constexpr int steps = 12, count = 100003;
  const auto numbers = numbered_values<int>(0, count);
  const input<cuda_executor, int> all(numbers);
  std::vector<std::unique_ptr<output<cuda_executor, int>>> results;
  for (int i = 0; i < steps; ++i) results.push_back(std::make_unique<output<cuda_executor, int>>(count));
  const output<cuda_executor, int> size(1);
  be_late<<<1, 1, 0, s>>>();
  const int* from = all.begin();
  for (const auto& result : results) {
    mgpu::set_intersection_into(mgpu::par_nosync.on(s), all.begin(), all.end(), from, from + count, result->begin(),
                                size.begin());
    from = result->begin();
  }
  s.wait();
  CHECK(size.first_difference({count}) == -1);
  for (const auto& result : results) CHECK(result->first_difference(numbers) == -1);
}

TEST_CASE("par_nosync returns before completion where the size goes to the device") {
  const stream s;
  for_each_call([&](auto& call) {
    call.load(1);
    check_returns_before_completion(call, mgpu::par_nosync.on(s), s);
    CHECK(call.has_result(1));
  });
  into_call<op::set_union, form::keys> call, small(5, 5);
  call.load(6);
  check_returns_before_completion(call, mgpu::wrap(thrust::cuda::par_nosync.on(s)), s);
  check_returns_before_completion(call, mgpu::par_nosync, cudaStreamLegacy);
  CHECK(call.has_result(6));
  small.load(6);
  check_returns_before_completion(small, mgpu::par_nosync.on(s), s);
  CHECK(small.has_result(6));
}

TEST_CASE("par returns after completion, and so does par_nosync where the size goes to the host") {
  const stream s;
  into_call<op::set_difference, form::by_key> call;
  call.load(1);
  check_returns_after_completion(call, mgpu::par.on(s), s);
  check_returns_after_completion(call, mgpu::par, cudaStreamLegacy);
  CHECK(call.has_result(1));
  waiting_call waiting;
  waiting_count counting;
  check_returns_after_completion(waiting, mgpu::par.on(s), s);
  check_returns_after_completion(waiting, mgpu::par_nosync.on(s), s);
  check_returns_after_completion(counting, mgpu::par_nosync.on(s), s);
  check_returns_after_completion(counting, mgpu::par_nosync, cudaStreamLegacy);
}

TEST_CASE("a call in one stream does not wait for another stream") {
  const into_call<op::set_union, form::by_key> first, second;
  const waiting_count counting;
  check_streams_are_apart(first, second, 5, [&](const auto& policy) { counting.run(policy); });
}

TEST_CASE("calls in two streams from two threads") {
  check_in_two_threads([](int thread, const stream& s) {
    const into_call<op::set_symmetric_difference, form::keys> keys;
    const into_call<op::set_intersection, form::by_key> by_key;
    bool all = true;
    for (int i = 0; i < 20; ++i) {
      const int seed = thread + i % 3;
      by_key.load(seed);
      require_cuda(cudaStreamSynchronize(cudaStreamLegacy));
      by_key.run(mgpu::par_nosync.on(s));
      all = runs_in(s, keys, i, seed) && by_key.has_result(seed) && all;
    }
    return all;
  });
}

TEST_CASE("the size to a pointer, a device_ptr and an iterator of a device_vector, of every integral type, captured") {
  const stream s;
  into_call<op::set_difference, form::keys> call;
  const auto check = [&](auto size_type, auto to_iterator) {
    using size_out = decltype(size_type);
    thrust::device_vector<size_out> size(3, size_out{9});
    call.load(0);
    require_cuda(cudaDeviceSynchronize());
    const graph captured(s, [&] { call.run_with(mgpu::par_nosync.on(s), to_iterator(size)); });
    for (const int seed : {0, 1, 6}) {
      call.load(seed);
      require_cuda(cudaDeviceSynchronize());
      captured.launch(s);
      s.wait();
      CHECK(call.has_elements(seed));
      CHECK(size[0] == size_out{9});
      CHECK(size[1] == static_cast<size_out>(call.size(seed)));
      CHECK(size[2] == size_out{9});
    }
  };
  const auto pointer = [](auto& v) { return thrust::raw_pointer_cast(v.data()) + 1; };
  const auto fancy_pointer = [](auto& v) {
    return thrust::device_pointer_cast(thrust::raw_pointer_cast(v.data())) + 1;
  };
  const auto iterator = [](auto& v) { return v.begin() + 1; };
  check(int{}, pointer);
  check(offset{}, pointer);
  check(std::size_t{}, pointer);
  check(std::uint32_t{}, pointer);
  check(int{}, fancy_pointer);
  check(std::size_t{}, iterator);
  check(offset{}, iterator);
}

TEST_CASE("memory of many calls in flight") {
  const stream s;
  std::vector<std::unique_ptr<into_call<op::set_union, form::by_key>>> calls;
  for (int i = 0; i < 8; ++i) calls.push_back(std::make_unique<into_call<op::set_union, form::by_key>>());
  for (int i = 0; i < 8; ++i) calls[static_cast<std::size_t>(i)]->load(i);
  require_cuda(cudaDeviceSynchronize());
  for (const auto& call : calls) call->run(mgpu::par_nosync.on(s));
  s.wait();
  for (int i = 0; i < 8; ++i) CHECK(calls[static_cast<std::size_t>(i)]->has_result(i));
}
