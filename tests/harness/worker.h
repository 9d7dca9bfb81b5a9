// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Where calls run: a stream on a GPU or the host systems, an allocator that counts and refuses, memory for arrays.

#include "support/executors.h"
#include "support/refusing_allocator.h"

#ifdef MGPU_TEST_CUDA
#include "support/cuda.h"
#endif

#include <functional>
#include <vector>

namespace test::harness {

/// Whether calls have every policy. Over ranks most of what is compiled is compiled for each policy again.
#ifdef MGPU_HARNESS_OVER_RANKS
inline constexpr bool has_all_ways = false;
#else
inline constexpr bool has_all_ways = true;
#endif

#ifdef MGPU_TEST_CUDA

/// The policies a call is given.
enum class way { waiting, in_stream, with_allocator, wrapped };
inline constexpr way all_ways[] = {way::waiting, way::in_stream, way::with_allocator, way::wrapped};
inline constexpr way few_ways[] = {way::waiting, way::with_allocator};
inline constexpr way refusing_ways[] = {way::with_allocator};

class worker {
 public:
  explicit worker(requests& r) : log(r) {}

  template <class Kind, class F>
  bool with_policy(way how, const F& f) const {
    switch (how) {
      case way::waiting:
        return f(mgpu::par.on(stream_));
      case way::in_stream:
        if constexpr (has_all_ways) return f(mgpu::par_nosync.on(stream_));
        else break;
      case way::with_allocator:
        return f(mgpu::par_nosync(refusing_allocator{&log}).on(stream_));
      case way::wrapped:
        if constexpr (has_all_ways) return f(mgpu::wrap(thrust::cuda::par_nosync.on(stream_)));
        else break;
    }
    return false;
  }
  cudaStream_t stream() const { return stream_; }

  requests& log;  // those of its allocator

 private:
  test::stream stream_;
};

using executor = cuda_executor;
inline void finish(const worker& w) { require_cuda(cudaStreamSynchronize(w.stream())); }

#else

enum class way {
  serial,
  serial_with_allocator,
#ifdef MGPU_TEST_HAS_OMP
  omp,
  omp_with_allocator,
#endif
#ifdef MGPU_TEST_HAS_TBB
  tbb,
  tbb_with_allocator,
#endif
};
inline constexpr way all_ways[] = {
    way::serial, way::serial_with_allocator,
#ifdef MGPU_TEST_HAS_OMP
    way::omp,    way::omp_with_allocator,
#endif
#ifdef MGPU_TEST_HAS_TBB
    way::tbb,    way::tbb_with_allocator,
#endif
};
inline constexpr way refusing_ways[] = {
    way::serial_with_allocator,
#ifdef MGPU_TEST_HAS_OMP
    way::omp_with_allocator,
#endif
#ifdef MGPU_TEST_HAS_TBB
    way::tbb_with_allocator,
#endif
};

inline constexpr auto& few_ways = refusing_ways;

/// What a way means for the tests' own policy, with which a call is compiled twice instead of for each way.
inline bool has_allocator(way how) { return static_cast<int>(how) % 2 == 1; }
inline host_system system_of(way how) { return host_systems[static_cast<int>(how) / 2]; }

/// Whether calls of a kind have the library's own policies where they have no allocator: else the compiler takes twice
/// the time.
template <class Kind>
inline constexpr bool has_own_policies =
#ifdef MGPU_HARNESS_ANY_HOST
    false;
#else
    has_all_ways&& Kind::number == 0;
#endif

class worker {
 public:
  explicit worker(requests& r) : log(r) {}

  template <class Kind, class F>
  bool with_policy(way how, const F& f) const {
    const refusing_allocator allocator{&log};
    current_system = system_of(how);
    if (has_allocator(how)) return f(any_host(allocator));
    if constexpr (has_own_policies<Kind>) return with_system(how, f);
    else if constexpr (has_all_ways) return f(any_host);
    else return f(any_host(allocator));
  }

  requests& log;  // those of its allocator

 private:
  template <class F>
  static bool with_system(way how, const F& f) {
    switch (system_of(how)) {
      case host_system::cpp:
        return f(mgpu::cpp::par);
      case host_system::omp:
#ifdef MGPU_TEST_HAS_OMP
        return f(mgpu::omp::par);
#else
        break;
#endif
      case host_system::tbb:
#ifdef MGPU_TEST_HAS_TBB
        return f(mgpu::tbb::par);
#else
        break;
#endif
    }
    return false;
  }
};

using executor = cpp_executor;
inline void finish(const worker&) {}

#endif

/// Memory for one arena after the other.
class arena_memory {
 public:
  arena_memory() = default;
  ~arena_memory() { executor::free(memory_); }
  arena_memory(const arena_memory&) = delete;
  arena_memory& operator=(const arena_memory&) = delete;

  char* put(const std::vector<char>& bytes) {
    if (bytes.size() > size_) {
      executor::free(memory_);
      memory_ = nullptr;
      size_ = 0;
      memory_ = executor::allocate(2 * bytes.size());
      size_ = 2 * bytes.size();
    }
    executor::copy_in(memory_, bytes.data(), bytes.size());
#ifdef MGPU_TEST_CUDA
    require_cuda(cudaStreamSynchronize(cudaStreamLegacy));
#endif
    return static_cast<char*>(memory_);
  }
  const std::vector<char>& get(std::size_t size) {
    found_.resize(size);
    executor::copy_out(found_.data(), memory_, size);
    return found_;
  }

 private:
  std::size_t size_ = 0;
  void* memory_ = nullptr;
  std::vector<char> found_;
};

}  // namespace test::harness
