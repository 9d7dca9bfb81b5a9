// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/exec/cuda/environment.cuh>
#include <mgpu/exec/cuda/policy.cuh>

#include <thrust/detail/execute_with_allocator.h>
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/detail/temporary_buffer.h>

#include <cuda/std/type_traits>

#include <cstddef>
#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// Whether a policy is one of Thrust's, whose stream is waited for as in waits_for_stream. Others may wait in ways of
/// their own.
template <class Policy>
inline constexpr bool is_thrusts =
    cuda::std::is_same_v<Policy, thrust_cuda::par_t> || cuda::std::is_same_v<Policy, thrust_cuda::par_nosync_t> ||
    cuda::std::is_same_v<Policy, thrust_cuda::execute_on_stream> ||
    cuda::std::is_same_v<Policy, thrust_cuda::execute_on_stream_nosync>;
template <class Allocator, template <class> class Base>
inline constexpr bool is_thrusts<THRUST_NS_QUALIFIER::detail::execute_with_allocator<Allocator, Base>> = true;

/// Thrust's policies without an allocator call cudaMalloc. What an allocator calls is its own affair.
struct no_captures_to_keep_apart {};
template <class Policy>
inline constexpr bool has_allocator = !is_thrusts<Policy>;
template <class Allocator, template <class> class Base>
inline constexpr bool has_allocator<THRUST_NS_QUALIFIER::detail::execute_with_allocator<Allocator, Base>> = true;
template <class Policy>
using apart_while_allocating =
    cuda::std::conditional_t<has_allocator<Policy>, no_captures_to_keep_apart, apart_from_other_captures>;

/// Another library's CUDA policy as an mgpu policy: see mgpu::wrap.
template <class Inner>
struct wrapped : cuda_policy<wrapped<Inner>, thrust_cuda::execution_policy> {
  explicit wrapped(const Inner& policy) : inner(policy) {}
  Inner inner;

 private:
  friend cudaStream_t get_stream(wrapped& p) { return thrust_cuda::stream(p.inner); }
  friend bool must_perform_optional_stream_synchronization(wrapped& p) {
    return thrust_cuda::must_perform_optional_synchronization(p.inner);
  }
  friend cudaError_t synchronize_stream(wrapped& p) {
    const apart_from_other_captures apart;
    if constexpr (is_thrusts<Inner>) return cudaStreamSynchronize(thrust_cuda::stream(p.inner));
    else return thrust_cuda::synchronize(p.inner);
  }
  template <class T>
  friend auto get_temporary_buffer(wrapped& p, std::ptrdiff_t count) {
    [[maybe_unused]] const apart_while_allocating<Inner> apart;
    return THRUST_NS_QUALIFIER::get_temporary_buffer<T>(p.inner, count);
  }
  template <class Pointer>
  friend void return_temporary_buffer(wrapped& p, Pointer memory, std::ptrdiff_t count) {
    auto* const raw = THRUST_NS_QUALIFIER::raw_pointer_cast(memory);
    const THRUST_NS_QUALIFIER::pointer<cuda::std::remove_pointer_t<decltype(raw)>, Inner> inner(raw);
    [[maybe_unused]] const apart_while_allocating<Inner> apart;
    THRUST_NS_QUALIFIER::return_temporary_buffer(p.inner, inner, count);
  }
};

template <class Resource, class Class = cuda::std::remove_cv_t<cuda::std::remove_reference_t<Resource>>>
using if_resource = cuda::std::enable_if_t<is_resource<Class> || is_older_resource<Class>, int>;

}  // namespace detail::exec

/// Makes an mgpu policy of another CUDA policy: thrust::cuda::par.on(stream), par_nosync(allocator).on(stream),
/// rmm::exec_policy_nosync(stream, mr), or a class derived from thrust::cuda::execution_policy. Stream, allocator and
/// synchronization are that policy's; the algorithms are this library's.
template <class Derived>
detail::exec::wrapped<Derived> wrap(const detail::exec::thrust_cuda::execution_policy<Derived>& policy) {
  return detail::exec::wrapped<Derived>(static_cast<const Derived&>(policy));
}

/// Makes the policy par_nosync.on(stream) of a stream: a cudaStream_t, a cuda::stream_ref, or an object that converts
/// to cudaStream_t.
template <class Stream, cuda::std::enable_if_t<detail::exec::is_stream<Stream>, int> = 0>
auto wrap(const Stream& stream) {
  return detail::exec::on_stream<detail::exec::asynchronous>(detail::exec::stream_handle(stream));
}

/// Makes a policy of an environment: cuda::std::execution::env, cuda::execution::gpu.with(...), or an object with the
/// member functions get_stream() and get_memory_resource(), or one of them. What it does not answer is as with par.
/// A call with cuda::execution::gpu returns when its work has finished; with other environments it does not
/// synchronize, as with par_nosync.
template <class Environment,
          cuda::std::enable_if_t<detail::exec::stands_for_policy<Environment> && !detail::exec::is_stream<Environment>,
                                 int> = 0>
auto wrap(const Environment& environment) {
  return detail::exec::policy_of_environment(environment);
}

/// par_nosync on the default stream, with scratch from a cuda::mr memory resource. The resource is referred to. A
/// temporary, such as a cuda::mr::resource_ref, is copied.
template <class Resource, detail::exec::if_resource<Resource> = 0>
auto wrap(Resource&& resource) {
  return detail::exec::with_resource<detail::exec::asynchronous, detail::exec::kept_resource<Resource>>(
      detail::exec::thrust_cuda::default_stream(), std::forward<Resource>(resource));
}

/// par_nosync.on(stream) with scratch from a cuda::mr memory resource, as wrap(resource).
template <class Stream, class Resource, cuda::std::enable_if_t<detail::exec::is_stream<Stream>, int> = 0,
          detail::exec::if_resource<Resource> = 0>
auto wrap(const Stream& stream, Resource&& resource) {
  return detail::exec::with_resource<detail::exec::asynchronous, detail::exec::kept_resource<Resource>>(
      detail::exec::stream_handle(stream), std::forward<Resource>(resource));
}

MGPU_NAMESPACE_END
