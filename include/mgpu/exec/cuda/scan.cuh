// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/assert.h>
#include <mgpu/base/math.h>
#include <mgpu/exec/cuda/cub_memory.cuh>
#include <mgpu/exec/cuda/executor.cuh>

#include MGPU_VERB_RANGE_HEADER

#include <cub/device/device_scan.cuh>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstddef>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// What a profiler calls the verbs.
struct scan_range {
  static constexpr const char* name = "scan";
};

/// `scan(memory, bytes)` is a call of CUB.
template <class Policy>
template <class Scan>
void cuda_executor<Policy>::run_scan(const Scan& scan) const {
  [[maybe_unused]] const verb_range<scan_range> range("scan");
  exec::check_no_error_is_left();
  std::size_t bytes = 0;
  exec::check_cuda(scan(nullptr, bytes), "the size of cub::DeviceScan");
  const cub_memory<Policy> memory(policy_, bytes);
  exec::check_cuda(scan(memory.data(), bytes), "cub::DeviceScan");
  complete();
}

template <class Policy>
template <class T, class Sum>
auto cuda_executor<Policy>::scan_in_place(T* values, offset count, const Sum& sum) const {
  MGPU_ASSERT(count > 0);
  run_scan([&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveScan(memory, bytes, values, values, sum, count, stream());
  });
}

template <class Policy>
template <class Function, class T, class Sum>
auto cuda_executor<Policy>::exclusive_scan(const Function& value_of, offset count, T* out, const Sum& sum) const {
  MGPU_ASSERT(count > 0);
  const THRUST_NS_QUALIFIER::counting_iterator<offset> numbers(0);
  const auto values = THRUST_NS_QUALIFIER::make_transform_iterator(numbers, value_of);
  run_scan([&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveScan(memory, bytes, values, out, sum, T{0}, count, stream());
  });
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
