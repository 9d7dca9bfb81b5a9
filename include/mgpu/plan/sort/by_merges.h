// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Tiles are sorted first. Passes then merge the sorted parts of each segment that tile borders cut, two or four at a
// time. What lies in scratch memory at the end is brought back.

#include <mgpu/base/iterator.h>
#include <mgpu/base/order.h>
#include <mgpu/core/sort/borders.h>
#include <mgpu/core/sort/bring_back.h>
#include <mgpu/core/sort/item.h>
#include <mgpu/core/sort/tiles.h>
#include <mgpu/core/sort/two_way_pass.h>
#include <mgpu/core/sort/wide_pass.h>
#include <mgpu/exec/policy.h>
#include <mgpu/plan/sort/arrays.h>
#include <mgpu/plan/sort/memory.h>
#include <mgpu/plan/sort/segments.h>
#include <mgpu/plan/sort/tiling.h>
#include <mgpu/sort_statistics.h>
#include <mgpu/tuning/sort.h>

#include MGPU_CUDA_VERB_HEADER(read)
#include MGPU_CUDA_VERB_HEADER(each)
#include MGPU_CUDA_VERB_HEADER(run_each_sorting)
#include MGPU_CUDA_VERB_HEADER(run_planned)

#include <cuda/std/type_traits>

#include <cstddef>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// The core that brings elements back. On the GPU most tiles of an array that is sorted in place have none, and a block
/// is started for 16 tiles: 2^26 pairs, mean 1,000,000, 12 us; a block for each tile 54 (H200, 2026-11-21).
template <class Policy, class Keys, class Values>
using bring_back_core =
    core::bring_back<exec::executor_of<Policy>::has_shared_memory && core::is_sorted_in_place<Keys, Values> ? 16 : 1,
                     base::value_type<Keys>, base::value_type<Values>, Keys, Values>;

/// One sort, step by step.
template <core::ties ties, class Policy, class Keys, class Values, class Segments, class Compare>
class merge_sort_steps {
  using key = base::value_type<Keys>;
  using value = base::value_type<Values>;
  using executor = exec::executor_of<Policy>;
  using memory = sort_memory<Keys, Values, Policy>;
  using two_way_pass = core::two_way_pass<key, value, Compare>;
  using wide_pass = core::wide_pass<key, value, Compare>;
  static constexpr bool is_in_place = memory::is_in_place;
  // Several runs are merged by blocks, in shared memory.
  static constexpr bool has_wide_passes = executor::has_shared_memory && wide_pass::is_possible;

 public:
  merge_sort_steps(Policy& p, const sort_arrays<Keys, Values>& arrays, const sort_tiling& tiling, const memory& m,
                   const Segments& segments, const Compare& compare)
      : executor_(exec::executor(p)),
        arrays_(arrays),
        tiling_(tiling),
        memory_(m),
        segments_(segments),
        compare_(compare),
        passes_(passes_of(tiling)),
        bad_segments_(p) {}

  void run() {
    if (!tiling_.is_single_tile) find_borders();
    sort_tiles();
    for (int level = 0; level < base::min(tiling_.most_levels, passes_.two_way_count); ++level) merge_two_way(level);
    if constexpr (has_wide_passes) {
      for (int pass = passes_.two_way_count; pass < passes_.count(tiling_.most_levels); ++pass) merge_wide(pass);
    }
    if (tiling_.tiles > 1 || !is_in_place) bring_back(memory_.buffers_of(0), memory_.buffers_of(1));
    executor_.complete();
  }

  /// Whether the segments were found to be bad. Unless the policy synchronizes, false.
  bool has_bad_segments() { return bad_segments_.is_raised(); }

 private:
  static core::sort_passes passes_of(const sort_tiling& tiling) {
    if constexpr (!has_wide_passes) {
      return {core::sort_progress::most_passes, 1, false};
    } else {
      constexpr int wide_levels = tuning::sort_wide_levels;
      if (!Segments::has_one_segment) return {1, wide_levels, true};
      // Only two-way passes merge elements that are near to their places alone, and a whole array may need no more. One
      // more of them takes a level that wide passes would leave.
      constexpr int near = core::sort_progress::near_levels;
      return {near + (tiling.most_levels > near && (tiling.most_levels - near) % wide_levels == 1 ? 1 : 0), wide_levels,
              false};
    }
  }

  void find_borders() {
    // Where blocks sort the tiles, they find out how many levels the longest cut segment takes.
    const int known_levels = executor::has_shared_memory ? 0 : tiling_.most_levels;
    const core::find_sort_borders<Segments> find{segments_,       tiling_.count,    tiling_.tiles, tiling_.cells,
                                                 memory_.borders, memory_.progress, known_levels,  !passes_.only_odd};
    executor_.each(tiling_.tiles + 1, find);
  }

