// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/order.h>
#include <mgpu/core/odd_even/merge_sort.h>
#include <mgpu/core/odd_even/pass.h>
#include <mgpu/core/odd_even/step_pass.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/requirements.h>
#include <mgpu/plan/sort/arrays.h>
#include <mgpu/plan/sort/by_positions.h>

#include MGPU_CUDA_VERB_HEADER(run_each_copying)

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// The passes of Batcher's network over an array, each over all of its tiles.
template <class Policy, class Keys, class Values, class Compare>
void odd_even_merge_sort_checked(const Policy& policy, const sort_range<Keys, Values>& range, const Compare& compare) {
  auto executor = exec::executor(policy);
  const offset count = range.checked_count();
  if (count == 0) return;
  const auto arrays = plan::checked_arrays(policy, range, count);
  using arrays_type = cuda::std::remove_const_t<decltype(arrays)>;
  using core_type = core::odd_even_merge_sort<typename arrays_type::keys_type, typename arrays_type::values_type,
                                              base::order<Compare>>;
  using pass_type = typename core_type::pass_type;
  const int tile_items = static_cast<int>(exec::executor_of<Policy>::template items_per_tile<core_type>());
  const auto run = [&](const auto& pass) {
    const offset tiles = pass.tiles(count);
    if (tiles > 0) executor.run_each(core_type{arrays.keys, arrays.values, count, pass_type(pass), {compare}}, tiles);
  };
  if constexpr (core_type::has_steps && exec::executor_of<Policy>::has_shared_memory) {
    core::for_each_odd_even_step_pass(count, core_type::element_bytes, tile_items, run);
  } else {
    core::for_each_odd_even_pass(count, core_type::element_bytes, tile_items, run);
  }
  executor.complete();
}

template <class Policy, class Keys, class Values, class Compare>
void odd_even_merge_sort(const Policy& policy, const sort_range<Keys, Values>& range, const Compare& compare) {
  if constexpr (exec::meets<exec::mgpu_policy<Policy>, exec::random_access_inputs<Keys, Values>,
                            exec::movable_elements<Policy, Keys, Values>, exec::writable_ranges<Keys, Values>,
                            exec::comparator_of_keys<Compare, Keys>, exec::callable_comparator<Policy, Compare>>) {
    using core_type = core::odd_even_merge_sort<exec::unwrapped<Keys>, exec::unwrapped<Values>, base::order<Compare>>;
    if constexpr (core_type::fits_tile) {
      plan::odd_even_merge_sort_checked(policy, range, compare);
    } else {
      plan::sort_by_positions(policy, range, compare, [&](const auto& positions, const auto& order) {
        plan::odd_even_merge_sort_checked(policy, positions, order);
      });
    }
  }
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
