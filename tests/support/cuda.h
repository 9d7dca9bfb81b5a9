// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the tests of CUDA policies share: streams, work that is late, graphs, allocators that count, a merge to run.

#include "arrays.h"
#include "check_merge.h"

#include <thrust/system/cuda/execution_policy.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

namespace test {

/// A stream that does not wait for the default stream.
class stream {
 public:
  stream() { require_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~stream() { cudaStreamDestroy(stream_); }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;

  operator cudaStream_t() const { return stream_; }
  void wait() const { require_cuda(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_;
};

/// Copies what calls.for_each_input(seed, f) names to where the calls find it.
template <class Calls>
void load_inputs(const Calls& calls, int seed) {
  calls.for_each_input(seed,
                       [](void* to, const void* from, std::size_t bytes) { cuda_executor::copy_in(to, from, bytes); });
}

/// The base of calls whose data are all inputs.
template <class Calls>
struct loads_inputs {
  /// Puts the data of `seed` where the calls find it.
  void load(int seed) const {
    load_inputs(static_cast<const Calls&>(*this), seed);
    require_cuda(cudaDeviceSynchronize());
  }
};

/// Keeps the stream busy for about 10 ms.
static __global__ void be_late() {
  for (const long long begin = clock64(); clock64() - begin < 20'000'000;) {
  }
}

/// Keeps the stream busy until `go` is set, at most a few seconds, and then sets `done`.
static __global__ void wait_for(volatile int* go, volatile int* done) {
  for (const long long begin = clock64(); *go == 0 && clock64() - begin < 6'000'000'000;) {
  }
  *done = 1;
}

static __global__ void set(volatile int* done) { *done = 1; }

/// Holds a stream up until the host says go.
class gate {
 public:
  gate() {
    require_cuda(cudaHostAlloc(&flags_, 2 * sizeof(int), cudaHostAllocMapped));
    flags_[0] = flags_[1] = 0;
  }
  ~gate() {
    open();
    cudaDeviceSynchronize();
    cudaFreeHost(const_cast<int*>(flags_));
  }
  gate(const gate&) = delete;
  gate& operator=(const gate&) = delete;

  void hold(cudaStream_t s) { wait_for<<<1, 1, 0, s>>>(flags_, flags_ + 1); }
  void open() { flags_[0] = 1; }
  bool passed() const { return flags_[1] != 0; }

 private:
  volatile int* flags_;  // [2]
};

/// Records what f puts into a stream as a graph.
class graph {
 public:
  template <class F>
  graph(cudaStream_t s, const F& f) {
    require_cuda(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    try {
      f();
    } catch (...) {
      cudaStreamEndCapture(s, &graph_);
      cudaGetLastError();
      throw;
    }
    require_cuda(cudaStreamEndCapture(s, &graph_));
    require_cuda(cudaGetLastError());
    require_cuda(cudaGraphInstantiate(&executable_, graph_, 0));
  }
  ~graph() {
    cudaGraphExecDestroy(executable_);
    cudaGraphDestroy(graph_);
  }
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;

  void launch(cudaStream_t s) const { require_cuda(cudaGraphLaunch(executable_, s)); }

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

/// What an allocator has done; it refuses from its `allowed`-th allocation on.
struct allocation_log {
  int allocations = 0, deallocations = 0;
  int allowed = 1 << 30;
  cudaStream_t watched = nullptr;
  bool was_busy = false;  // the watched stream, when memory was given back

  char* allocate(std::size_t bytes) {
    if (allocations >= allowed) throw std::bad_alloc();
    void* memory = nullptr;
    require_cuda(cudaMalloc(&memory, bytes));
    ++allocations;
    return static_cast<char*>(memory);
  }
  void deallocate(void* memory) {
    ++deallocations;
    if (watched != nullptr && cudaStreamQuery(watched) == cudaErrorNotReady) {
      was_busy = true;
      cudaGetLastError();
    }
    require_cuda(cudaFree(memory));
  }
  bool is_balanced() const { return allocations == deallocations; }
};

/// The least that thrust::cuda::par(allocator) takes.
struct logging_allocator {
  using value_type = char;
  allocation_log* log;

  char* allocate(std::ptrdiff_t bytes) { return log->allocate(static_cast<std::size_t>(bytes)); }
  void deallocate(char* memory, std::size_t) { log->deallocate(memory); }
};

/// A merge that takes scratch, with different data for each seed.
class large_merge {
 public:
  using key = std::uint8_t;

  large_merge()
      : count_(first_executor::items_beyond_single_launch<core_of<key, void>::type>() / 2),
        a_(std::vector<key>(count_)),
        b_(std::vector<key>(count_)),
        a_late_(std::vector<key>(count_)),
        b_late_(std::vector<key>(count_)),
        out_(2 * count_),
        fresh_(out_.read()) {}

  /// Puts the data of `seed` where the merge reads it: in stream order, and late.
  void load_late(int seed, cudaStream_t s) {
    cuda_executor::copy_in(a_late_.begin(), keys(seed).data(), count_);
    cuda_executor::copy_in(b_late_.begin(), keys(seed + 100).data(), count_);
    be_late<<<1, 1, 0, s>>>();
    require_cuda(cudaMemcpyAsync(a_.begin(), a_late_.begin(), count_, cudaMemcpyDeviceToDevice, s));
    require_cuda(cudaMemcpyAsync(b_.begin(), b_late_.begin(), count_, cudaMemcpyDeviceToDevice, s));
  }
  /// Puts the data of `seed` where the merge reads it, and other elements where it writes.
  void load(int seed) const {
    cuda_executor::copy_in(a_.begin(), keys(seed).data(), count_);
    cuda_executor::copy_in(b_.begin(), keys(seed + 100).data(), count_);
    cuda_executor::copy_in(out_.begin(), fresh_.data(), fresh_.size());
  }

  template <class Policy>
  void run(const Policy& policy) const {
    const auto end = mgpu::merge(policy, a_.begin(), a_.end(), b_.begin(), b_.end(), out_.begin());
    CHECK(end == out_.end());
  }

  /// Requires that the merge has finished.
  bool has_result(int seed) const {
    if (!inputs_hold(seed)) return false;
    const auto a = keys(seed), b = keys(seed + 100);
    std::vector<key> expected(a.size() + b.size());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
    return out_.first_difference(expected) == -1;
  }
  bool has_not_run(int) const { return out_.read() == fresh_; }
  bool inputs_hold(int seed) const { return holds(a_, keys(seed)) && holds(b_, keys(seed + 100)); }

 private:
  /// count_ ascending keys; how many there are of each depends on the seed.
  std::vector<key> keys(int seed) const {
    std::vector<key> result(count_);
    std::size_t begin = 0;
    for (std::size_t i = 0; i < 256; ++i) {
      const std::size_t end =
          i == 255 ? result.size()
                   : std::min(result.size(), begin + 1 + (i * 7919 + seed * 104729u) % (result.size() / 130));
      std::fill(result.begin() + static_cast<offset>(begin), result.begin() + static_cast<offset>(end),
                static_cast<key>(i));
      begin = end;
    }
    return result;
  }
  bool holds(const input<cuda_executor, key>& x, const std::vector<key>& expected) const {
    std::vector<key> now(expected.size());
    cuda_executor::copy_out(now.data(), x.begin(), now.size());
    return now == expected;
  }

  offset count_;
  input<cuda_executor, key> a_, b_, a_late_, b_late_;
  output<cuda_executor, key> out_;
  std::vector<key> fresh_;
};

/// Runs the merge on data that comes late in the policy's stream.
template <class Policy>
void check_in_stream(large_merge& merge, const Policy& policy, cudaStream_t s, int seed) {
  merge.load_late(seed, s);
  merge.run(policy);
  require_cuda(cudaStreamSynchronize(s));
  CHECK(merge.has_result(seed));
  CHECK(cudaGetLastError() == cudaSuccess);
}

/// A call, work.run(policy), comes back while its stream is held up.
template <class Work, class Policy>
void check_returns_before_completion(Work& work, const Policy& policy, cudaStream_t s) {
  work.run(policy);  // loads the kernels, which waits for the device
  require_cuda(cudaDeviceSynchronize());
  gate g;
  g.hold(s);
  work.run(policy);
  CHECK_FALSE(g.passed());
  g.open();
  require_cuda(cudaStreamSynchronize(s));
  CHECK(g.passed());
}

/// A call, work.run(policy), comes back after everything in its stream.
template <class Work, class Policy>
void check_returns_after_completion(Work& work, const Policy& policy, cudaStream_t s) {
  work.run(policy);
  require_cuda(cudaDeviceSynchronize());
  gate g;
  g.open();
  be_late<<<1, 1, 0, s>>>();
  g.hold(s);  // which is open
  work.run(policy);
  CHECK(g.passed());
}

}  // namespace test
