// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The calls of sort.h, segmented_sort.h and locality_sort.h: each asks plan/sort/choose.h, and goes the way it says.

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/core/sort/item.h>
#include <mgpu/exec/kernel_facts.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/requirements.h>
#include <mgpu/plan/sort/arrays.h>
#include <mgpu/plan/sort/by_merges.h>
#include <mgpu/plan/sort/by_positions.h>
#include <mgpu/plan/sort/choose.h>
#include <mgpu/plan/sort/radix_sort.h>
#include <mgpu/plan/sort/sampled_sort.h>
#include <mgpu/plan/sort/segments.h>
#include <mgpu/plan/sort/small_sort.h>
#include <mgpu/sort_statistics.h>
#include <mgpu/tuning/sort.h>

#include MGPU_CUDA_VERB_HEADER(radix_sort)
#include MGPU_CUDA_VERB_HEADER(run_each_sorting)

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// The ties that a sort has to keep: integers without values that are equal cannot be told apart.
template <core::ties ties, class Keys, class Values, class Compare, class Key = base::value_type<Keys>>
inline constexpr core::ties needed_ties =
    !base::has_values<Values> && cuda::std::is_integral_v<Key> && base::equivalents_are_equal<Compare, Key>
        ? core::ties::any_order
        : ties;

/// What the chooser is told of a sort when it is compiled.
template <class Policy, class Keys, class Values, class Segments, class Compare>
constexpr sort_types types_of_sort() {
  using key = base::value_type<Keys>;
  using value = base::value_type<Values>;
  sort_types t{};
  t.sizes = core::sort_case<key, value>();
  t.has_one_segment = is_one_array<Segments>;
  t.has_bounds = plan::has_bounds<Segments>;
  t.may_be_ordered = cuda::std::is_same_v<Segments, nearly_sorted_array>;
  t.fit_small_tiles = plan::fit_small_tiles<Policy, Keys, Values>();
  t.have_cub_sort =
      plan::has_radix_order<Policy, Keys, Values, Compare>() && t.sizes.value_bytes <= tuning::most_radix_value_bytes;
  t.have_digits = plan::has_radix_sorted_segments<Policy, Keys, Values, Compare>();
  t.are_bytes = plan::has_counted_bytes<Policy, Keys, Values, Compare>();
  return t;
}

/// What a sort is told of its device. One kernel stands for all: they are compiled for the same architecture. Of more
/// multiprocessors than tuning::most_multiprocessors, passes over small tiles could not list the tiles.
template <class Policy, class Keys, class Values, class Segments, class Compare>
exec::kernel_facts device_of_sort() {
  using core_type = small_pass_core<Policy, Keys, Values, Segments, Compare>;
  exec::kernel_facts device = exec::executor_of<Policy>::template facts<core_type>();
  device.multiprocessors = base::min(device.multiprocessors, tuning::most_multiprocessors);
  return device;
}

/// The way of a sort on the GPU.
template <class Policy, class Keys, class Values, class Segments, class Compare>
sort_way way_of_sort(offset count, const Segments& segments, const exec::kernel_facts& device) {
  offset stretches = 0;
  if constexpr (plan::has_bounds<Segments>) stretches = plan::stretches_of(segments);
  constexpr sort_types types = plan::types_of_sort<Policy, Keys, Values, Segments, Compare>();
  return plan::choose_sort(types, {count, stretches, device.multiprocessors}).way;
}

/// Calls sort(known, flag) with a core's segments and the flag of bad ones. It synchronizes if the policy does.
template <class Policy, class Segments, class Sort>
void with_checked_segments(Policy& p, offset count, const Segments& segments, const Sort& sort) {
  plan::with_segments(p, segments, sort_tiling::of_single_tile(count), [&](const auto& known) {
    typename exec::executor_of<Policy>::bad_input_report bad_segments(p);
    sort(known, bad_segments.flag());
    plan::throw_if_bad(bad_segments.is_raised());
  });
}

