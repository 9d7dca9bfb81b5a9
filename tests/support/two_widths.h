// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Included before everything else in the harness: nvcc takes ten seconds for a width of merges of runs of a type. The
// family's own test has all widths, and with MGPU_TEST_FULL every test has.

#include <mgpu/tuning/trial.h>

#include <cuda/std/utility>

MGPU_NAMESPACE_BEGIN
namespace detail::tuning {

/// One narrow width and the widest.
template <>
struct widths_trial<cuda::std::integer_sequence<int, 4, 8, 16, 32>> {
  using type = cuda::std::integer_sequence<int, 8, 32>;
};

}  // namespace detail::tuning
MGPU_NAMESPACE_END
