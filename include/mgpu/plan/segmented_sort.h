// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/check.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/order.h>
#include <mgpu/core/sort/four_way_pass.h>
#include <mgpu/core/sort/item.h>
#include <mgpu/core/sort/two_way_pass.h>
#include <mgpu/core/sort/borders.h>
#include <mgpu/core/sort/bring_back.h>
#include <mgpu/core/sort/segments.h>
#include <mgpu/core/sort/tiles.h>
#include <mgpu/plan/flag_bounds.h>
#include <mgpu/plan/scratch_layout.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/requirements.h>
#include <mgpu/exec/workspace.h>
#include <mgpu/segments.h>
#include <mgpu/sort_statistics.h>

#include MGPU_INPUT_CHECKS_HEADER

#include <cuda/std/type_traits>

#include <cstddef>
#include <cstdint>
#include <stdexcept>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// The tiles of one sort, and its memory in one piece, as each takes microseconds: the places that keys and values go back and
/// forth between, and what its steps leave for each other. A tile that is alone takes none on the GPU.
template <class Keys, class Values, class Policy>
class sort_memory {
 public:
  using key = base::value_type<Keys>;
  using value = base::value_type<Values>;
  static constexpr bool is_in_place = core::is_sorted_in_place<Keys, Values>;

  const bool is_alone;  // one tile takes all of an array that is sorted in its place, and nobody asks what it did
  const core::sort_cells cells;
  const offset tiles;
  const int most_levels;  // that a segment of all elements takes
  core::sort_border* borders = nullptr;
  core::sort_progress* progress = nullptr;
  key* keys[2] = {};  // where they belong, and scratch memory
  value* values[2] = {};

  sort_memory(Policy& p, Keys first_key, Values first_value, offset count, int tile_items, bool takes_one_tile)
      : is_alone(takes_one_tile),
        cells(core::sort_cells::of_tile(tile_items)),
        tiles(is_alone ? 1 : base::ceil_div(count, cells.cell_items)),
        most_levels(is_alone ? 0 : tile::sort_runs<offset>{0, count, cells.cell_items}.levels()),
        memory_(p, size(first_key, first_value, count)) {
    const auto memory = reinterpret_cast<std::uintptr_t>(memory_.data());
    if (memory != 0) lay_out({base::align_up(memory, unit)}, first_key, first_value, count);
  }

  core::part_parities parities_of(int pass) const {
    return core::part_parities{is_alone ? nullptr : parities_ + (pass & 1) * 2 * tiles};
  }

  /// The same memory for the jobs of either kind of pass, of which one runs at a time.
  core::sort_job* jobs() const { return jobs_; }
  core::four_run_job* four_run_jobs() const {
    static_assert(sizeof(core::four_run_job) <= sizeof(core::sort_job) &&
                  alignof(core::four_run_job) <= alignof(core::sort_job));
    return reinterpret_cast<core::four_run_job*>(jobs_);
  }

 private:
  static constexpr auto unit = base::max<std::uintptr_t>(16, base::max(alignof(key), alignof(value)));

  offset size(const Keys& first_key, const Values& first_value, offset count) {
    const auto end = static_cast<offset>(lay_out({0}, first_key, first_value, count));
    return end > 0 ? end + offset{unit} : 0;
  }

  /// Returns the end of what lies behind `next`.
  std::uintptr_t lay_out(free_place next, const Keys& first_key, const Values& first_value, offset count) {
    if (!is_alone) {
      jobs_ = next.take<core::sort_job>(tiles > 1 ? 2 * tiles : 0);
      borders = next.take<core::sort_border>(tiles + 1);
      progress = next.take<core::sort_progress>(1);
      parities_ = next.take<unsigned char>(4 * tiles);
    }
    lay_out(next, first_key, count, keys);
    if constexpr (base::has_values<Values>) lay_out(next, first_value, count, values);
    return next.at;
  }
  template <class Iterator, class T>
  void lay_out(free_place& next, const Iterator& first, offset count, T* (&places)[2]) {
    const T* like = nullptr;
    if constexpr (is_in_place) like = places[0] = first;
    else places[0] = next.take<T>(count);
    if (tiles > 1 || executor_of<Policy>::sorts_tiles_out_of_place) places[1] = next.take<T>(count, like);
  }

  core::sort_job* jobs_ = nullptr;
  unsigned char* parities_ = nullptr;
  workspace<char, Policy> memory_;
};

/// Tells what a sort has done, and returns whether its segments were none.
inline bool report(const core::sort_progress& done, int most_levels, sort_statistics& statistics) {
  int passes = most_levels;
  while (passes > 0 && done.merged[passes - 1] == 0 && done.copied[passes - 1] == 0) --passes;
  for (int level = 0; level < passes; ++level) statistics.passes.push_back({done.merged[level], done.copied[level]});
  return done.is_faulty != 0;
}

