// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the library keeps on a device (a memory pool, places in pinned memory, attributes of kernels) when the device is
// reset, has no memory pools or fails. The CUDA runtime is imitated, so that this runs, and can fail, without a GPU.
#include <mgpu/exec/cuda/launch.cuh>
#include <mgpu/exec/cuda/memory_pool.cuh>
#include <mgpu/exec/cuda/read_back.cuh>

#include <doctest/doctest.h>

#include <cuda.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

// What exec/cuda/device_life.cuh says of the driver without its header.
static_assert(mgpu::detail::exec::memory_type_attribute == CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
static_assert(mgpu::detail::exec::buffer_id_attribute == CU_POINTER_ATTRIBUTE_BUFFER_ID);
static_assert(sizeof(CUpointer_attribute) == sizeof(int) && sizeof(CUresult) == sizeof(int) && CUDA_SUCCESS == 0);
static_assert(sizeof(CUdeviceptr) == sizeof(unsigned long long));

constexpr std::size_t page_bytes = 4096;

/// The CUDA runtime of one device, with nothing on it. Its pinned memory lies at the same addresses after each reset,
/// where an access to what is not allocated ends the program.
class runtime {
 public:
  int device = 0;
  bool has_pools = true;
  bool is_out_of_memory = false;
  bool thread_has_context = true;
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  cudaError_t stream_state = cudaSuccess;
  int stale_pools_used = 0;
  int pools_created = 0;
  int shared_memory_requests = 0;
  std::vector<std::string> calls;  // of those that allocate, free and wait

  runtime() {
    void* const memory = mmap(nullptr, pages * page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    arena_ = static_cast<char*>(memory);
  }

  void reset_device() {
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      std::memset(arena_ + i * page_bytes, 0, page_bytes);
      mprotect(arena_ + i * page_bytes, page_bytes, PROT_NONE);
    }
    ids_.clear();
    pools_.clear();
  }
  /// Another device, of which the library knows nothing.
  void next_device() {
    reset_device();
    const int next = device + 1;
    has_pools = thread_has_context = true;
    is_out_of_memory = false;
    capture = cudaStreamCaptureStatusNone;
    stream_state = cudaSuccess;
    stale_pools_used = pools_created = shared_memory_requests = 0;
    calls.clear();
    device = next;
  }

  cudaError_t allocate_pinned(void** memory) {
    if (is_out_of_memory || ids_.size() == pages) return cudaErrorMemoryAllocation;
    *memory = arena_ + ids_.size() * page_bytes;
    mprotect(*memory, page_bytes, PROT_READ | PROT_WRITE);
    ids_.push_back(++last_id_);
    return cudaSuccess;
  }
  /// 0 where nothing is allocated.
  unsigned long long id_of(const void* memory) const {
    const auto page = static_cast<std::size_t>(static_cast<const char*>(memory) - arena_) / page_bytes;
    return page < ids_.size() ? ids_[page] : 0;
  }
  cudaError_t create_pool(cudaMemPool_t* pool) {
    if (!has_pools) return cudaErrorNotSupported;
    *pool = reinterpret_cast<cudaMemPool_t>(++last_id_);
    pools_.push_back(*pool);
    ++pools_created;
    return cudaSuccess;
  }
  cudaError_t allocate_from(cudaMemPool_t pool, void** memory) {
    if (std::find(pools_.begin(), pools_.end(), pool) == pools_.end()) ++stale_pools_used;
    return allocate(memory);
  }
  cudaError_t allocate(void** memory) {
    if (is_out_of_memory) return cudaErrorMemoryAllocation;
    *memory = reinterpret_cast<void*>(page_bytes);
    return cudaSuccess;
  }
  cudaError_t note(const char* call, cudaError_t result) {
    calls.push_back(call);
    return result;
  }

 private:
  static constexpr std::size_t pages = 256;
  char* arena_;
  std::vector<unsigned long long> ids_;  // of the pages that are allocated
  std::vector<cudaMemPool_t> pools_;
  unsigned long long last_id_ = 0;
} cuda;

CUresult imitated_attributes(unsigned count, CUpointer_attribute* attributes, void** results, CUdeviceptr memory) {
  if (!cuda.thread_has_context) return CUDA_ERROR_INVALID_CONTEXT;
  const auto id = cuda.id_of(reinterpret_cast<const void*>(memory));
  for (unsigned i = 0; i < count; ++i) {
    if (attributes[i] == CU_POINTER_ATTRIBUTE_BUFFER_ID) *static_cast<unsigned long long*>(results[i]) = id;
    else *static_cast<unsigned*>(results[i]) = id == 0 ? 0 : CU_MEMORYTYPE_HOST;
  }
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {
cudaError_t __wrap_cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
cudaError_t __wrap_cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t __wrap_cudaGetDevice(int* device) { return *device = cuda.device, cudaSuccess; }
cudaError_t __wrap_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  *value = attribute != cudaDevAttrMemoryPoolsSupported || cuda.has_pools;
  return cudaSuccess;
}
cudaError_t __wrap_cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned, unsigned long long,
                                                    cudaDriverEntryPointQueryResult*) {
  *function = std::string(name) == "cuPointerGetAttributes" ? reinterpret_cast<void*>(imitated_attributes) : nullptr;
  return cudaSuccess;
}
cudaError_t __wrap_cudaHostAlloc(void** memory, std::size_t, unsigned) { return cuda.allocate_pinned(memory); }
cudaError_t __wrap_cudaMalloc(void** memory, std::size_t) { return cuda.note("cudaMalloc", cuda.allocate(memory)); }
cudaError_t __wrap_cudaFree(void* memory) {
  cuda.thread_has_context = true;
  return memory == nullptr ? cudaSuccess : cuda.note("cudaFree", cudaSuccess);
}
cudaError_t __wrap_cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*) { return cuda.create_pool(pool); }
cudaError_t __wrap_cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
cudaError_t __wrap_cudaMallocFromPoolAsync(void** memory, std::size_t, cudaMemPool_t pool, cudaStream_t) {
  return cuda.note("cudaMallocFromPoolAsync", cuda.allocate_from(pool, memory));
}
cudaError_t __wrap_cudaFreeAsync(void*, cudaStream_t) { return cuda.note("cudaFreeAsync", cudaSuccess); }
cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t) { return cuda.note("cudaStreamSynchronize", cuda.stream_state); }
cudaError_t __wrap_cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
  return *status = cuda.capture, cudaSuccess;
}
cudaError_t __wrap_cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {};
  attributes->ptxVersion = 90;
  attributes->sharedSizeBytes = 1024;
  return cudaSuccess;
}
cudaError_t __wrap_cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) {
  ++cuda.shared_memory_requests;
  return cudaSuccess;
}
cudaError_t __wrap_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int, std::size_t,
                                                                          unsigned) {
  return *blocks = 1, cudaSuccess;
}
}

