// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The capture mode of a thread while the library waits, allocates or sets up. The CUDA runtime is imitated: it
// refuses what may be unsafe to a thread whose mode is global, as if another thread captured a stream. Launches, and
// what CUB asks of a kernel before are safe. Allocations in the order of a stream that is not captured are not. Kernels
// do not run. So this runs, and can fail, without a GPU.
#include <mgpu/mgpu.h>
#include <mgpu/par.h>

#include <doctest/doctest.h>

#include <cuda.h>

#include <cstddef>
#include <exception>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace {

/// What the imitated runtime knows of a thread.
thread_local cudaStreamCaptureMode mode_of_thread = cudaStreamCaptureModeGlobal;
thread_local std::vector<cudaStreamCaptureMode> modes_of_unsafe_calls;

int device = 0;
bool has_pools = true, waits_fail = false;
alignas(256) char memory[1 << 20];
char* next_free = memory;

cudaError_t unsafe_call() {
  modes_of_unsafe_calls.push_back(mode_of_thread);
  return mode_of_thread == cudaStreamCaptureModeGlobal ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}
cudaError_t allocated(void** to, std::size_t bytes) {
  *to = next_free;
  next_free += (bytes + 255) / 256 * 256;
  return next_free <= memory + sizeof(memory) ? cudaSuccess : cudaErrorMemoryAllocation;
}

CUresult imitated_attributes(unsigned count, CUpointer_attribute* attributes, void** results, CUdeviceptr address) {
  for (unsigned i = 0; i < count; ++i) {
    if (attributes[i] == CU_POINTER_ATTRIBUTE_BUFFER_ID) *static_cast<unsigned long long*>(results[i]) = address;
    else *static_cast<unsigned*>(results[i]) = CU_MEMORYTYPE_HOST;
  }
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {
cudaError_t __wrap_cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  const cudaStreamCaptureMode before = mode_of_thread;
  mode_of_thread = *mode;
  return *mode = before, cudaSuccess;
}
cudaError_t __wrap_cudaGetDeviceCount(int* count) { return *count = 2, cudaSuccess; }
cudaError_t __wrap_cudaGetDevice(int* number) { return *number = device, cudaSuccess; }
cudaError_t __wrap_cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t __wrap_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  *value = attribute == cudaDevAttrMemoryPoolsSupported ? has_pools : 1;
  return cudaSuccess;
}
cudaError_t __wrap_cudaGetDriverEntryPointByVersion(const char*, void** function, unsigned, unsigned long long,
                                                    cudaDriverEntryPointQueryResult*) {
  return *function = reinterpret_cast<void*>(imitated_attributes), cudaSuccess;
}
cudaError_t __wrap_cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
  return *status = cudaStreamCaptureStatusNone, cudaSuccess;
}
cudaError_t __wrap_cudaMallocFromPoolAsync(void** to, std::size_t bytes, cudaMemPool_t, cudaStream_t) {
  const cudaError_t code = unsafe_call();
  return code != cudaSuccess ? code : allocated(to, bytes);
}
cudaError_t __wrap_cudaFreeAsync(void*, cudaStream_t) { return unsafe_call(); }
cudaError_t __wrap_cudaMemcpyAsync(void*, const void*, std::size_t, cudaMemcpyKind, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t __wrap_cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }

cudaError_t __wrap_cudaHostAlloc(void** to, std::size_t bytes, unsigned) {
  const cudaError_t code = unsafe_call();
  return code != cudaSuccess ? code : allocated(to, bytes);
}
cudaError_t __wrap_cudaMalloc(void** to, std::size_t bytes) {
  const cudaError_t code = unsafe_call();
  return code != cudaSuccess ? code : allocated(to, bytes);
}
cudaError_t __wrap_cudaFree(void*) { return unsafe_call(); }
cudaError_t __wrap_cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*) {
  *pool = reinterpret_cast<cudaMemPool_t>(memory);
  return unsafe_call();
}
cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t) {
  const cudaError_t code = unsafe_call();
  return waits_fail ? cudaErrorLaunchFailure : code;
}
cudaError_t __wrap_cudaPeekAtLastError() { return cudaSuccess; }
cudaError_t __wrap_cudaGetLastError() { return cudaSuccess; }
cudaError_t __wrap_cudaLaunchKernel(const void*, dim3, dim3, void**, std::size_t, cudaStream_t) { return cudaSuccess; }
cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**) { return cudaSuccess; }
cudaError_t __wrap_cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {};
  attributes->ptxVersion = 90;
  return cudaSuccess;
}
cudaError_t __wrap_cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return unsafe_call(); }
cudaError_t __wrap_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int, std::size_t,
                                                                          unsigned) {
  *blocks = 1;
  return cudaSuccess;
}
}

