// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/exec/policy.h>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// A compile error for every T.
template <class T>
struct needs_nvcc {
  static_assert(sizeof(T) == 0,
                "mgpu::par runs on CUDA, and this file is not compiled by nvcc: name it .cu, or, for a program that "
                "runs on the CPU only, define THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP (or _OMP, _TBB) for all of "
                "its files; mgpu::cpp::par, omp::par and tbb::par run on the CPU in any file");
  using type = T;
};

/// What mgpu::par is in a file that nvcc does not compile. The header may be included there, but nothing can run.
struct policy_without_nvcc {
  template <class Stream>
  typename needs_nvcc<Stream>::type on(Stream) const;
  template <class Allocator>
  typename needs_nvcc<Allocator>::type operator()(const Allocator&) const;

  /// Every algorithm calls it.
  template <class Policy>
  friend typename needs_nvcc<Policy>::type derived_type(const Policy*);
};

namespace without_nvcc {
inline constexpr policy_without_nvcc par{};
inline constexpr policy_without_nvcc par_nosync{};
}  // namespace without_nvcc
}  // namespace detail::exec
MGPU_NAMESPACE_END
