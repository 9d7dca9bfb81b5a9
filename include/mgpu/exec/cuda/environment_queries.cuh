// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How an environment is asked, by CCCL's own functions. The members get_stream() and get_memory_resource() of a class
// answer, too.

#include <mgpu/base/config.h>

#include <cuda/__memory_resource/get_memory_resource.h>
#include <cuda/__stream/get_stream.h>
#include <cuda/std/__execution/env.h>
#include <cuda/std/type_traits>

#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

template <class Environment, class = void>
inline constexpr bool answers_stream = false;
template <class Environment>
inline constexpr bool
    answers_stream<Environment, cuda::std::void_t<decltype(cuda::get_stream(std::declval<const Environment&>()))>> =
        true;

template <class Environment>
cuda::stream_ref ask_stream(const Environment& environment) {
  return cuda::get_stream(environment);
}

template <class Environment, class = void>
inline constexpr bool answers_resource = false;
template <class Environment>
inline constexpr bool answers_resource<
    Environment, cuda::std::void_t<decltype(cuda::mr::get_memory_resource(std::declval<const Environment&>()))>> = true;

template <class Environment>
auto ask_resource(const Environment& environment) -> decltype(cuda::mr::get_memory_resource(environment)) {
  return cuda::mr::get_memory_resource(environment);
}

template <class... Environments>
constexpr bool is_made_of(const cuda::std::execution::env<Environments...>*) {
  return true;
}
constexpr bool is_made_of(const void*) { return false; }

/// An environment that need not answer anything.
template <class Environment>
inline constexpr bool is_cccl_environment = exec::is_made_of(static_cast<const Environment*>(nullptr));

}  // namespace detail::exec
MGPU_NAMESPACE_END
