// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sorts of small arrays on the GPU. Tiles find their borders themselves, and passes merge them by ranks: one launch
// each, one piece of memory, and nothing that a launch has to plan for the next one.

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/core/sort/item.h>
#include <mgpu/core/sort/ranks.h>
#include <mgpu/core/sort/small_tiles.h>
#include <mgpu/exec/kernel_facts.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/workspace.h>
#include <mgpu/plan/scratch_layout.h>
#include <mgpu/plan/sort/arrays.h>
#include <mgpu/plan/sort/segments.h>
#include <mgpu/plan/sort/tiling.h>
#include <mgpu/tuning/small_sort_tiles.h>
#include <mgpu/tuning/sort.h>

#include MGPU_CUDA_VERB_HEADER(read)
#include MGPU_CUDA_VERB_HEADER(run_each_sorting)

#include <cuda/std/type_traits>

#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Whether arrays of such elements may be sorted in small tiles, on the GPU.
template <class Policy, class Keys, class Values>
constexpr bool fit_small_tiles() {
  return exec::executor_of<Policy>::has_shared_memory && core::is_sorted_in_place<Keys, Values> &&
         tuning::fit_small_tiles(core::sort_case<base::value_type<Keys>, base::value_type<Values>>());
}

/// A sort of a small array, step by step.
template <core::ties ties, core::tile_kind kind, class Policy, class Keys, class Values, class Segments, class Order>
class small_sort_steps {
  using key = base::value_type<Keys>;
  using value = base::value_type<Values>;
  using executor = exec::executor_of<Policy>;
  using tiles_core = core::sort_small_tiles<ties, kind, Keys, Values, Segments, Order>;
  using pass_core = core::rank_pass<key, value, Order, Segments::has_one_segment>;
  static constexpr bool has_values = base::has_values<Values>;
  static constexpr bool is_guarded = !base::is_strict_weak_order<Order>, takes_turns = pass_core::takes_turns;

