// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// Sorted runs of an array of which all but the last have `run_items` elements. A core of merge_runs that reads them is
/// run by run_sampled_ways.
template <class Key, class Value>
struct equal_runs {
  static constexpr bool has_values = !cuda::std::is_same_v<Value, base::no_values::value_type>;
  using keys_type = const Key*;
  using values_type = cuda::std::conditional_t<has_values, const Value*, base::no_values>;
  static constexpr bool is_one_array = true;
  static constexpr bool has_samples = true;

  keys_type keys;      // [total]
  values_type values;  // [total]
  int run_items;       // a multiple of sample_items
  int sample_items;    // every so many elements of a run one is a sample; a power of two
  offset count;        // of the runs
  offset total;        // of their elements

  MGPU_HOST_DEVICE offset bound(offset i) const { return base::min(i * run_items, total); }
  MGPU_HOST_DEVICE offset place(offset run) const { return bound(run); }
  MGPU_HOST_DEVICE offset length(offset first, offset last) const { return bound(last) - bound(first); }
  MGPU_HOST_DEVICE offset extent(offset) const { return total; }
  MGPU_HOST_DEVICE keys_type keys_at(offset, offset place) const { return keys + place; }
  MGPU_HOST_DEVICE values_type values_at(offset, offset place) const { return values + place; }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
