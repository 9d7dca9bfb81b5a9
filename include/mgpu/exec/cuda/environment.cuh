// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What takes the place of a policy in a call: streams as objects, and environments. An environment answers where its
// stream is and where memory comes from, as those do that CUB's one-phase calls take.

#include <mgpu/exec/policy.h>
#include <mgpu/exec/cuda/executor.cuh>
#include <mgpu/exec/cuda/policy.cuh>

#include MGPU_ENVIRONMENT_QUERIES_HEADER

#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/pair.h>

#include <cuda/std/type_traits>

#include <cstddef>
#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// True if s.get() is a cudaStream_t, as it is of cuda::stream_ref.
template <class Stream, class = void>
inline constexpr bool has_stream_handle = false;
template <class Stream>
inline constexpr bool has_stream_handle<Stream, cuda::std::void_t<decltype(std::declval<const Stream&>().get())>> =
    cuda::std::is_same_v<decltype(std::declval<const Stream&>().get()), cudaStream_t>;

/// A stream: a cudaStream_t, an object with such a handle, or one that converts to it.
template <class Stream>
inline constexpr bool is_stream = has_stream_handle<Stream> || cuda::std::is_same_v<Stream, cudaStream_t> ||
                                  (cuda::std::is_class_v<Stream> &&
                                   cuda::std::is_convertible_v<const Stream&, cudaStream_t>);

template <class Stream>
cudaStream_t stream_handle(const Stream& s) {
  if constexpr (has_stream_handle<Stream>) return s.get();
  else return s;
}

/// A memory resource of CCCL 3.1 and newer: memory is allocated and given back in the order of a stream.
template <class Resource, class = void>
inline constexpr bool is_resource = false;
template <class Resource>
inline constexpr bool is_resource<Resource, cuda::std::void_t<decltype(std::declval<Resource&>().allocate(
                                                cudaStream_t{}, std::size_t{}, std::size_t{}))>> = true;

/// One of older versions.
template <class Resource, class = void>
inline constexpr bool is_older_resource = false;
template <class Resource>
inline constexpr bool is_older_resource<Resource, cuda::std::void_t<decltype(std::declval<Resource&>().allocate_async(
                                                      std::size_t{}, std::size_t{}, cudaStream_t{}))>> = true;

/// An execution policy of CCCL is an environment. It has a backend, which has to be the GPU. A call returns when its
/// work has finished.
template <class Environment, class = void>
struct standard_policy {
  static constexpr bool is_one = false, runs_elsewhere = false;
};
template <class Environment>
struct standard_policy<Environment, cuda::std::void_t<decltype(Environment::__get_backend())>> {
  using backend = decltype(Environment::__get_backend());
  static constexpr bool is_one = Environment::__get_backend() == backend::__cuda, runs_elsewhere = !is_one;
};

template <class Derived>
constexpr bool is_thrust_policy_of(const thrust_cuda::execution_policy<Derived>*) {
  return true;
}
constexpr bool is_thrust_policy_of(const void*) { return false; }

/// An object that answers the stream, or the memory resource, or is an environment of CCCL, also an empty one.
template <class Environment>
constexpr bool is_environment() {
  if constexpr (!cuda::std::is_class_v<Environment> || is_policy<Environment>) return false;
  else if constexpr (exec::is_thrust_policy_of(static_cast<const Environment*>(nullptr))) return false;
  else if constexpr (is_stream<Environment>) return true;
  else if constexpr (is_resource<Environment> || is_older_resource<Environment>) return false;
  else if constexpr (standard_policy<Environment>::runs_elsewhere) return false;
  else return answers_stream<Environment> || answers_resource<Environment> || is_cccl_environment<Environment>;
}

template <class Environment>
cudaStream_t stream_of_environment(const Environment& environment) {
  if constexpr (is_stream<Environment>) return exec::stream_handle(environment);
  else if constexpr (answers_stream<Environment>) return exec::stream_handle(exec::ask_stream(environment));
  else return thrust_cuda::default_stream();
}