 public:
  small_sort_steps(Policy& p, const sort_arrays<Keys, Values>& arrays, const sort_tiling& tiling,
                   const Segments& segments, const Order& order, int multiprocessors)
      : executor_(exec::executor(p)),
        arrays_(arrays),
        tiling_(tiling),
        segments_(segments),
        order_(order),
        multiprocessors_(multiprocessors),
        passes_(passes_of(tiling, multiprocessors)),
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
    if constexpr (!Segments::has_one_segment) record_ = layout.take<core::small_tile>(tiling_.tiles);
    buffers_.keys[1] = layout.take<key>(tiling_.count, arrays_.keys);
    if constexpr (has_values) buffers_.values[1] = layout.take<value>(tiling_.count, arrays_.values);
    if constexpr (takes_turns) taken_ = layout.take<unsigned>(tiling_.count);
    return layout.end;
  }

  static tuning::rank_passes passes_of(const sort_tiling& tiling, [[maybe_unused]] int multiprocessors) {
    if constexpr (Segments::has_one_segment) {
      return tuning::passes_of_one_segment(tiling.tiles);
    } else {
      const offset tiles = base::ceil_div(tiling.count, tiling.cells.cell_items);
      return tuning::passes_of_segments(tiles, tiling.count, tiling.begin_with_segments, multiprocessors);
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
    const bool have_little_to_do = kind == core::tile_kind::small && tiling_.begin_with_segments;
    const offset blocks = Segments::has_one_segment ? base::ceil_div(tiling_.count, offset{pass_core::part_items})
                                                    : offset{tuning::rank_blocks(have_little_to_do)} * multiprocessors_;
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
  const int multiprocessors_;
  const tuning::rank_passes passes_;
  core::small_tile* record_ = nullptr;
  unsigned* taken_ = nullptr;
  core::sort_buffers<key, value> buffers_{};
  exec::workspace<char, Policy> memory_;
  typename executor::bad_input_report bad_segments_;
};

/// The core of the passes of a small sort.
template <class Policy, class Keys, class Values, class Segments, class Compare>
using small_pass_core =
    core::rank_pass<base::value_type<Keys>, base::value_type<Values>,
                    decltype(plan::order_of_tiles<base::value_type<Keys>>(cuda::std::declval<const Compare&>())),
                    is_one_array<Segments>>;

/// Chooses the tiles of a small array: calls run(kind, tiling).
template <class Policy, class Keys, class Values, class Segments, class Order, class Run>
void with_small_tiles(offset count, const Segments& segments, const Order&, const exec::kernel_facts& device,
                      const Run& run) {
  constexpr tuning::sort_case c = core::sort_case<base::value_type<Keys>, base::value_type<Values>>();
  constexpr bool has_one_segment = is_one_array<Segments>;
  constexpr cuda::std::integral_constant<core::tile_kind, core::tile_kind::small> merged;
  [[maybe_unused]] constexpr cuda::std::integral_constant<core::tile_kind, core::tile_kind::ranked> ranked;
  const int tile_items = tuning::sort_small_tiles(device.cc, c).items_per_tile();
  [[maybe_unused]] const int ranked_items = tuning::sort_ranked_tiles(device.cc, c).items_per_tile();
  const offset items = tuning::small_tile_items(count, c, tile_items, has_one_segment, device.multiprocessors);
  if constexpr (has_one_segment) {
    const offset of_ranked = tuning::items_of_ranked_tiles(count, c, ranked_items);
    if (of_ranked > 0) return run(ranked, sort_tiling::of_equal_tiles(count, of_ranked));
    return run(merged, sort_tiling::of_equal_tiles(count, items));
  } else if constexpr (plan::has_bounds<Segments>) {
    constexpr int bytes = c.key_bytes + c.value_bytes;
    constexpr bool has_digits = base::ordered_bits<Order>::exist && bytes <= 16;
    const int digit_items = has_digits ? tuning::sort_digit_tiles(device.cc, c).items_per_tile() : 0;
    const offset stretches = plan::stretches_of(segments);
    constexpr bool sorts_warps = base::ordered_bits<Order>::are_words && bytes <= 8;
    const tuning::small_segments s{count,        stretches,   bytes,       tile_items,
                                   ranked_items, digit_items, sorts_warps, device.multiprocessors};
    const auto tiles = items >= count ? tuning::segment_tiles::cells : s.tiles();
    if constexpr (has_digits) {
      constexpr cuda::std::integral_constant<core::tile_kind, core::tile_kind::by_digits> by_digits;
      if (tiles == tuning::segment_tiles::by_digits)
        return run(by_digits, sort_tiling::of_segments(count, stretches, digit_items));
    }
    if (tiles == tuning::segment_tiles::ranked)
      return run(ranked, sort_tiling::of_segments(count, stretches, ranked_items));
    if (tiles == tuning::segment_tiles::merged)
      return run(merged, sort_tiling::of_segments(count, stretches, tile_items));
  }
  if constexpr (!has_one_segment) run(merged, sort_tiling::of_cells(count, items, tile_items));
}

/// Sorts a small array.
template <core::ties ties, class Policy, class Keys, class Values, class Segments, class Compare>
void sort_in_small_tiles(Policy& p, const sort_arrays<Keys, Values>& arrays, offset count, const Segments& segments,
                         const Compare& compare, const exec::kernel_facts& device) {
  const auto order = plan::order_of_tiles<base::value_type<Keys>>(compare);
  using order_type = cuda::std::remove_const_t<decltype(order)>;
  plan::with_small_tiles<Policy, Keys, Values>(
      count, segments, order, device, [&](auto kind, const sort_tiling& tiling) {
        plan::with_segments(p, segments, tiling, [&](const auto& known) {
          using segments_type = cuda::std::decay_t<decltype(known)>;
          small_sort_steps<ties, decltype(kind)::value, Policy, Keys, Values, segments_type, order_type> sort(
              p, arrays, tiling, known, order, device.multiprocessors);
          sort.run();
          plan::throw_if_bad(sort.has_bad_segments());
        });
      });
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
