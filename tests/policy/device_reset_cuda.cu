// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls after cudaDeviceReset, from several threads, and on a device that says that it has no memory pools.
// device_state_cuda.cu has the single parts.
#include "support/cuda.h"

#include <mgpu/interval.h>
#include <mgpu/locality_sort.h>
#include <mgpu/set_operations.h>

#include <thrust/iterator/counting_iterator.h>

#include <cstring>
#include <numeric>
#include <thread>

namespace {

bool has_pools = true;
int pools_created = 0;

}  // namespace

extern "C" {
cudaError_t __real_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t __wrap_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (attribute == cudaDevAttrMemoryPoolsSupported && !has_pools) return *value = 0, cudaSuccess;
  return __real_cudaDeviceGetAttribute(value, attribute, device);
}
cudaError_t __real_cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties);
cudaError_t __wrap_cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  ++pools_created;
  return has_pools ? __real_cudaMemPoolCreate(pool, properties) : cudaErrorNotSupported;
}
cudaError_t __real_cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t pool, cudaStream_t s);
cudaError_t __wrap_cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t pool, cudaStream_t s) {
  return has_pools ? __real_cudaMallocFromPoolAsync(memory, bytes, pool, s) : cudaErrorNotSupported;
}
cudaError_t __real_cudaFreeAsync(void* memory, cudaStream_t s);
cudaError_t __wrap_cudaFreeAsync(void* memory, cudaStream_t s) {
  return has_pools ? __real_cudaFreeAsync(memory, s) : cudaErrorNotSupported;
}
}

namespace {

using namespace test;

/// The size of a set operation comes back in pinned memory; its inputs take no memory, so that nothing has been asked
/// of the device before it.
template <class Policy>
void count_a_union(const Policy& policy) {
  const thrust::counting_iterator<int> zero(0);
  CHECK(mgpu::set_union_size(policy, zero, zero + 100000, zero + 50000, zero + 150000) == 150000);
}

/// Tiles of keys and values of 8 bytes take more shared memory than a kernel has unasked.
template <class Policy>
void merge_wide(const Policy& policy, cudaStream_t s) {
  std::vector<long long> a(10000), expected(2 * a.size());
  std::iota(a.begin(), a.end(), 0);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<long long>(i / 2);
  const input<cuda_executor, long long> keys(a);
  const output<cuda_executor, long long> keys_out(static_cast<offset>(expected.size())),
      values_out(static_cast<offset>(expected.size()));
  mgpu::merge_by_key(policy, keys.begin(), keys.end(), keys.begin(), keys.end(), keys.begin(), keys.begin(),
                     keys_out.begin(), values_out.begin());
  require_cuda(cudaStreamSynchronize(s));
  CHECK(keys_out.first_difference(expected) == -1);
  CHECK(values_out.first_difference(expected) == -1);
}

/// Both know of bad input by a word in pinned memory.
template <class Policy>
void sort_and_expand(const Policy& policy, cudaStream_t s) {
  std::vector<int> reversed(50000), sorted(reversed.size()), counts(1000, 50), expected(50000);
  std::iota(reversed.rbegin(), reversed.rend(), 0);
  std::iota(sorted.begin(), sorted.end(), 0);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<int>(i / 50);
  const input<cuda_executor, int> keys(reversed), lengths(counts), values(sorted);
  const output<cuda_executor, int> out(static_cast<offset>(expected.size()));
  mgpu::locality_sort(policy, keys.begin(), keys.end());
  mgpu::interval_expand(policy, mgpu::interval_counts(lengths.begin(), lengths.end()), values.begin(), out.begin());
  require_cuda(cudaStreamSynchronize(s));
  std::vector<int> now(sorted.size());
  cuda_executor::copy_out(now.data(), keys.begin(), now.size() * sizeof(int));
  CHECK(now == sorted);
  CHECK(out.first_difference(expected) == -1);
}

template <class Policy>
void merge_with_scratch(const Policy& policy, cudaStream_t s) {
  large_merge merge;
  merge.load(3);
  merge.run(policy);
  require_cuda(cudaStreamSynchronize(s));
  CHECK(merge.has_result(3));
}

/// All that the library keeps on a device is used; no memory of a test's is left when this returns.
void use_library() {
  count_a_union(mgpu::par);
  merge_wide(mgpu::par, cudaStreamLegacy);
  sort_and_expand(mgpu::par, cudaStreamLegacy);
  merge_with_scratch(mgpu::par, cudaStreamLegacy);
  const stream s;
  count_a_union(mgpu::par_nosync.on(s));
  merge_wide(mgpu::par_nosync.on(s), s);
  sort_and_expand(mgpu::par_nosync.on(s), s);
  merge_with_scratch(mgpu::par_nosync.on(s), s);
  CHECK(cudaGetLastError() == cudaSuccess);
}

}  // namespace

TEST_CASE("calls after cudaDeviceReset, again and again") {
  for (int life = 0; life < 3; ++life) {
    use_library();
    require_cuda(cudaDeviceReset());
  }
  use_library();
}

TEST_CASE("calls of another thread after cudaDeviceReset, and of one that has used the device before") {
  use_library();
  require_cuda(cudaDeviceReset());
  std::thread(use_library).join();
  use_library();
}

TEST_CASE("after cudaDeviceReset pinned memory of the caller's may lie where the library's was") {
  use_library();
  require_cuda(cudaDeviceReset());
  constexpr int bytes = 4096;
  std::vector<char*> pages(32);
  for (char*& page : pages) {
    require_cuda(cudaHostAlloc(reinterpret_cast<void**>(&page), bytes, cudaHostAllocDefault));
    std::memset(page, 42, bytes);
  }
  use_library();
  for (char* const page : pages) {
    CHECK(std::count(page, page + bytes, 42) == bytes);
    require_cuda(cudaFreeHost(page));
  }
}

TEST_CASE("all threads use one memory pool") {
  require_cuda(cudaDeviceReset());
  pools_created = 0;
  use_library();
  for (int i = 0; i < 3; ++i) std::thread(use_library).join();
  CHECK(pools_created == 1);
}

// Last in the file: that a device has no pools is remembered.
TEST_CASE("a device without memory pools: the same results, no capture of a call that takes scratch") {
  require_cuda(cudaDeviceReset());
  has_pools = false;
  pools_created = 0;
  use_library();
  CHECK(pools_created == 0);
  const stream s;
  large_merge merge;
  CHECK_THROWS_AS(graph(s, [&] { merge.run(mgpu::par_nosync.on(s)); }), mgpu::cuda_error);
  CHECK(cudaGetLastError() == cudaSuccess);
  merge.load(4);
  merge.run(mgpu::par_nosync.on(s));
  s.wait();
  CHECK(merge.has_result(4));
}
