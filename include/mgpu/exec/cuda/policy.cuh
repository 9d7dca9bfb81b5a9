// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/exec/policy.h>
#include <mgpu/exec/cuda/capture.cuh>
#include <mgpu/exec/cuda/executor.cuh>
#include <mgpu/exec/cuda/memory_pool.cuh>

#include MGPU_RAW_POINTER_HEADER  // before what uses what it declares

#include <thrust/detail/allocator_aware_execution_policy.h>
#include <thrust/detail/execute_with_allocator.h>
#include <thrust/pair.h>
#include <thrust/system/cuda/detail/malloc_and_free.h>
#include <thrust/system/cuda/execution_policy.h>

#include <cuda/std/type_traits>

#include <cstddef>
#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// The base of every CUDA policy.
template <class Derived, template <class> class ThrustBase>
struct cuda_policy : policy<Derived, ThrustBase> {
  using policy<Derived, ThrustBase>::policy;
  using executor_type = cuda_executor<Derived>;

 private:
  /// Thrust's own would not ask the policy how it waits.
  friend cudaError_t synchronize_stream_optional(Derived& p) {
    return thrust_cuda::must_perform_optional_synchronization(p) ? thrust_cuda::synchronize(p) : cudaSuccess;
  }
};

/// Waits for the stream. Thrust's own functions would take an error that the caller has left for one of the stream, and
/// clear it: they ask CUB's.
template <class Derived>
struct waits_for_stream {
  friend cudaError_t synchronize_stream(Derived& p) { return exec::wait_for_stream(thrust_cuda::stream(p)); }
};

template <class Derived>
struct synchronous : cuda_policy<Derived, thrust_cuda::execute_on_stream_base>, waits_for_stream<Derived> {
  using cuda_policy<Derived, thrust_cuda::execute_on_stream_base>::cuda_policy;
};

template <class Derived>
struct asynchronous : cuda_policy<Derived, thrust_cuda::execute_on_stream_nosync_base>, waits_for_stream<Derived> {
  using cuda_policy<Derived, thrust_cuda::execute_on_stream_nosync_base>::cuda_policy;
};

/// Gives a policy without an allocator scratch memory from the library's stream-ordered pool, also for Thrust's
/// algorithms.
template <class Derived>
struct stream_ordered {
  template <class T>
  friend THRUST_NS_QUALIFIER::pair<T*, std::ptrdiff_t> get_temporary_buffer(Derived& p, std::ptrdiff_t count) {
    const auto bytes = count * static_cast<std::ptrdiff_t>(sizeof(T));
    return {static_cast<T*>(allocate_async(bytes, thrust_cuda::stream(p))), count};
  }
  template <class Pointer>
  friend void return_temporary_buffer(Derived& p, Pointer memory, std::ptrdiff_t) {
    free_async(THRUST_NS_QUALIFIER::raw_pointer_cast(memory), thrust_cuda::stream(p));
  }
};

/// A policy with a stream and no allocator: what par.on(stream) returns.
template <template <class> class Base>
struct on_stream : Base<on_stream<Base>>, stream_ordered<on_stream<Base>> {
  explicit on_stream(cudaStream_t stream) : Base<on_stream<Base>>(stream) {}
};

/// par and par_nosync. They run on the default stream, or in the stream of on(stream). (allocator) takes what
/// thrust::cuda::par(...) takes.
template <template <class> class Base>
struct parallel : cuda_policy<parallel<Base>, thrust_cuda::execution_policy>,
                  stream_ordered<parallel<Base>>,
                  waits_for_stream<parallel<Base>>,
                  THRUST_NS_QUALIFIER::detail::allocator_aware_execution_policy<Base> {
  constexpr parallel() = default;
  on_stream<Base> on(cudaStream_t stream) const { return on_stream<Base>(stream); }
};

inline bool must_perform_optional_stream_synchronization(const parallel<asynchronous>&) { return false; }

namespace device {
inline constexpr parallel<synchronous> par{};
inline constexpr parallel<asynchronous> par_nosync{};
}  // namespace device
}  // namespace detail::exec
MGPU_NAMESPACE_END
