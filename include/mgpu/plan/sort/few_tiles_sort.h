// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sorts of small arrays on the GPU. Tiles find their borders themselves, and passes merge them by ranks: one launch
// each, one piece of memory, and nothing that a launch has to plan for the next one.

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/core/sort/few_tiles.h>
#include <mgpu/core/sort/item.h>
#include <mgpu/core/sort/ranks.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/workspace.h>
#include <mgpu/plan/scratch_layout.h>
#include <mgpu/plan/sort/arrays.h>
#include <mgpu/plan/sort/segments.h>
#include <mgpu/plan/sort/tiling.h>
#include <mgpu/tuning/few_tiles.h>
#include <mgpu/tuning/sort.h>

#include MGPU_CUDA_VERB_HEADER(read)
#include MGPU_CUDA_VERB_HEADER(run_each)

#include <cuda/std/type_traits>

#include <cstdint>
#include <stdexcept>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Whether small arrays are sorted here.
template <class Policy, class Keys, class Values>
constexpr bool has_few_tiles() {
  return exec::executor_of<Policy>::has_shared_memory && core::is_sorted_in_place<Keys, Values> &&
         tuning::has_few_tiles_shape(core::sort_case<base::value_type<Keys>, base::value_type<Values>>());
}

/// The order of a sort of small arrays: of numbers by less or greater one of all numbers.
template <class Key, class Compare>
constexpr auto order_of_few_tiles(const Compare& compare) {
  if constexpr (base::equivalents_are_equal<Compare, Key>)
    return base::number_order<Key, base::is_less<Compare, Key>>{};
  else return base::order<Compare>{compare};
}

/// A sort of an array of few tiles, step by step.
template <core::ties ties, core::tile_kind kind, class Policy, class Keys, class Values, class Segments, class Order>
class few_tiles_sort {
  using key = base::value_type<Keys>;
  using value = base::value_type<Values>;
  using executor = exec::executor_of<Policy>;
  using tiles_core = core::sort_few_tiles<ties, kind, Keys, Values, Segments, Order>;
  using pass_core = core::rank_pass<key, value, Order, Segments::has_one_segment>;
  static constexpr bool has_values = base::has_values<Values>;
  static constexpr bool is_guarded = !base::is_strict_weak_order<Order>, takes_turns = pass_core::takes_turns;

 public:
  few_tiles_sort(Policy& p, const sort_arrays<Keys, Values>& arrays, const sort_tiling& tiling,
                 const Segments& segments, const Order& order)
      : executor_(exec::executor(p)),
        arrays_(arrays),
        tiling_(tiling),
        segments_(segments),
        order_(order),
        passes_(passes_of(tiling)),
        memory_(p, tiling.tiles > 1 ? static_cast<offset>(lay_out({0}) + unit) : 0),
        bad_segments_(p) {
    if (tiling.tiles > 1) lay_out({base::align_up(reinterpret_cast<std::uintptr_t>(memory_.data()), unit)});
  }

  void run() {
    sort_tiles();
    int run_items = runs().tile_items;
    for (int pass = 0; pass < passes_.count; ++pass, run_items *= passes_.ways) merge(pass, run_items);
    executor_.complete();
  }

  /// Whether the segments were found to be bad. Unless the policy synchronizes, false.
  bool has_bad_segments() { return bad_segments_.is_raised(); }

 private:
  static constexpr auto unit = base::max<std::uintptr_t>(16, base::max(alignof(key), alignof(value)));

  /// Returns the end of the layout.
  std::uintptr_t lay_out(scratch_layout layout) {
    if constexpr (!Segments::has_one_segment) record_ = layout.take<core::few_tile>(tiling_.tiles);
    buffers_.keys[1] = layout.take<key>(tiling_.count, arrays_.keys);
    if constexpr (has_values) buffers_.values[1] = layout.take<value>(tiling_.count, arrays_.values);
    if constexpr (takes_turns) taken_ = layout.take<unsigned>(tiling_.count);
    return layout.end;
  }

  static tuning::rank_passes passes_of(const sort_tiling& tiling) {
    if constexpr (Segments::has_one_segment) {
      return tuning::passes_of_one_segment(tiling.tiles);
    } else {
      const offset tiles = base::ceil_div(tiling.count, tiling.cells.cell_items);
      return tuning::passes_of_segments(tiles, tiling.count, tiling.begin_with_segments);
    }
  }

  core::rank_runs runs() const {
    return {static_cast<int>(tiling_.cells.cell_items), passes_.ways, tiling_.begin_with_segments};
  }

  void sort_tiles() {
    buffers_.keys[0] = arrays_.keys;
    if constexpr (has_values) buffers_.values[0] = arrays_.values;
    const typename tiles_core::tile_type tile{
        arrays_.keys, arrays_.values, tiling_.count,        segments_, buffers_, true, nullptr, {},
        {},           nullptr,        bad_segments_.flag(), order_};
    core::rank_guard<key, value> guard{};
    if (is_guarded && passes_.count > 0) {
      guard.cleared = taken_;
      guard.cleared_count = takes_turns ? tiling_.count : 0;
      if (passes_.count > 1) {  // a single one writes to buffer 0 only
        guard.unwritten_keys = buffers_.keys[1];
        guard.unwritten_values = buffers_.values[1];
      }
    }
    executor_.run_each(tiles_core{tile, tiling_.tiles, tiling_.cells, runs(), record_, guard}, tiling_.tiles);
  }

