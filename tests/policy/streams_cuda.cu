// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// CUDA policies: in every spelling the merge runs in the stream named, with the allocator named.
#include "support/cuda.h"
#include "support/patterns.h"

#include <thrust/device_malloc_allocator.h>
#include <thrust/mr/allocator.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/pair.h>
#include <thrust/system/cuda/pointer.h>

#include <cstddef>

namespace {

using namespace test;

/// Not a stream, but converts to one.
struct stream_view {
  cudaStream_t stream;
  operator cudaStream_t() const { return stream; }
};

/// A memory resource, as thrust::cuda::par(&resource) takes it.
class logging_resource final : public thrust::mr::memory_resource<thrust::cuda::pointer<void>> {
 public:
  explicit logging_resource(allocation_log& log) : log_(log) {}
  pointer do_allocate(std::size_t bytes, std::size_t) override { return pointer(log_.allocate(bytes)); }
  void do_deallocate(pointer memory, std::size_t, std::size_t) override { log_.deallocate(memory.get()); }

 private:
  allocation_log& log_;
};

/// Another library's policy: its own stream, memory and synchronisation.
struct own_policy : thrust::cuda::execution_policy<own_policy> {
  cudaStream_t stream;
  allocation_log* log;
  int* stream_queries;

  own_policy(cudaStream_t s, allocation_log& l, int& queries) : stream(s), log(&l), stream_queries(&queries) {}

  friend cudaStream_t get_stream(own_policy& p) {
    ++*p.stream_queries;
    return p.stream;
  }
  template <class T>
  friend thrust::pair<T*, std::ptrdiff_t> get_temporary_buffer(own_policy& p, std::ptrdiff_t count) {
    void* const memory = p.log->allocate(static_cast<std::size_t>(count) * sizeof(T));
    return {static_cast<T*>(memory), count};
  }
  template <class Pointer>
  friend void return_temporary_buffer(own_policy& p, Pointer memory, std::ptrdiff_t) {
    p.log->deallocate(thrust::raw_pointer_cast(memory));
  }
};

/// The same with the older signature, which has no count, and without synchronisation.
struct older_policy : thrust::cuda::execution_policy<older_policy> {
  cudaStream_t stream;
  allocation_log* log;

  older_policy(cudaStream_t s, allocation_log& l) : stream(s), log(&l) {}

  friend cudaStream_t get_stream(older_policy& p) { return p.stream; }
  friend bool must_perform_optional_stream_synchronization(older_policy&) { return false; }
  template <class T>
  friend thrust::pair<T*, std::ptrdiff_t> get_temporary_buffer(older_policy& p, std::ptrdiff_t count) {
    void* const memory = p.log->allocate(static_cast<std::size_t>(count) * sizeof(T));
    return {static_cast<T*>(memory), count};
  }
  template <class Pointer>
  friend void return_temporary_buffer(older_policy& p, Pointer memory) {
    p.log->deallocate(thrust::raw_pointer_cast(memory));
  }
};

/// As RAPIDS builds its policies: an allocator over Thrust's, and a class over the policy of Thrust with it.
struct device_allocator : thrust::device_malloc_allocator<char> {
  cudaStream_t stream;
  allocation_log* log;

  device_allocator(cudaStream_t s, allocation_log& l) : stream(s), log(&l) {}
  pointer allocate(size_type bytes) { return thrust::device_pointer_cast(log->allocate(bytes)); }
  void deallocate(pointer memory, size_type) { log->deallocate(thrust::raw_pointer_cast(memory)); }
};
using policy_with_allocator =
    thrust::detail::execute_with_allocator<device_allocator, thrust::cuda_cub::execute_on_stream_nosync_base>;
struct exec_policy_nosync : policy_with_allocator {
  exec_policy_nosync(cudaStream_t s, allocation_log& log)
      : policy_with_allocator(thrust::cuda::par_nosync(device_allocator(s, log)).on(s)) {}
};

/// The merge runs in stream order, and its scratch comes from the log's allocator, if one is named.
template <class Policy>
void check_policy(const Policy& policy, cudaStream_t s, allocation_log* log = nullptr) {
  large_merge merge;
  check_in_stream(merge, policy, s, 1);
  if (log != nullptr) {
    CHECK(log->allocations > 0);
    CHECK(log->is_balanced());
    *log = {};
  }
}

}  // namespace

TEST_CASE("par and par_nosync, on the default stream and on one of the caller's") {
  const stream s;
  check_policy(mgpu::par, cudaStreamLegacy);
  check_policy(mgpu::par_nosync, cudaStreamLegacy);
  check_policy(mgpu::par.on(s), s);
  check_policy(mgpu::par_nosync.on(s), s);
  check_policy(mgpu::par.on(stream_view{s}), s);
  check_policy(mgpu::par_nosync.on(0), cudaStreamLegacy);
  check_policy(mgpu::par.on(cudaStreamPerThread), cudaStreamPerThread);
  const auto policy = mgpu::par.on(s);
  auto policy_nosync = mgpu::par_nosync.on(s);
  for (int i = 0; i < 2; ++i) {
    check_policy(policy, s);
    check_policy(policy_nosync, s);
  }
  const auto copy = mgpu::par;
  check_policy(copy, cudaStreamLegacy);
}

