// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Scans for plans, which do not name Thrust. Thrust runs them on the policy's system, with the policy's allocator.

#include <mgpu/base/math.h>
#include <mgpu/exec/policy.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// Replaces values[i] by the `sum` of values[0, i].
template <class Policy, class T, class Sum>
void inclusive_scan_in_place(Policy& p, T* values, offset count, const Sum& sum) {
  THRUST_NS_QUALIFIER::inclusive_scan(meant_policy<Policy>(p).get(), values, values + count, values, sum);
}

/// Replaces values[i] by the `sum` of values[i, count).
template <class Policy, class T, class Sum>
void inclusive_scan_from_end(Policy& p, T* values, offset count, const Sum& sum) {
  const auto last = THRUST_NS_QUALIFIER::make_reverse_iterator(values + count);
  THRUST_NS_QUALIFIER::inclusive_scan(meant_policy<Policy>(p).get(), last, last + count, last, sum);
}

/// Writes to out[i] the `sum` of value_of(0), ..., value_of(i - 1), and to out[0] zero.
template <class Policy, class Function, class T, class Sum>
void exclusive_scan_of(Policy& p, const Function& value_of, offset count, T* out, const Sum& sum) {
  const THRUST_NS_QUALIFIER::counting_iterator<offset> numbers(0);
  const auto values = THRUST_NS_QUALIFIER::make_transform_iterator(numbers, value_of);
  THRUST_NS_QUALIFIER::exclusive_scan(meant_policy<Policy>(p).get(), values, values + count, out, T{0}, sum);
}

}  // namespace exec
MGPU_NAMESPACE_END
