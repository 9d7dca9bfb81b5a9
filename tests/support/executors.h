// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The executors a test runs on: those of the CUDA policies in a CUDA test, those of the host systems in a host test.
// For these the tests' own policy stands (any_host.h).

#include "support/full.h"

#include <mgpu/base/math.h>
#include <mgpu/cpp.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#ifdef MGPU_TEST_CUDA
#include <mgpu/par.h>
#include <stdexcept>
#else
#include "any_host.h"
#endif
#ifdef MGPU_TEST_HAS_OMP
#include <mgpu/omp.h>
#endif
#ifdef MGPU_TEST_HAS_TBB
#include <mgpu/tbb.h>
#endif

namespace test {

using mgpu::offset;

#ifdef MGPU_TEST_CUDA

/// For the CUDA calls of a test itself.
inline void require_cuda(cudaError_t code) {
  if (code == cudaSuccess) return;
  cudaGetLastError();  // the next test case is not to find it
  throw std::runtime_error(cudaGetErrorString(code));
}

inline int device_attribute(cudaDeviceAttr attribute) {
  int device, value;
  require_cuda(cudaGetDevice(&device));
  require_cuda(cudaDeviceGetAttribute(&value, attribute, device));
  return value;
}

struct cuda_executor {
  inline static const std::string name = "cuda";
  static constexpr bool sorts_by_thrust_merge = false;
  static const auto& policy() { return mgpu::par; }

  /// Memory of its own, so that an access behind its last byte is one that compute-sanitizer sees.
  static void* allocate(std::size_t bytes) {
    void* memory = nullptr;
    if (bytes > 0) require_cuda(cudaMalloc(&memory, bytes));
    return memory;
  }
  static void free(void* memory) { cudaFree(memory); }
  static void copy_in(void* to, const void* from, std::size_t bytes) {
    require_cuda(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
    require_cuda(cudaStreamSynchronize(cudaStreamLegacy));  // cudaMemcpy may return when the bytes have left `from`
  }
  static void copy_out(void* to, const void* from, std::size_t bytes) {
    require_cuda(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
  }

  template <class Core>
  static int items_per_tile() {
    return shape<Core>().items_per_tile();
  }
  /// More items than a call without a launch for the splits takes.
  template <class Core>
  static int items_beyond_single_launch() {
    constexpr int threads_per_sm = 2048;
    return shape<Core>().single_launch_waves * device_attribute(cudaDevAttrMultiProcessorCount) * threads_per_sm *
               shape<Core>().items_per_thread +
           12345;
  }

 private:
  template <class Core>
  static mgpu::detail::base::tile_shape shape() {
    return Core::shape(10 * device_attribute(cudaDevAttrComputeCapabilityMajor) +
                       device_attribute(cudaDevAttrComputeCapabilityMinor));
  }
};

using first_executor = cuda_executor;

/// Calls f(executor) for each.
template <class F>
void for_each_executor(const F& f) {
  f(cuda_executor{});
}

/// The same for each policy of the library's own.
template <class F>
void for_each_own_policy(const F& f) {
  for_each_executor(f);
}

#else

struct host_executor {
  /// Whether Thrust's sort calls thrust::merge with the policy, which takes <mgpu/thrust_ext.h>.
  static constexpr bool sorts_by_thrust_merge = false;

  static constexpr std::align_val_t alignment{256};
  static void* allocate(std::size_t bytes) { return bytes > 0 ? ::operator new(bytes, alignment) : nullptr; }
  static void free(void* memory) { ::operator delete(memory, alignment); }
  static void copy_in(void* to, const void* from, std::size_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  static void copy_out(void* to, const void* from, std::size_t bytes) { copy_in(to, from, bytes); }

  template <class Core>
  static constexpr int items_per_tile() {
    return static_cast<int>(Core::host_items_per_tile);
  }
  template <class Core>
  static int items_beyond_single_launch() {
    return 8 * items_per_tile<Core>() + 12345;
  }
};

struct cpp_executor : host_executor {
  inline static const std::string name = "cpp";
  static const auto& policy() { return mgpu::cpp::par; }
};

#ifdef MGPU_TEST_HAS_OMP
struct omp_executor : host_executor {
  inline static const std::string name = "omp";
  static const auto& policy() { return mgpu::omp::par; }
};
#endif

#ifdef MGPU_TEST_HAS_TBB
struct tbb_executor : host_executor {
  inline static const std::string name = "tbb";
  static constexpr bool sorts_by_thrust_merge = true;
  static const auto& policy() { return mgpu::tbb::par; }
};
#endif

/// Calls f(executor) for each, with the library's own policy.
template <class F>
void for_each_own_policy(const F& f) {
  f(cpp_executor{});
#ifdef MGPU_TEST_HAS_OMP
  f(omp_executor{});
#endif
#ifdef MGPU_TEST_HAS_TBB
  f(tbb_executor{});
#endif
}

struct any_host_executor : host_executor {
  std::string name = name_of(current_system);
  static const auto& policy() { return any_host; }

  /// Few items, so that a test of some tiles takes little time: those of an input of up to eight tiles. What is counted
  /// first has several tiles only where it has more than a large one: four of them.
  template <class Core>
  static constexpr int items_per_tile() {
    namespace exec = mgpu::detail::exec;
    constexpr int most = host_executor::items_per_tile<Core>();
    constexpr auto small = static_cast<int>(exec::items_of_shared_tile(1, any_host_policy::threads(), most));
    if constexpr (small < most && exec::has_member<exec::member::count_tile, Core>) return (most / small + 1) * small;
    return small;
  }
};

using first_executor = any_host_executor;

/// Calls f(executor) for each.
template <class F>
void for_each_executor(const F& f) {
  for (const host_system system : host_systems) {
    current_system = system;
    f(any_host_executor{});
  }
  current_system = host_system::cpp;
}

#endif

/// Whether tests have arrays that are many tiles of a GPU's. The CPU's are as small as can be in tests.
#ifdef MGPU_TEST_CUDA
inline constexpr bool has_large_arrays = true;
#else
inline constexpr bool has_large_arrays = false;
#endif

/// Whether the kinds of arguments that only repeat others are tested, each of which takes a compiler seconds: in full
/// tests. MGPU_TEST_MORE(...) are further arguments of a list there.
inline constexpr bool has_more_kinds = is_full;
#ifdef MGPU_TEST_FULL
#define MGPU_TEST_MORE(...) , __VA_ARGS__
#else
#define MGPU_TEST_MORE(...)
#endif

/// True where a tool makes everything slower by an order of magnitude: tests then take a part of their cases.
inline bool takes_few_cases() { return std::getenv("MGPU_TEST_FEW_CASES") != nullptr; }

}  // namespace test