/// On the GPU most tiles of an array that is sorted in place have nothing to bring back, and a block is started for 16 of them:
/// 2^26 pairs, mean 1,000,000, 12 us, for each one 54 (H200, 2026-11-21).
template <class Policy, class Keys, class Values, class Compare>
using return_core =
    core::sort_return<!executor_of<Policy>::sorts_tiles_out_of_place && core::is_sorted_in_place<Keys, Values> ? 16 : 1,
                      base::value_type<Keys>, base::value_type<Values>, Compare, Keys, Values>;

/// Sorts within segments, of which `segments` tells by core's terms.
template <core::ties ties, class Policy, class Keys, class Values, class Segments, class Compare>
void sort_segments(Policy& p, Keys keys, Values values, offset count, const Segments& segments, Compare compare,
                   const sort_memory<Keys, Values, Policy>& memory, sort_statistics* statistics) {
  using key = base::value_type<Keys>;
  using value = base::value_type<Values>;
  constexpr bool is_in_place = core::is_sorted_in_place<Keys, Values>;
  const auto& k = memory.keys;
  const auto& v = memory.values;
  auto executor = exec::executor(p);
  typename executor_of<Policy>::fault fault(p);
  using four_runs = core::merge_four_runs<key, value, Compare>;
  constexpr bool merges_four_runs = executor_of<Policy>::merges_four_runs && four_runs::is_possible;
  const core::sort_passes passes =
      !merges_four_runs           ? core::sort_passes{core::sort_progress::most_passes, false}
      : Segments::has_one_segment ? core::sort_passes{core::sort_progress::near_levels + memory.most_levels % 2, false}
                                  : core::sort_passes{1, true};
  if (!memory.is_alone) {
    executor.each(memory.tiles + 1, core::find_sort_borders<Segments>{
                                 segments, count, memory.tiles, memory.cells, memory.borders, memory.progress,
                                 executor_of<Policy>::known_levels(memory.most_levels), !passes.only_odd});
  }
  const auto sort_tiles = [&](auto is_alone) {
    const core::sort_tiles<ties, is_alone(), Keys, Values, Segments, Compare> tiles{
        keys,        values,          count,
        segments,    {k[0], k[1]},    {v[0], v[1]},
        is_in_place, memory.borders,  {memory.parities_of(0), memory.parities_of(1)},
        passes,      memory.progress, fault.place(),
        compare};
    executor.run_each(tiles, memory.tiles);
  };
  if constexpr (executor_of<Policy>::has_shape_alone && is_in_place && tuning::has_sort_alone(core::sort_case<key, value>())) {
    if (memory.is_alone) sort_tiles(cuda::std::true_type{});
    else sort_tiles(cuda::std::false_type{});
  } else {
    sort_tiles(cuda::std::false_type{});
  }
  const auto bring_back = [&](const core::part_parities& even, const core::part_parities& odd) {
    const return_core<Policy, Keys, Values, Compare> back{
        {k[0], k[1]}, {v[0], v[1]}, keys, values, memory.tiles, memory.borders, {even, odd}, passes, memory.progress};
    executor.run_each(back, back.runs());
  };
  const auto merge_pairs = [&](int level) {
    executor.run_planned(core::sort_level<key, value, Compare>{{k[0], k[1]},
                                                        {v[0], v[1]},
                                                        count,
                                                        memory.tiles,
                                                        memory.cells,
                                                        memory.borders,
                                                        memory.parities_of(level),
                                                        memory.parities_of(level + 1),
                                                        memory.progress,
                                                        memory.jobs(),
                                                        level,
                                                        passes.only_odd,
                                                        compare});
  };
  for (int level = 0; level < base::min(memory.most_levels, passes.by_two); ++level) {
    if constexpr (executor_of<Policy>::passes_exceptions && is_in_place) {
      try {
        merge_pairs(level);
      } catch (...) {  // the level has left its inputs as they were
        bring_back(memory.parities_of(level), memory.parities_of(level));
        throw;
      }
    } else {
      merge_pairs(level);
    }
  }
  if constexpr (merges_four_runs) {
    for (int pass = passes.by_two; pass < passes.of(memory.most_levels); ++pass) {
      executor.run_planned(four_runs{{k[0], k[1]},
                              {v[0], v[1]},
                              memory.tiles,
                              memory.borders,
                              memory.parities_of(pass),
                              memory.parities_of(pass + 1),
                              memory.progress,
                              memory.four_run_jobs(),
                              passes,
                              pass,
                              compare});
    }
  }
  if (memory.tiles > 1 || !is_in_place) bring_back(memory.parities_of(0), memory.parities_of(1));
  executor.complete();
  const bool is_faulty =
      statistics != nullptr ? report(executor.read(memory.progress), memory.most_levels, *statistics) : fault.is_set();
  if (is_faulty) {
    throw std::invalid_argument(
        "mgpu: the segments' positions do not ascend, or leave the array; its elements are in no order");
  }
}

/// Instead of segments: the array is one.
struct whole_array {};
template <>
inline constexpr bool is_segments<whole_array> = true;