TEST_CASE("par(allocator) and par(allocator).on(stream)") {
  const stream s;
  allocation_log log;
  logging_allocator allocator{&log};
  const logging_allocator const_allocator{&log};
  check_policy(mgpu::par(allocator), cudaStreamLegacy, &log);
  check_policy(mgpu::par(const_allocator), cudaStreamLegacy, &log);
  check_policy(mgpu::par(logging_allocator{&log}), cudaStreamLegacy, &log);
  check_policy(mgpu::par(allocator).on(s), s, &log);
  check_policy(mgpu::par(logging_allocator{&log}).on(s), s, &log);
  check_policy(mgpu::par_nosync(allocator), cudaStreamLegacy, &log);
  check_policy(mgpu::par_nosync(allocator).on(s), s, &log);
  check_policy(mgpu::par(device_allocator(s, log)).on(s), s, &log);
  const auto policy = mgpu::par(allocator).on(stream_view{s});
  auto policy_nosync = mgpu::par_nosync(allocator).on(s);
  check_policy(policy, s, &log);
  check_policy(policy_nosync, s, &log);
}

TEST_CASE("par(&memory_resource)") {
  const stream s;
  allocation_log log;
  logging_resource resource(log);
  check_policy(mgpu::par(&resource), cudaStreamLegacy, &log);
  check_policy(mgpu::par_nosync(&resource).on(s), s, &log);
}

TEST_CASE("wrap(policy of Thrust)") {
  const stream s;
  allocation_log log;
  logging_allocator allocator{&log};
  check_policy(mgpu::wrap(thrust::cuda::par), cudaStreamLegacy);
  check_policy(mgpu::wrap(thrust::cuda::par_nosync), cudaStreamLegacy);
  check_policy(mgpu::wrap(thrust::cuda::par.on(s)), s);
  check_policy(mgpu::wrap(thrust::cuda::par_nosync.on(s)), s);
  check_policy(mgpu::wrap(thrust::cuda::par(allocator)), cudaStreamLegacy, &log);
  check_policy(mgpu::wrap(thrust::cuda::par_nosync(allocator).on(s)), s, &log);
  const auto of_thrust = thrust::cuda::par(allocator).on(s);
  const auto policy = mgpu::wrap(of_thrust);
  check_policy(policy, s, &log);
}

TEST_CASE("wrap(policy of another library)") {
  const stream s;
  allocation_log log;
  int stream_queries = 0;
  const own_policy own(s, log, stream_queries);
  check_policy(mgpu::wrap(own), s, &log);
  CHECK(stream_queries > 0);
  check_policy(mgpu::wrap(older_policy(s, log)), s, &log);
  check_policy(mgpu::wrap(exec_policy_nosync(s, log)), s, &log);
}

TEST_CASE("small inputs take no scratch") {
  allocation_log log;
  const input<cuda_executor, int> a({1, 3, 5}), b({2, 4, 6, 8});
  const output<cuda_executor, int> out(7);
  mgpu::merge(mgpu::par(logging_allocator{&log}), a.begin(), a.end(), b.begin(), b.end(), out.begin());
  CHECK(out.first_difference({1, 2, 3, 4, 5, 6, 8}) == -1);
  CHECK(log.allocations == 0);
}

TEST_CASE("an allocator that refuses: an exception, nothing leaked, the inputs as they were, and the next call works") {
  const stream s;
  large_merge merge;
  merge.load(7);
  allocation_log log;
  logging_allocator allocator{&log};
  const auto check = [&](const auto& policy) {
    log = {};
    merge.run(policy);
    s.wait();
    const int needed = log.allocations;
    CHECK(needed > 0);
    for (int n = 0; n < needed; ++n) {
      log = {};
      log.allowed = n;
      CHECK_THROWS_AS(merge.run(policy), std::bad_alloc);
      s.wait();
      CHECK(log.is_balanced());
      CHECK(log.allocations == n);
      CHECK(merge.inputs_hold(7));
      CHECK(cudaGetLastError() == cudaSuccess);
      log.allowed = 1 << 30;
      merge.load(8);
      merge.run(policy);
      s.wait();
      CHECK(log.is_balanced());
      CHECK(merge.has_result(8));
      merge.load(7);
    }
  };
  check(mgpu::par(allocator).on(s));
  check(mgpu::par_nosync(allocator).on(s));
  check(mgpu::wrap(thrust::cuda::par(allocator).on(s)));
  check(mgpu::wrap(older_policy(s, log)));
}

TEST_CASE("the CPU policies in a CUDA program, with a comparator that only the host can call") {
  std::mt19937 random(3);
  const auto a = sorted_keys<int>(pattern::random, 0, 50000, 70000, random);
  const auto b = sorted_keys<int>(pattern::random, 1, 70000, 50000, random);
  std::vector<int> out(a.size() + b.size()), expected(out.size());
  const auto less = [](int x, int y) { return x < y; };
  mgpu::merge(mgpu::cpp::par, a.begin(), a.end(), b.begin(), b.end(), out.begin(), less);
  std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
  CHECK(out == expected);
}
