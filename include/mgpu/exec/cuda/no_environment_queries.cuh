// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How an environment is asked where CCCL has none yet: by its members get_stream() and get_memory_resource().

#include <mgpu/base/config.h>

#include <cuda/std/type_traits>

#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

template <class Environment, class = void>
inline constexpr bool answers_stream = false;
template <class Environment>
inline constexpr bool
    answers_stream<Environment, cuda::std::void_t<decltype(std::declval<const Environment&>().get_stream())>> = true;

template <class Environment>
auto ask_stream(const Environment& environment) {
  return environment.get_stream();
}

template <class Environment, class = void>
inline constexpr bool answers_resource = false;
template <class Environment>
inline constexpr bool answers_resource<
    Environment, cuda::std::void_t<decltype(std::declval<const Environment&>().get_memory_resource())>> = true;

template <class Environment>
auto ask_resource(const Environment& environment) -> decltype(environment.get_memory_resource()) {
  return environment.get_memory_resource();
}

template <class Environment>
inline constexpr bool is_cccl_environment = false;

}  // namespace detail::exec
MGPU_NAMESPACE_END