  void sort_tiles() {
    const core::sort_tiles<ties, core::tile_kind::large, Keys, Values, Segments, Compare> tiles{
        arrays_.keys,    arrays_.values,   tiling_.count,        segments_,
        memory_.buffers, is_in_place,      memory_.borders,      {memory_.buffers_of(0), memory_.buffers_of(1)},
        passes_,         memory_.progress, bad_segments_.flag(), compare_};
    executor_.run_each(tiles, tiling_.tiles);
  }

  void merge_two_way(int level) {
    const two_way_pass pass{memory_.buffers,
                            tiling_.count,
                            tiling_.tiles,
                            tiling_.cells,
                            memory_.borders,
                            memory_.buffers_of(level),
                            memory_.buffers_of(level + 1),
                            memory_.progress,
                            memory_.template jobs<typename two_way_pass::job>(),
                            level,
                            passes_,
                            compare_};
    if constexpr (executor::can_throw && is_in_place) {
      try {
        executor_.run_planned(pass);
      } catch (...) {  // the pass has left its inputs as they were, or merged some in their place
        bring_back(memory_.buffers_of(level), memory_.buffers_of(level));
        throw;
      }
    } else {
      executor_.run_planned(pass);
    }
  }

  void merge_wide(int pass) {
    executor_.run_planned(wide_pass{memory_.buffers, tiling_.tiles, memory_.borders, memory_.buffers_of(pass),
                                    memory_.buffers_of(pass + 1), memory_.progress,
                                    memory_.template jobs<typename wide_pass::job>(), passes_, pass, compare_});
  }

  /// Brings elements back from where they lie after an even pass, or after an odd one.
  void bring_back(const core::part_buffers& even, const core::part_buffers& odd) {
    using core_type = bring_back_core<Policy, Keys, Values>;
    offset calls = tiling_.tiles;
    if constexpr (executor::has_shared_memory)
      calls = core_type::calls_for(calls, executor::template facts<core_type>().multiprocessors);
    executor_.run_each(core_type{memory_.buffers,
                                 arrays_.keys,
                                 arrays_.values,
                                 tiling_.tiles,
                                 memory_.borders,
                                 {even, odd},
                                 passes_,
                                 memory_.progress,
                                 calls},
                       calls);
  }

  executor executor_;
  const sort_arrays<Keys, Values> arrays_;
  const sort_tiling& tiling_;
  const memory& memory_;
  const Segments& segments_;
  const Compare compare_;
  const core::sort_passes passes_;
  typename executor::bad_input_report bad_segments_;
};

/// Tells in `statistics` what the passes of a sort did.
inline void report_passes(const core::sort_progress& done, int most_passes, sort_statistics& statistics) {
  int passes = most_passes;
  while (passes > 0 && done.merged[passes - 1] == 0 && done.copied[passes - 1] == 0) --passes;
  for (int pass = 0; pass < passes; ++pass) statistics.passes.push_back({done.merged[pass], done.copied[pass]});
}

/// The tiling of an array for a sort of which statistics are asked for or not.
template <class Policy, class Keys, class Values>
sort_tiling tiling_of_sort(offset count, bool has_statistics) {
  using executor = exec::executor_of<Policy>;
  // Stands for all cores of the sort: they agree on the tiles.
  using core_type = bring_back_core<Policy, Keys, Values>;
  // Not more tiles because of their slack: one more may take one more level.
  const int tile_items = executor::template items_per_tile_of<core_type>(count + count / 30);
  const bool may_be_single = core::is_sorted_in_place<Keys, Values> && !has_statistics;
  const bool is_single_tile = may_be_single && count <= tile_items;
  return is_single_tile ? sort_tiling::of_single_tile(count) : sort_tiling::of_tiles(count, tile_items);
}

/// Sorts by merges. If statistics are asked for, it fills them, and synchronizes.
template <core::ties ties, class Policy, class Keys, class Values, class Segments, class Compare>
void sort_by_merges(Policy& p, const sort_arrays<Keys, Values>& arrays, offset count, const Segments& segments,
                    const Compare& compare, sort_statistics* statistics) {
  using order = base::order<Compare>;
  const sort_tiling tiling = plan::tiling_of_sort<Policy, Keys, Values>(count, statistics != nullptr);
  const sort_memory<Keys, Values, Policy> memory(p, arrays, tiling);
  if (statistics != nullptr) {
    statistics->tiles = tiling.tiles;
    statistics->passes.reserve(static_cast<std::size_t>(tiling.most_levels));
  }
  plan::with_segments(p, segments, tiling, [&](const auto& known) {
    using segments_type = cuda::std::decay_t<decltype(known)>;
    merge_sort_steps<ties, Policy, Keys, Values, segments_type, order> steps(p, arrays, tiling, memory, known,
                                                                             order{compare});
    steps.run();
    bool has_bad_segments;
    if (statistics == nullptr) {
      has_bad_segments = steps.has_bad_segments();
    } else {
      const core::sort_progress done = exec::executor(p).read(memory.progress);
      plan::report_passes(done, tiling.most_levels, *statistics);
      has_bad_segments = done.has_bad_segments != 0;
    }
    plan::throw_if_bad(has_bad_segments);
  });
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
