// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/assert.h>
#include <mgpu/base/math.h>
#include <mgpu/exec/cuda/executor.cuh>
#include <mgpu/exec/cuda/kernels/call_each.cuh>

#include MGPU_VERB_RANGE_HEADER

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

template <class Policy>
template <class Function>
auto cuda_executor<Policy>::each(offset count, const Function& f) const {
  MGPU_ASSERT(count > 0);
  [[maybe_unused]] const verb_range<Function> range("each");
  const offset blocks = base::ceil_div<offset>(count, each_threads);
  exec::launch({blocks, each_threads, 0, false, stream()}, call_each<Function>, f, count);
}

template <class Policy>
template <class Function>
auto cuda_executor<Policy>::search_each(offset count, const Function& f) const {
  MGPU_ASSERT(count > 0);
  [[maybe_unused]] const verb_range<Function> range("search_each");
  const offset blocks = base::ceil_div<offset>(count, each_threads / 32);
  exec::launch({blocks, each_threads, 0, false, stream()}, search_each_by_warp<Function>, f, count);
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