namespace {

using mgpu::offset;

struct refusing_allocator {
  using value_type = char;
  char* allocate(std::ptrdiff_t) { throw std::bad_alloc(); }
  void deallocate(char*, std::size_t) { std::terminate(); }
};

/// Calls that launch, wait, read a size back and take scratch memory. Their elements are never read.
template <class Policy>
void call_all(const Policy& p) {
  next_free = memory;
  int* const x = nullptr;
  int* const elements = x + 1024;
  constexpr offset count = 50'000;
  mgpu::merge(p, elements, elements + count, elements, elements + count, elements);
  mgpu::set_union(p, elements, elements + count, elements, elements + count, elements);
  mgpu::set_union_size(p, elements, elements + count, elements, elements + count);
  mgpu::semi_join(p, elements, elements + count, elements, elements + count, elements);
  mgpu::locality_sort(p, elements, elements + count);
}

/// Whether f has left the thread's mode as it was; its unsafe calls had `mode`, and there were some.
template <class F>
void check_modes(cudaStreamCaptureMode mode, const F& f) {
  modes_of_unsafe_calls.clear();
  const cudaStreamCaptureMode before = mode_of_thread;
  f();
  CHECK(mode_of_thread == before);
  CHECK(!modes_of_unsafe_calls.empty());
  // What is set up once has its own mode: see allow_setup_during_capture.
  for (const cudaStreamCaptureMode m : modes_of_unsafe_calls) CHECK((m == mode || m == cudaStreamCaptureModeRelaxed));
}

}  // namespace

TEST_CASE("no unsafe call of a thread is one in the mode global") {
  check_modes(cudaStreamCaptureModeThreadLocal, [] { call_all(mgpu::par); });
  check_modes(cudaStreamCaptureModeThreadLocal, [] { call_all(mgpu::par_nosync.on(nullptr)); });
  check_modes(cudaStreamCaptureModeThreadLocal, [] { call_all(mgpu::wrap(thrust::cuda::par)); });
  check_modes(cudaStreamCaptureModeThreadLocal, [] { call_all(mgpu::wrap(thrust::cuda::par_nosync.on(nullptr))); });
}

TEST_CASE("a relaxed thread stays relaxed, and one that is thread-local is no other") {
  mode_of_thread = cudaStreamCaptureModeRelaxed;
  check_modes(cudaStreamCaptureModeRelaxed, [] { call_all(mgpu::par); });
  mode_of_thread = cudaStreamCaptureModeThreadLocal;
  check_modes(cudaStreamCaptureModeThreadLocal, [] { call_all(mgpu::par); });
  mode_of_thread = cudaStreamCaptureModeGlobal;
}

TEST_CASE("after an exception the mode is what it was") {
  waits_fail = true;
  check_modes(cudaStreamCaptureModeThreadLocal, [] { CHECK_THROWS_AS(call_all(mgpu::par), mgpu::cuda_error); });
  waits_fail = false;
  int* const elements = static_cast<int*>(nullptr) + 1024;
  check_modes(cudaStreamCaptureModeThreadLocal, [&] {
    mgpu::merge(mgpu::par, elements, elements + 1, elements, elements + 1, elements);
    CHECK_THROWS_AS(
        mgpu::set_union(mgpu::par(refusing_allocator{}), elements, elements + 1, elements, elements + 1, elements),
        std::bad_alloc);
  });
}

TEST_CASE("each thread has a mode of its own") {
  std::string message;
  std::thread([&] {
    try {
      call_all(mgpu::par);
      if (mode_of_thread != cudaStreamCaptureModeGlobal) message = "the mode has changed";
    } catch (const std::exception& error) {
      message = error.what();
    }
  }).join();
  CHECK(message == "");
}

TEST_CASE("a device without memory pools: memory and waits are those of any thread") {
  has_pools = false;
  device = 1;
  check_modes(cudaStreamCaptureModeThreadLocal, [] { call_all(mgpu::par_nosync); });
  has_pools = true;
  device = 0;
}
