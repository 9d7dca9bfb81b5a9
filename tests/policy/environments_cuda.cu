// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Streams, memory resources and environments of CCCL in the place of a policy, each kind that the version of CCCL has.
#include "support/async.h"
#include "support/cuda.h"

#include <mgpu/interval.h>
#include <mgpu/join.h>
#include <mgpu/merge_runs.h>
#include <mgpu/par.h>
#include <mgpu/segmented_sort.h>
#include <mgpu/set_operations.h>
#include <mgpu/sort.h>
#include <mgpu/sorted_search.h>

#if CCCL_VERSION >= 3002000
#include <cuda/memory_resource>
#include <cuda/stream>
#elif CCCL_VERSION >= 3001000
#include <cuda/memory_resource>
#include <cuda/stream_ref>
#else
#include <cuda/stream_ref>
#endif
#if CCCL_VERSION >= 3004000
#include <cuda/execution>
#endif

#include <algorithm>
#include <cstddef>
#include <vector>

namespace {

using namespace test;

/// What the memory resources of a test have done together.
struct resource_log {
  int allocations = 0, deallocations = 0;
  cudaStream_t stream = nullptr;  // the last one

  void* allocate(cudaStream_t s, std::size_t bytes) {
    void* memory = nullptr;
    require_cuda(cudaMallocAsync(&memory, bytes, s));
    ++allocations;
    stream = s;
    return memory;
  }
  void deallocate(cudaStream_t s, void* memory) {
    CHECK(s == stream);
    ++deallocations;
    require_cuda(cudaFreeAsync(memory, s));
  }
};

/// A memory resource as CCCL 3.1 and newer have them.
struct resource {
  resource_log* log;

  void* allocate(cuda::stream_ref s, std::size_t bytes, std::size_t) { return log->allocate(s.get(), bytes); }
  void deallocate(cuda::stream_ref s, void* memory, std::size_t, std::size_t) { log->deallocate(s.get(), memory); }
#if CCCL_VERSION >= 3001000
  void* allocate_sync(std::size_t bytes, std::size_t) { return log->allocate(nullptr, bytes); }
  void deallocate_sync(void* memory, std::size_t, std::size_t) { log->deallocate(nullptr, memory); }
  bool operator==(const resource& other) const { return log == other.log; }
  bool operator!=(const resource& other) const { return log != other.log; }
  friend void get_property(const resource&, cuda::mr::device_accessible) noexcept {}
#endif
};

/// One as older versions have them.
struct older_resource {
  resource_log* log;

  void* allocate_async(std::size_t bytes, std::size_t, cuda::stream_ref s) { return log->allocate(s.get(), bytes); }
  void deallocate_async(void* memory, std::size_t, std::size_t, cuda::stream_ref s) {
    log->deallocate(s.get(), memory);
  }
};

/// Environments of a caller's.
struct own_stream {
  cudaStream_t stream;
  cuda::stream_ref get_stream() const noexcept { return stream; }
};
struct own_resource {
  resource memory;
  const resource& get_memory_resource() const noexcept { return memory; }
};
struct own_environment : own_stream, own_resource {};

/// Calls f(policy, stream, log): log is null if the policy's scratch does not come from it.
template <class F>
void for_each_asynchronous(cudaStream_t s, resource_log& log, const F& f) {
  resource memory{&log};
  const resource constant_memory{&log};
  older_resource older{&log};
  const cuda::stream_ref ref{s};
  resource_log* const none = nullptr;
  f(ref, s, none);
  f(mgpu::wrap(s), s, none);
  f(mgpu::wrap(ref), s, none);
  f(mgpu::wrap(memory), cudaStreamLegacy, &log);
  f(mgpu::wrap(s, memory), s, &log);
  f(mgpu::wrap(ref, resource{&log}), s, &log);
  f(mgpu::wrap(ref, constant_memory), s, &log);
  f(mgpu::wrap(s, older), s, &log);
  f(own_stream{s}, s, none);
  f(own_resource{memory}, cudaStreamLegacy, &log);
  f(own_environment{{s}, {memory}}, s, &log);
  f(mgpu::wrap(own_environment{{s}, {memory}}), s, &log);
#if CCCL_VERSION >= 3001000
  using cuda::std::execution::env;
  using cuda::std::execution::prop;
  cuda::mr::resource_ref<cuda::mr::device_accessible> memory_ref{memory};
  f(mgpu::wrap(s, memory_ref), s, &log);
  f(mgpu::wrap(s, cuda::mr::resource_ref<cuda::mr::device_accessible>{memory}), s, &log);
  f(env<>{}, cudaStreamLegacy, none);
  f(prop{cuda::get_stream, ref}, s, none);
  f(env{prop{cuda::get_stream, ref}}, s, none);
  f(env{prop{cuda::mr::get_memory_resource, memory}}, cudaStreamLegacy, &log);
  f(env{prop{cuda::get_stream, ref}, prop{cuda::mr::get_memory_resource, memory_ref}}, s, &log);
  f(mgpu::wrap(env{prop{cuda::get_stream, ref}, prop{cuda::mr::get_memory_resource, memory}}), s, &log);
#endif
#if CCCL_VERSION >= 3002000
  const cuda::mr::any_resource<cuda::mr::device_accessible> any_memory{memory};
  f(mgpu::wrap(s, any_memory), s, &log);
  f(env{prop{cuda::get_stream, ref}, prop{cuda::mr::get_memory_resource, any_memory}}, s, &log);
#endif
}

template <class F>
void for_each_synchronous(cudaStream_t s, resource_log& log, const F& f) {
#if CCCL_VERSION >= 3004000
  resource memory{&log};
  resource_log* const none = nullptr;
  f(cuda::execution::gpu, cudaStreamLegacy, none);
  f(cuda::execution::gpu.with(cuda::stream_ref{s}), s, none);
  f(mgpu::wrap(cuda::execution::gpu.with(cuda::stream_ref{s})), s, none);
  f(cuda::execution::gpu.with(cuda::stream_ref{s}).with(memory), s, &log);
#else
  static_cast<void>(s), static_cast<void>(log), static_cast<void>(f);
#endif
}

/// One call of each family, with its result.
struct each_family {
  static constexpr int count = 1000;
  using numbers = std::vector<int>;
  input<cuda_executor, int> a{numbers_from(0)}, b{numbers_from(500)};
  input<cuda_executor, mgpu::offset> offsets{{0, 300, 1000}};
  output<cuda_executor, int> merged{2 * count}, united{2 * count}, sorted{count}, in_segments{count}, runs{count},
      expanded{count};
  output<cuda_executor, mgpu::offset> found{count};