/// A policy with a stream and a memory resource. Resource is a class, or a reference to one of the caller's.
template <template <class> class Base, class Resource>
struct with_resource : Base<with_resource<Base, Resource>> {
  with_resource(cudaStream_t stream, Resource r)
      : Base<with_resource<Base, Resource>>(stream), resource(static_cast<Resource&&>(r)) {}
  Resource resource;

 private:
  using resource_type = cuda::std::remove_reference_t<Resource>;
  static constexpr std::size_t alignment = 256;  // that of cudaMalloc

  template <class T>
  friend THRUST_NS_QUALIFIER::pair<T*, std::ptrdiff_t> get_temporary_buffer(with_resource& p, std::ptrdiff_t count) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    const cudaStream_t stream = thrust_cuda::stream(p);
    void* memory;
    if constexpr (is_resource<resource_type>) memory = p.resource.allocate(stream, bytes, alignment);
    else memory = p.resource.allocate_async(bytes, alignment, stream);
    return {static_cast<T*>(memory), count};
  }
  template <class Pointer>
  friend void return_temporary_buffer(with_resource& p, Pointer memory, std::ptrdiff_t count) {
    auto* const raw = THRUST_NS_QUALIFIER::raw_pointer_cast(memory);
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(*raw);
    const cudaStream_t stream = thrust_cuda::stream(p);
    if constexpr (is_resource<resource_type>) p.resource.deallocate(stream, raw, bytes, alignment);
    else p.resource.deallocate_async(raw, bytes, alignment, stream);
  }
};

/// The type of memory resources in policies: a reference to the caller's, or a copy of a temporary or constant one.
template <class Resource>
using kept_resource =
    cuda::std::conditional_t<cuda::std::is_lvalue_reference_v<Resource> &&
                                 !cuda::std::is_const_v<cuda::std::remove_reference_t<Resource>>,
                             Resource, cuda::std::remove_cv_t<cuda::std::remove_reference_t<Resource>>>;

/// The policy that an environment stands for. Copies its memory resource, unless it answers a reference to one that may
/// be changed.
template <class Environment>
auto policy_of_environment(const Environment& environment) {
  const cudaStream_t stream = exec::stream_of_environment(environment);
  if constexpr (answers_resource<Environment>) {
    using resource = kept_resource<decltype(exec::ask_resource(environment))>;
    if constexpr (standard_policy<Environment>::is_one)
      return with_resource<synchronous, resource>(stream, exec::ask_resource(environment));
    else return with_resource<asynchronous, resource>(stream, exec::ask_resource(environment));
  } else if constexpr (standard_policy<Environment>::is_one) {
    return on_stream<synchronous>(stream);
  } else {
    return on_stream<asynchronous>(stream);
  }
}

template <class Environment>
inline constexpr bool stands_for_policy<Environment, cuda::std::enable_if_t<exec::is_environment<Environment>()>> =
    true;

template <class Environment>
class environment_executor;

template <class Environment>
class meant_policy<Environment, cuda::std::enable_if_t<stands_for_policy<Environment>>> {
 public:
  using type = decltype(exec::policy_of_environment(std::declval<const Environment&>()));
  using executor_type = environment_executor<Environment>;

  explicit meant_policy(const Environment& environment) : policy_(exec::policy_of_environment(environment)) {}
  type& get() const { return policy_; }

 private:
  mutable type policy_;
};

/// The executor of the policy that an environment stands for. It has that policy.
template <class Environment>
class environment_executor : private meant_policy<Environment>,
                             public cuda_executor<typename meant_policy<Environment>::type> {
  using policy = meant_policy<Environment>;
  using base = cuda_executor<typename meant_policy<Environment>::type>;

 public:
  explicit environment_executor(const Environment& environment) : policy(environment), base(policy::get()) {}
  environment_executor(const environment_executor& other) : policy(other), base(policy::get()) {}
  environment_executor& operator=(const environment_executor&) = delete;

  class bad_input_report : public base::bad_input_report {
   public:
    explicit bad_input_report(const Environment& environment, bool is_wanted = true)
        : base::bad_input_report(policy(environment).get(), is_wanted) {}
  };
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
