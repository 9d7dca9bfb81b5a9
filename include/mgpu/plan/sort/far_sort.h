// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The part of a locality sort of numbers that sorts arrays which are far from sorted: by digits, if samples say so.
// Only the device knows, so the merge sort is launched, too, and then finds nothing to do.

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/core/sort/borders.h>
#include <mgpu/core/sort/radix_sort.h>
#include <mgpu/core/sort/sample_order.h>
#include <mgpu/exec/policy.h>
#include <mgpu/plan/scratch_layout.h>
#include <mgpu/plan/sort/arrays.h>
#include <mgpu/plan/sort/radix_sort.h>
#include <mgpu/plan/sort/segments.h>
#include <mgpu/plan/sort/tiling.h>
#include <mgpu/tuning/sort.h>

#include MGPU_CUDA_VERB_HEADER(each)
#include MGPU_CUDA_VERB_HEADER(run_each)

#include <cuda/std/cstdint>
#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// A sort of numbers whose order is not known, before the merge sort of the same array. None if `applies` is false.
template <class Policy, class Keys, class Values, class Segments, class Compare, class = void>
struct far_sort {
  static constexpr bool is_possible = false;
  static constexpr bool applies(offset) { return false; }
  static constexpr offset bytes(offset) { return 0; }
};

template <class Policy, class Keys, class Values, class Segments, class Compare>
struct far_sort<Policy, Keys, Values, Segments, Compare,
                cuda::std::enable_if_t<cuda::std::is_same_v<Segments, whole_array> &&
                                       plan::has_radix_sorted_segments<Policy, Keys, Values, Compare>()>> {
  using key = base::value_type<Keys>;
  using order = core::number_bits<key, Compare>;
  using bits = typename order::type;
  using value = radix_value<Values>;
  using sort_core = core::radix_sort<order, value>;
  static constexpr bool is_possible = true;
  static constexpr tuning::sort_case sizes = core::sort_case<key, base::value_type<Values>>();

  /// Whether an array of so many elements may be sorted by digits.
  static constexpr bool applies(offset count) {
    return count >= tuning::least_far_count(sizes.key_bytes, sizes.value_bytes) &&
           tuning::segments_sorted_by_digits(sizes.key_bytes, sizes.value_bytes).has(1, count);
  }

  /// The bytes of scratch memory beside that of the merge sort.
  static offset bytes(offset count) {
    far_sort sort;
    scratch_layout layout{0};
    sort.lay_out(layout, count);
    return static_cast<offset>(layout.end) + 16;
  }

  /// Finds the borders of the merge sort's tiles, takes samples, and sorts the array if it is far from sorted.
  template <class Find, class Buffers>
  void run(Policy& p, char* memory, const sort_tiling& tiling, const Find& find_borders, const Buffers& buffers,
           int* is_sorted) {
    scratch_layout layout{base::align_up<std::uintptr_t>(reinterpret_cast<std::uintptr_t>(memory), 16)};
    lay_out(layout, tiling.count);
    const auto executor = exec::executor(p);
    const core::prepare_radix_sort<core::one_segment> prepare{{tiling.count}, {nullptr}, progress,
                                                              tile_items(),   cleared,   cleared_pairs};
    const core::sample_order<Find, core::prepare_radix_sort<core::one_segment>, key, order> sample{
        find_borders, tiling.tiles + 1, prepare, buffers.keys[0], tiling.count, tiling.cells.cell_items, samples};
    executor.each(sample.calls(), sample);
    const auto as_bits = [](key* x) { return reinterpret_cast<bits*>(x); };
    const auto as_values = [](auto* x) { return reinterpret_cast<value*>(x); };
    const sort_core sort{{as_bits(buffers.keys[0]), as_bits(buffers.keys[1])},
                         {as_values(buffers.values[0]), as_values(buffers.values[1])},
                         tiling.count,
                         most_tiles(tiling.count),
                         progress,
                         {samples},
                         is_sorted};
    executor.run_each(sort, sort.most_blocks());
  }

 private:
  static int tile_items() { return exec::executor_of<Policy>::template items_per_tile<sort_core>(); }
  static offset most_tiles(offset count) { return count / tile_items() + 1; }

  void lay_out(scratch_layout& layout, offset count) {
    progress = plan::lay_out_radix_progress<order>(layout, 1, most_tiles(count), cleared, cleared_pairs);
    samples = layout.take<cuda::std::uint32_t>(core::order_samples::words);
  }

  core::radix_progress progress{};
  cuda::std::uint64_t* cleared = nullptr;
  offset cleared_pairs = 0;
  cuda::std::uint32_t* samples = nullptr;
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