namespace {

using namespace mgpu::detail::exec;
using calls = std::vector<std::string>;

constexpr cudaStream_t stream = nullptr;

/// A kernel's core and block with `bytes` of dynamic shared memory.
template <int bytes>
struct core_with {
  static mgpu::detail::base::tile_shape shape(int) { return {128, 1, 1, 1}; }
  static int shared_bytes(const mgpu::detail::base::tile_shape&) { return bytes; }
};
template <int bytes>
__global__ void kernel() {}

template <int bytes>
void plan_launch() {
  CHECK(current_launch_plan<core_with<bytes>, core_with<bytes>, kernel<bytes>>().shared_bytes == bytes);
}

}  // namespace

TEST_CASE("places in pinned memory after a reset, where their addresses belong to somebody else") {
  cuda.next_device();
  {
    read_back<int> word(stream);
    word.set(1);
    CHECK(word.get() == 1);
  }
  cuda.reset_device();
  std::vector<char*> others(8);
  for (char*& page : others) {
    REQUIRE(cuda.allocate_pinned(reinterpret_cast<void**>(&page)) == cudaSuccess);
    std::memset(page, 42, page_bytes);
  }
  {
    read_back<int> word(stream);
    word.set(2);
    *word.device() = 3;
    CHECK(word.get() == 3);
  }
  for (const char* page : others) CHECK(std::count(page, page + page_bytes, 42) == page_bytes);
}

TEST_CASE("a place that is held over a reset goes to nobody after it") {
  cuda.next_device();
  auto held = std::make_unique<read_back<int>>(stream);
  cuda.reset_device();
  const read_back<int> other(stream);
  held.reset();
  std::vector<std::unique_ptr<read_back<int>>> more;
  for (int i = 0; i < 200; ++i) {
    more.push_back(std::make_unique<read_back<int>>(stream));
    more.back()->set(i);
  }
  for (int i = 0; i < 200; ++i) CHECK(more[static_cast<std::size_t>(i)]->get() == i);
}