/// A sort on the GPU. A way that no array of such elements goes is not compiled.
template <core::ties ties, class Policy, class Keys, class Values, class Segments, class Compare>
void sort_on_gpu(Policy& p, const sort_arrays<Keys, Values>& arrays, offset count, const Segments& segments,
                 const Compare& compare) {
  constexpr sort_types types = plan::types_of_sort<Policy, Keys, Values, Segments, Compare>();
  if constexpr (!types.fit_small_tiles) {
    plan::sort_by_merges<ties>(p, arrays, count, segments, compare, nullptr);
  } else {
    const exec::kernel_facts device = plan::device_of_sort<Policy, Keys, Values, Segments, Compare>();
    switch (plan::way_of_sort<Policy, Keys, Values, Segments, Compare>(count, segments, device)) {
      case sort_way::in_small_tiles:
        return plan::sort_in_small_tiles<ties>(p, arrays, count, segments, compare, device);
      case sort_way::by_samples:
        if constexpr (types.has_sampled_sort()) return plan::sort_by_samples(p, arrays, count, compare);
        break;
      case sort_way::by_digits:
        if constexpr (types.has_digit_sort() && is_one_array<Segments>) {
          return plan::radix_sort_segments(p, arrays, count, core::one_segment{count}, compare, {nullptr});
        } else if constexpr (types.has_digit_sort()) {
          return plan::with_checked_segments(p, count, segments, [&](const auto& known, base::bad_input_flag bad) {
            plan::radix_sort_segments(p, arrays, count, known, compare, bad);
          });
        }
        break;
      case sort_way::by_counts:
        if constexpr (types.has_count_sort()) {
          return plan::with_checked_segments(p, count, segments, [&](const auto& known, base::bad_input_flag bad) {
            plan::sort_bytes(p, arrays.keys, count, known, compare, bad);
          });
        }
        break;
      case sort_way::by_cub:
      case sort_way::by_merges:
        break;
    }
    // Either of these ways takes all that is not taken yet.
    if constexpr (types.has_cub_sort())
      exec::executor(p).template radix_sort<Compare>(arrays.keys, arrays.values, count);
    else plan::sort_by_merges<ties>(p, arrays, count, segments, compare, nullptr);
  }
}

/// A sort of arguments of sound types.
template <core::ties ties, class Policy, class Keys, class Values, class Segments, class Compare>
void sort_checked(const Policy& policy, const sort_range<Keys, Values>& range, const Segments& segments,
                  const Compare& compare, sort_statistics* statistics = nullptr) {
  Policy& p = exec::mutable_policy(policy);
  const offset count = range.checked_count();
  if (statistics != nullptr) *statistics = {};
  if (count == 0) return;
  const auto arrays = plan::checked_arrays(p, range, count);
  using keys_type = typename cuda::std::remove_const_t<decltype(arrays)>::keys_type;
  using values_type = typename cuda::std::remove_const_t<decltype(arrays)>::values_type;
  constexpr core::ties needed = needed_ties<ties, keys_type, values_type, Compare>;
  if constexpr (exec::executor_of<Policy>::has_shared_memory) {
    if (statistics == nullptr) return plan::sort_on_gpu<needed>(p, arrays, count, segments, compare);
  }
  if constexpr (!exec::executor_of<Policy>::has_shared_memory || !cuda::std::is_same_v<Segments, whole_array>)
    plan::sort_by_merges<needed>(p, arrays, count, segments, compare, statistics);
}

template <class Compare>
struct comparator_before_statistics {
  static constexpr bool value = !cuda::std::is_same_v<Compare, sort_statistics>;
  static_assert(value, "sort statistics come after the comparator");
};

/// Every sort of segments, and of an array that is one.
template <core::ties ties, class Policy, class Keys, class Values, class Segments, class Compare>
void sort_elements(const Policy& policy, const sort_range<Keys, Values>& range, const Segments& segments,
                   const Compare& compare, sort_statistics* statistics = nullptr) {
  if constexpr (exec::meets<exec::mgpu_policy<Policy>, exec::random_access_inputs<Keys, Values>,
                            exec::known_segments<Segments>, comparator_before_statistics<Compare>,
                            exec::movable_elements<Policy, Keys, Values>, exec::writable_ranges<Keys, Values>,
                            exec::comparator_of_keys<Compare, Keys>, exec::callable_comparator<Policy, Compare>>) {
    if constexpr (plan::fit_sort_tiles<Policy, Keys, Values>()) {
      plan::sort_checked<ties>(policy, range, segments, compare, statistics);
    } else {
      if (statistics != nullptr) *statistics = {};
      plan::sort_by_positions(policy, range, compare, [&](const auto& positions, const auto& order) {
        plan::sort_checked<ties>(policy, positions, segments, order, statistics);
      });
    }
  }
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