  void merge(int pass, int run_items) {
    const bool have_little_to_do = kind == core::tile_kind::of_few && tiling_.begin_with_segments;
    const offset blocks = Segments::has_one_segment ? base::ceil_div(tiling_.count, offset{pass_core::part_items})
                                                    : offset{tuning::rank_blocks(have_little_to_do)};
    const pass_core core{buffers_,
                         static_cast<int>(tiling_.count),
                         static_cast<int>(tiling_.tiles),
                         runs(),
                         static_cast<int>(blocks),
                         pass,
                         passes_.count,
                         run_items,
                         record_,
                         taken_,
                         order_};
    executor_.run_each(core, blocks);
  }

  executor executor_;
  const sort_arrays<Keys, Values> arrays_;
  const sort_tiling& tiling_;
  const Segments& segments_;
  const Order order_;
  const tuning::rank_passes passes_;
  core::few_tile* record_ = nullptr;
  unsigned* taken_ = nullptr;
  core::sort_buffers<key, value> buffers_{};
  exec::workspace<char, Policy> memory_;
  typename executor::bad_input_report bad_segments_;
};

inline void throw_if_bad(bool has_bad_segments) {
  if (has_bad_segments) {
    throw std::invalid_argument(
        "mgpu: the segments' positions do not ascend, or leave the array; its elements are in no order");
  }
}

/// Sorts an array if it is small.
template <core::ties ties, class Policy, class Keys, class Values, class Segments, class Compare>
bool sort_if_small(Policy& p, const sort_arrays<Keys, Values>& arrays, offset count, const Segments& segments,
                   const Compare& compare) {
  if constexpr (plan::has_few_tiles<Policy, Keys, Values>()) {
    using key = base::value_type<Keys>;
    using value = base::value_type<Values>;
    constexpr tuning::sort_case c = core::sort_case<key, value>();
    constexpr offset most =
        plan::has_bounds<Segments> ? tuning::most_segmented_items_of_few_tiles(c) : tuning::most_items_of_few_tiles;
    if (count > most) return false;
    const auto order = plan::order_of_few_tiles<key>(compare);
    using order_type = cuda::std::remove_const_t<decltype(order)>;
    // Stands for all cores of the sort: they are compiled for the same architecture.
    constexpr bool has_one_segment = cuda::std::is_same_v<Segments, whole_array>;
    using core_type = core::rank_pass<key, value, order_type, has_one_segment>;
    const int cc = exec::executor_of<Policy>::template compiled_cc<core_type>();
    const auto run = [&](auto kind, const sort_tiling& tiling) {
      plan::with_segments(p, segments, tiling, [&](const auto& known) {
        using segments_type = cuda::std::decay_t<decltype(known)>;
        few_tiles_sort<ties, decltype(kind)::value, Policy, Keys, Values, segments_type, order_type> sort(
            p, arrays, tiling, known, order);
        sort.run();
        plan::throw_if_bad(sort.has_bad_segments());
      });
      return true;
    };
    constexpr cuda::std::integral_constant<core::tile_kind, core::tile_kind::of_few> of_few;
    [[maybe_unused]] constexpr cuda::std::integral_constant<core::tile_kind, core::tile_kind::by_ranks> by_ranks;
    const int most_items = tuning::sort_few_tiles(cc, c).items_per_tile();
    const sort_tiling tiling = sort_tiling::of_few_tiles(count, c, most_items, has_one_segment);
    [[maybe_unused]] const int ranked_items = tuning::sort_ranked_tiles(cc, c).items_per_tile();
    if constexpr (has_one_segment) {
      const offset items = tuning::items_of_ranked_tiles(count, c, ranked_items);
      if (items > 0) return run(by_ranks, sort_tiling::of_equal_tiles(count, items));
    } else if constexpr (plan::has_bounds<Segments>) {
      const offset stretches = plan::stretches_of(segments);
      constexpr int bytes = c.key_bytes + c.value_bytes;
      constexpr bool has_digits =
          base::ordered_bits<order_type>::exist && bytes <= 16 && most >= tuning::least_items_of_digit_tiles;
      constexpr bool sorts_warps = base::ordered_bits<order_type>::are_words && bytes <= 8;
      const auto tiles = tiling.tiles == 1 ? tuning::segment_tiles::of_cells
                                           : tuning::tiles_of_segments(stretches, count, most_items, ranked_items,
                                                                       bytes, has_digits, sorts_warps);
      if constexpr (has_digits) {
        constexpr cuda::std::integral_constant<core::tile_kind, core::tile_kind::by_digits> by_digits;
        const int digit_items = tuning::sort_digit_tiles(cc, c).items_per_tile();
        if (tiles == tuning::segment_tiles::by_digits)
          return run(by_digits, sort_tiling::of_few_segments(count, stretches, digit_items));
      }
      if (tiles == tuning::segment_tiles::by_ranks)
        return run(by_ranks, sort_tiling::of_few_segments(count, stretches, ranked_items));
      if (tiles == tuning::segment_tiles::merged)
        return run(of_few, sort_tiling::of_few_segments(count, stretches, most_items));
    }
    return run(of_few, tiling);
  } else {
    return false;
  }
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
