// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sorts of whole arrays of middle size, on the GPU. Tiles are sorted, and passes merge up to 16 runs at
// a time as merge_runs does. Their splits come from the ranks of samples.

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/core/runs/merge_runs.h>
#include <mgpu/core/sort/equal_runs.h>
#include <mgpu/core/sort/segments.h>
#include <mgpu/core/sort/small_tiles.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/workspace.h>
#include <mgpu/plan/runs/passes.h>
#include <mgpu/plan/scratch_layout.h>
#include <mgpu/plan/sort/arrays.h>
#include <mgpu/tuning/sort.h>

#include MGPU_CUDA_VERB_HEADER(run_each_sorting)
#include MGPU_CUDA_VERB_HEADER(run_ways)

#include <cuda/std/type_traits>

#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// One such sort, step by step.
template <class Policy, class Keys, class Values, class Order>
class sampled_sort {
  using key = base::value_type<Keys>;
  using value = base::value_type<Values>;
  using executor = exec::executor_of<Policy>;
  static constexpr bool has_values = base::has_values<Values>;
  using tiles_core =
      core::sort_small_tiles<core::ties::keep_order, core::tile_kind::sampled, Keys, Values, core::one_segment, Order>;
  using runs_type = core::equal_runs<key, value>;
  using values_pointer = cuda::std::conditional_t<has_values, value*, base::no_values>;
  using pass_core = core::merge_runs<tuning::most_sampled_runs, runs_type, key*, values_pointer, Order>;

 public:
  sampled_sort(Policy& p, const sort_arrays<Keys, Values>& arrays, offset count, const Order& order)
      : executor_(exec::executor(p)),
        arrays_(arrays),
        count_(count),
        order_(order),
        run_items_(items_of_tile()),
        tiles_(base::ceil_div(count, offset{run_items_})),
        passes_(tiles_ > 1 ? plan::run_passes::of(tiles_, tuning::most_sampled_runs) : plan::run_passes{0, 2}),
        split_count_(pass_of(1, 0).splits()),  // the first pass has more groups than the others
        memory_(p, static_cast<offset>(lay_out({0}) + unit)) {
    lay_out({base::align_up(reinterpret_cast<std::uintptr_t>(memory_.data()), unit)});
  }

  void run() {
    int buffer = passes_.count % 2;
    sort_tiles();
    offset stride = 1;
    for (int pass = 0; pass < passes_.count; ++pass, buffer ^= 1, stride *= passes_.width)
      executor_.run_sampled_ways(pass_of(stride, buffer), splits_);
    executor_.complete();
  }

 private:
  static constexpr auto unit = base::max<std::uintptr_t>(16, base::max(alignof(key), alignof(value)));

  /// Returns the end of the layout.
  std::uintptr_t lay_out(scratch_layout layout) {
    buffers_.keys[0] = arrays_.keys;
    buffers_.keys[1] = layout.take<key>(count_, arrays_.keys);
    if constexpr (has_values) {
      buffers_.values[0] = arrays_.values;
      buffers_.values[1] = layout.take<value>(count_, arrays_.values);
    }
    splits_ = layout.take<offset>(split_count_);
    return layout.end;
  }

  /// The elements of a sorted tile: a multiple of those between two samples.
  static int items_of_tile() {
    const int items = executor::template items_per_tile<tiles_core>();
    int distance = tuning::most_sample_items;
    while (distance > items) distance /= 2;
    return items / distance * distance;
  }

  void sort_tiles() {
    const typename tiles_core::tile_type tile{
        arrays_.keys, arrays_.values, count_, {count_}, buffers_, true, nullptr, {}, {}, nullptr, {nullptr}, order_};
    core::rank_guard<key, value> guard{};
    guard.cleared = reinterpret_cast<unsigned*>(splits_);
    guard.cleared_count = split_count_ * int{sizeof(offset) / sizeof(unsigned)};
    executor_.run_each(tiles_core{tile, tiles_, {run_items_, 0}, {run_items_, passes_.width, false}, nullptr, guard},
                       tiles_);
  }

  /// The pass that merges runs of `stride` tiles each.
  pass_core pass_of(offset stride, int buffer) const {
    const auto limits = executor::template limits_of_ways<pass_core>();
    const int sample_items =
        base::min(tuning::sort_sample_items(limits.most_tile_items, passes_.width), run_items_ & -run_items_);
    // Smaller tiles are done sooner. They are not so small that two borders could change places.
    const int most_early = core::most_early_border(passes_.width, sample_items);
    const offset most = (limits.most_tile_items - most_early) / sample_items * sample_items;
    const offset items = base::align_up(base::ceil_div(count_, limits.resident_tiles), offset{sample_items});
    const int tile_items = static_cast<int>(base::clamp<offset>(items, most_early, most));
    const core::run_groups cut = core::run_groups::of(tiles_, stride, passes_.width);
    values_pointer values_out{};
    typename runs_type::values_type values{};
    if constexpr (has_values) {
      values = buffers_.values[buffer];
      values_out = buffers_.values[buffer ^ 1];
    }
    const runs_type runs{buffers_.keys[buffer], values, run_items_, sample_items, tiles_, count_};
    return {runs, cut, tile_items, buffers_.keys[buffer ^ 1], values_out, order_, {nullptr}};
  }

  executor executor_;
  const sort_arrays<Keys, Values> arrays_;
  const offset count_;
  const Order order_;
  const int run_items_;
  const offset tiles_;
  const plan::run_passes passes_;
  core::sort_buffers<key, value> buffers_{};
  const offset split_count_;
  offset* splits_ = nullptr;  // [split_count_]
  exec::workspace<char, Policy> memory_;
};

/// Sorts an array stably.
template <class Policy, class Keys, class Values, class Compare>
void sort_by_samples(Policy& p, const sort_arrays<Keys, Values>& arrays, offset count, const Compare& compare) {
  const auto order = plan::order_of_tiles<base::value_type<Keys>>(compare);
  sampled_sort<Policy, Keys, Values, cuda::std::remove_const_t<decltype(order)>> sort(p, arrays, count, order);
  sort.run();
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
