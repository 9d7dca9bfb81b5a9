// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Included before everything else in tests that ask what kernels do, and not how fast they are. A thread has few
// elements: nvcc unrolls all that it does with them, in sorts the square of it. The harness and each family's own test
// have the library's tiles, and with MGPU_TEST_FULL every test has.

#include "small_tiles_of_large_arrays.h"

#include <mgpu/tuning/trial.h>

#include <cuda/std/utility>

MGPU_NAMESPACE_BEGIN
namespace detail::tuning {

/// Merges of runs have the widest pass alone.
template <>
struct widths_trial<cuda::std::integer_sequence<int, 4, 8, 16, 32>> {
  using type = cuda::std::integer_sequence<int, 32>;
};

struct merge_case;
struct merge_runs_case;
struct set_operation_case;
struct search_case;
struct radix_case;
struct sampled_sort_shape;

template <>
struct trial<merge_case> : small_tile {};
template <>
struct trial<merge_runs_case> : small_tile {};
template <>
struct trial<set_operation_case> : small_tile {};
template <>
struct trial<search_case> : small_tile {};
template <>
struct trial<radix_case> : small_tile {};
template <>
struct trial<sampled_sort_shape> : small_tile {};

/// Arrays that are sorted in large tiles are large enough with some thousand elements. 0 stays: no array of such
/// elements goes that way.
struct small_sort_shape;
template <>
struct count_trial<small_sort_shape> {
  static constexpr offset of(offset chosen) { return chosen == 0 ? 0 : 6000; }
};
template <>
struct count_trial<sampled_sort_shape> {
  static constexpr offset of(offset chosen) { return chosen == 0 ? 0 : 250'000; }
};

}  // namespace detail::tuning
MGPU_NAMESPACE_END
