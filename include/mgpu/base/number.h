// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

#include <cuda/std/type_traits>

// CUDA's numbers of two bytes. Who has such elements includes <cuda_fp16.h> or <cuda_bf16.h>: not all others do, whose
// toolkit may have neither.
struct __half;         // NOLINT(bugprone-reserved-identifier)
struct __nv_bfloat16;  // NOLINT(bugprone-reserved-identifier)

MGPU_NAMESPACE_BEGIN
namespace detail::base {

/// True for CUDA's floating-point numbers of two bytes.
template <class T>
inline constexpr bool is_short_float = cuda::std::is_same_v<T, __half> || cuda::std::is_same_v<T, __nv_bfloat16>;

template <class T>
inline constexpr bool is_floating = cuda::std::is_floating_point_v<T> || is_short_float<T>;

/// True for types whose less and greater the library knows: __int128 is arithmetic for cuda::std.
template <class T>
inline constexpr bool is_number = cuda::std::is_arithmetic_v<T> || is_short_float<T>;

}  // namespace detail::base
MGPU_NAMESPACE_END