  static numbers numbers_from(int first) {
    numbers result(count);
    for (int i = 0; i < count; ++i) result[static_cast<std::size_t>(i)] = first + i;
    return result;
  }
  template <class Policy>
  void check(const Policy& p, cudaStream_t s) const {
    const auto copy = [](const auto& to, const auto& from) {
      require_cuda(cudaMemcpy(to.begin(), from.begin(), count * sizeof(int), cudaMemcpyDefault));
    };
    copy(sorted, b);
    copy(in_segments, b);
    require_cuda(cudaDeviceSynchronize());
    mgpu::merge(p, a.begin(), a.end(), b.begin(), b.end(), merged.begin());
    const auto united_end = mgpu::set_union(p, a.begin(), a.end(), b.begin(), b.end(), united.begin());
    CHECK(united_end - united.begin() == 1500);
    CHECK(mgpu::inner_join_size(p, a.begin(), a.end(), b.begin(), b.end()) == 500);
    mgpu::stable_sort(p, sorted.begin(), sorted.end(), cuda::std::greater<>{});
    mgpu::stable_segmented_sort(p, in_segments.begin(), in_segments.end(), mgpu::segment_offsets(offsets.begin(), 2),
                                cuda::std::greater<>{});
    mgpu::merge_runs(p, a.begin(), a.end(), mgpu::run_offsets(offsets.begin(), 2), runs.begin());
    mgpu::interval_expand(p, mgpu::interval_offsets(offsets.begin(), 2, count), a.begin(), expanded.begin());
    mgpu::lower_bound_sorted_values(p, a.begin(), a.end(), b.begin(), b.end(), found.begin());
    require_cuda(cudaStreamSynchronize(s));
    numbers expected = numbers_from(0);
    CHECK(runs.first_difference(expected) == -1);
    expected = numbers_from(500);
    std::reverse(expected.begin(), expected.end());
    CHECK(sorted.first_difference(expected) == -1);
    std::rotate(expected.begin(), expected.begin() + 700, expected.end());
    CHECK(in_segments.first_difference(expected) == -1);
    std::fill(expected.begin(), expected.begin() + 300, 0);
    std::fill(expected.begin() + 300, expected.end(), 1);
    CHECK(expanded.first_difference(expected) == -1);
    std::vector<mgpu::offset> places(count);
    for (int i = 0; i < count; ++i) places[static_cast<std::size_t>(i)] = std::min(500 + i, count);
    CHECK(found.first_difference(places) == -1);
  }
};

}  // namespace

TEST_CASE("a call runs in the stream that is answered, with memory of the resource that is answered") {
  const stream s;
  resource_log log;
  large_merge merge;
  const auto check = [&](const auto& policy, cudaStream_t in, resource_log* memory) {
    check_in_stream(merge, policy, in, 1);
    if (memory != nullptr) {
      CHECK(memory->allocations > 0);
      CHECK(memory->allocations == memory->deallocations);
    }
    log = {};
  };
  for_each_asynchronous(s, log, check);
  for_each_synchronous(s, log, check);
}

TEST_CASE("a call with a stream or an environment returns before completion, one with cuda::execution::gpu after") {
  const stream s;
  resource_log log;
  large_merge merge;
  merge.load(4);
  for_each_asynchronous(s, log, [&](const auto& policy, cudaStream_t in, resource_log*) {
    check_returns_before_completion(merge, policy, in);
  });
  for_each_synchronous(s, log, [&](const auto& policy, cudaStream_t in, resource_log*) {
    check_returns_after_completion(merge, policy, in);
  });
  CHECK(merge.has_result(4));
}

TEST_CASE("a call with a stream or an environment can be captured") {
  const stream s;
  resource_log log;
  for_each_asynchronous(s, log, [&](const auto& policy, cudaStream_t in, resource_log*) {
    if (in == s) check_capture(large_merge(), policy, s, {1});
  });
}

TEST_CASE("each family takes a stream and an environment") {
  const stream s;
  resource_log log;
  const each_family calls;
  calls.check(cuda::stream_ref{s}, s);
  calls.check(own_environment{{s}, {{&log}}}, s);
  CHECK(log.allocations > 0);
  CHECK(log.allocations == log.deallocations);
  for_each_synchronous(s, log, [&](const auto& policy, cudaStream_t in, resource_log*) { calls.check(policy, in); });
}