TEST_CASE("the memory pool is made once, and again after a reset") {
  cuda.next_device();
  for (int life = 1; life <= 3; ++life) {
    for (int i = 0; i < 3; ++i) free_async(allocate_async(100, stream), stream);
    CHECK(cuda.pools_created == life);
    CHECK(cuda.stale_pools_used == 0);
    cuda.reset_device();
  }
}

TEST_CASE("a setup that fails leaves no memory pool behind") {
  cuda.next_device();
  cuda.is_out_of_memory = true;
  for (int i = 0; i < 3; ++i) CHECK_THROWS_AS(allocate_async(100, stream), std::bad_alloc);
  cuda.is_out_of_memory = false;
  free_async(allocate_async(100, stream), stream);
  CHECK(cuda.pools_created == 1);
}

TEST_CASE("a thread without a context is no reset") {
  cuda.next_device();
  free_async(allocate_async(100, stream), stream);
  cuda.thread_has_context = false;
  std::thread([] { free_async(allocate_async(100, stream), stream); }).join();
  CHECK(cuda.pools_created == 1);
}

TEST_CASE(
    "a kernel with more than 48 KiB of shared memory is allowed them again after a reset, another is not asked for") {
  cuda.next_device();
  for (int life = 1; life <= 2; ++life) {
    for (int i = 0; i < 3; ++i) plan_launch<48 * 1024 - 1023>();
    CHECK(cuda.shared_memory_requests == life);
    cuda.reset_device();
  }
  cuda.next_device();
  for (int life = 1; life <= 2; ++life) {
    for (int i = 0; i < 3; ++i) plan_launch<48 * 1024 - 1024>();
    CHECK(cuda.shared_memory_requests == 1);
    cuda.reset_device();
  }
}

TEST_CASE("a device without memory pools: plain memory, which is freed behind the stream") {
  cuda.next_device();
  cuda.has_pools = false;
  void* const memory = allocate_async(100, stream);
  CHECK(memory != nullptr);
  CHECK(cuda.calls == calls{"cudaMalloc"});
  free_async(memory, stream);
  CHECK(cuda.calls == calls{"cudaMalloc", "cudaStreamSynchronize", "cudaFree"});
  cuda.calls.clear();
  cuda.capture = cudaStreamCaptureStatusActive;
  try {
    allocate_async(100, stream);
    FAIL("memory of no graph was given to one");
  } catch (const mgpu::cuda_error& error) {
    CHECK(error.code() == cudaErrorStreamCaptureUnsupported);
    CHECK(std::string(error.what()).find("without memory pools") != std::string::npos);
  }
  CHECK(cuda.calls.empty());
}

TEST_CASE("a bad_alloc names the CUDA call and the reason") {
  for (const bool has_pools : {true, false}) {
    cuda.next_device();
    cuda.has_pools = has_pools;
    free_async(allocate_async(100, stream), stream);
    cuda.is_out_of_memory = true;
    try {
      allocate_async(100, stream);
      FAIL("there was no memory");
    } catch (const std::bad_alloc& error) {
      CHECK(std::string(error.what()) ==
            std::string("mgpu: ") + (has_pools ? "cudaMallocFromPoolAsync" : "cudaMalloc") + ": out of memory");
      CHECK(dynamic_cast<const mgpu::cuda_bad_alloc&>(error).code() == cudaErrorMemoryAllocation);
    }
  }
}

TEST_CASE(
    "a call that throws behind a launch: its place in pinned memory goes to the next one after a wait, or never") {
  cuda.next_device();
  const int* place = nullptr;
  const auto fail_behind_launch = [&] {
    try {
      read_back<int> word(stream);
      place = word.device();  // a kernel has it
      throw std::runtime_error("the next launch");
    } catch (const std::runtime_error&) {
    }
  };
  fail_behind_launch();
  CHECK(cuda.calls == calls{"cudaStreamSynchronize"});
  cuda.stream_state = cudaErrorStreamCaptureUnsupported;
  fail_behind_launch();
  std::vector<std::unique_ptr<read_back<int>>> others;
  for (int i = 0; i < 200; ++i) {
    others.push_back(std::make_unique<read_back<int>>(stream));
    CHECK(others.back()->device() != place);
    others.back()->get();
  }
  cuda.calls.clear();
  others.clear();
  CHECK(cuda.calls.empty());  // what was read is not waited for again
}