/// f(segments by core's terms).
template <class Policy, class Heads, class Function>
void with_segments(Policy& p, const segment_heads<Heads>& s, offset count, offset, offset, const Function& f) {
  const auto first = exec::unwrap(s.first, s.count);
  using bounds = core::head_bounds<cuda::std::decay_t<decltype(first)>>;
  exec::check_positions(p, first, s.count, count - 1, "the segment heads");
  f(core::bounded_segments<bounds>{{first, s.count}, count});
}
template <class Policy, class Begins, class Ends, class Function>
void with_segments(Policy& p, const segment_offsets<Begins, Ends>& s, offset count, offset, offset, const Function& f) {
  if (s.count == 0) return;
  if constexpr (cuda::std::is_same_v<Ends, base::no_values>) {
    const auto first = exec::unwrap(s.begins, s.count + 1);
    using bounds = core::offset_bounds<cuda::std::decay_t<decltype(first)>>;
    exec::check_positions(p, first, s.count + 1, count, "the segments' offsets");
    f(core::bounded_segments<bounds>{{first, s.count + 1}, count});
  } else {
    const auto begins = exec::unwrap(s.begins, s.count);
    const auto ends = exec::unwrap(s.ends, s.count);
    using bounds = core::begin_end_bounds<cuda::std::decay_t<decltype(begins)>, cuda::std::decay_t<decltype(ends)>>;
    const bounds all{begins, ends, 2 * s.count};
    exec::check_positions(p, all, all.size, count, "the segments' begins and ends, in turns,");
    f(core::bounded_segments<bounds>{all, count});
  }
}
template <class Policy, class Words, class Function>
void with_segments(Policy& p, const segment_flags<Words>& s, offset count, offset cells, offset cell_items,
                   const Function& f) {
  const auto words = exec::unwrap(s.words, (count + 31) / 32);
  base::check_not_null(words, (count + 31) / 32, "the segment flags");
  core::flagged_segments<cuda::std::decay_t<decltype(words)>> segments{words, count, nullptr, nullptr};
  if (cells == 1) return f(segments);
  const flag_bounds<Policy> bounds(p, segments, cells, cell_items);
  segments.last_before = bounds.last_before();
  segments.first_from = bounds.first_from();
  f(segments);
}
template <class Policy, class Function>
void with_segments(Policy&, const whole_array&, offset count, offset, offset, const Function& f) {
  f(core::one_segment{count});
}

/// What all sorts of segments do with arguments of sound types.
template <core::ties ties, class Policy, class Keys, class Values, class Segments, class Compare>
void sort_checked(const Policy& policy, Keys keys, Keys keys_end, Values values, const Segments& segments,
                  const Compare& compare, sort_statistics* statistics) {
  Policy& p = exec::mutable_policy(policy);
  const offset count = base::checked_count(keys, keys_end, "the keys");
  if (statistics != nullptr) *statistics = {};
  if (count == 0) return;
  const auto k = exec::unwrap(keys, count);
  const auto v = exec::unwrap(values, count);
  using keys_type = cuda::std::decay_t<decltype(k)>;
  using values_type = cuda::std::decay_t<decltype(v)>;
  using key = base::value_type<keys_type>;
  base::check_not_null(k, count, "the array of keys");
  base::check_not_null(v, count, "the array of values");
  using order = base::order<Compare>;
  using shape_of = return_core<Policy, keys_type, values_type, order>;
  using memory_type = sort_memory<keys_type, values_type, Policy>;
  const bool is_alone =
      memory_type::is_in_place && statistics == nullptr && count <= executor_of<Policy>::template items_alone<shape_of>();
  const memory_type memory(p, k, v, count, executor_of<Policy>::template items_per_tile<shape_of>(), is_alone);
  if (statistics != nullptr) {
    statistics->tiles = memory.tiles;
    statistics->passes.reserve(static_cast<std::size_t>(memory.most_levels));
  }
  // Keys alone that are equal as numbers cannot be told apart.
  constexpr bool is_free =
      !base::has_values<values_type> && cuda::std::is_integral_v<key> && base::orders_all_but_equal<Compare, key>;
  exec::with_segments(p, segments, count, memory.tiles, memory.cells.cell_items, [&](const auto& known) {
    exec::sort_segments<is_free ? core::ties::any_order : ties>(p, k, v, count, known, order{compare}, memory,
                                                                statistics);
  });
}

template <class Compare>
struct comparator_before_statistics {
  static constexpr bool value = !cuda::std::is_same_v<Compare, sort_statistics>;
  static_assert(value, "sort statistics come after the comparator");
};

/// What all sorts of segments do.
template <core::ties ties, class Policy, class Keys, class Values, class Segments, class Compare>
void checked_sort(const Policy& policy, Keys keys, Keys keys_end, Values values, const Segments& segments,
                  const Compare& compare, sort_statistics* statistics) {
  if constexpr (meets<mgpu_policy<Policy>, random_access_inputs<Keys, Values>, known_segments<Segments>,
                      comparator_before_statistics<Compare>, writable_ranges<Keys, Values>,
                      comparator_of_keys<Compare, Keys>>) {
    exec::sort_checked<ties>(policy, keys, keys_end, values, segments, compare, statistics);
  }
}

}  // namespace exec
MGPU_NAMESPACE_END
