// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/check.h>
#include <mgpu/base/iterator.h>
#include <mgpu/core/merge_four_runs.h>
#include <mgpu/core/sort_level.h>
#include <mgpu/core/sort_plan.h>
#include <mgpu/core/sort_return.h>
#include <mgpu/core/sort_segments.h>
#include <mgpu/core/sort_tiles.h>
#include <mgpu/exec/flag_bounds.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/sort_memory.h>
#include <mgpu/exec/workspace.h>
#include <mgpu/segments.h>
#include <mgpu/sort_statistics.h>

#include <cuda/std/type_traits>

#include <cstddef>
#include <stdexcept>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// The tiles of one sort, and the memory in which its steps leave for each other what they have found.
template <class Policy>
struct sort_tables {
  core::sort_cells cells;
  offset tiles;
  int most_levels;  // that a segment of all elements takes
  workspace<core::sort_border, Policy> borders;
  workspace<unsigned char, Policy> parities;
  workspace<core::sort_progress, Policy> progress;
  workspace<core::sort_job, Policy> jobs;

  sort_tables(Policy& p, offset count, int tile_items)
      : cells(core::sort_cells::of_tile(tile_items)),
        tiles(base::ceil_div(count, cells.cell_items)),
        most_levels(tile::sort_runs<offset>{0, count, cells.cell_items}.levels()),
        borders(p, tiles + 1),
        parities(p, 4 * tiles),
        progress(p, 1),
        jobs(p, tiles > 1 ? 2 * tiles : 0) {}

  core::part_parities parities_of(int pass) const {
    return core::part_parities{parities.data() + (pass & 1) * 2 * tiles};
  }

  /// The same memory for the jobs of either kind of pass, of which one runs at a time.
  core::four_run_job* four_run_jobs() const {
    static_assert(sizeof(core::four_run_job) <= sizeof(core::sort_job) &&
                  alignof(core::four_run_job) <= alignof(core::sort_job));
    return reinterpret_cast<core::four_run_job*>(jobs.data());
  }
};

/// The keys or values of a sort in the two places they go back and forth between.
template <class Iterator, class Policy>
class sort_places {
 public:
  using element = base::value_type<Iterator>;

  /// Where the first place is the array itself, memory is taken for the second one only.
  sort_places(Policy& p, Iterator first, offset count, bool is_in_place, bool has_second)
      : first_(p, is_in_place ? 0 : count, nullptr),
        second_(p, has_second ? count : 0, is_in_place ? address(first) : nullptr),
        places_{is_in_place ? address(first) : first_.data(), second_.data()} {}

  element* operator[](int parity) const { return places_[parity]; }

 private:
  static element* address(const Iterator& first) {
    if constexpr (base::is_byte_range<Iterator>) return first;
    else return nullptr;
  }
  aligned_scratch<element, Policy> first_, second_;
  element* places_[2];
};

/// Tells what a sort has done, and returns whether its segments were none.
template <class Policy>
bool report(const core::sort_progress& done, const sort_tables<Policy>& tables, sort_statistics& statistics) {
  int passes = tables.most_levels;
  while (passes > 0 && done.merged[passes - 1] == 0 && done.copied[passes - 1] == 0) --passes;
  for (int level = 0; level < passes; ++level) statistics.passes.push_back({done.merged[level], done.copied[level]});
  return done.is_faulty != 0;
}

/// On the GPU most tiles of an array that is sorted in place have nothing to bring back, and a block is started for 16 of them:
/// 2^26 pairs, mean 1,000,000, 12 us, for each one 54 (H200, 2026-11-21).
template <class Policy, class Keys, class Values, class Compare>
using return_core = core::sort_return<!Policy::sorts_tiles_out_of_place && base::is_byte_range<Keys> &&
                                              (!base::has_values<Values> || base::is_byte_range<Values>)
                                          ? 16
                                          : 1,
                                      base::value_type<Keys>, base::value_type<Values>, Compare, Keys, Values>;

/// Sorts within segments, of which `segments` tells by core's terms.
template <core::ties ties, class Policy, class Keys, class Values, class Segments, class Compare>
void sort_segments(Policy& p, Keys keys, Values values, offset count, const Segments& segments, Compare compare,
                   const sort_tables<Policy>& tables, sort_statistics* statistics) {
  using key = base::value_type<Keys>;
  using value = base::value_type<Values>;
  constexpr bool is_in_place = base::is_byte_range<Keys> && (!base::has_values<Values> || base::is_byte_range<Values>);
  const bool has_second = tables.tiles > 1 || Policy::sorts_tiles_out_of_place;
  const sort_places<Keys, Policy> k(p, keys, count, is_in_place, has_second);
  const sort_places<Values, Policy> v(p, values, base::has_values<Values> ? count : 0, is_in_place, has_second);
  typename Policy::fault fault(p);
  using four_runs = core::merge_four_runs<key, value, Compare>;
  constexpr bool merges_four_runs = Policy::merges_four_runs && four_runs::is_possible;
  const core::sort_passes passes =
      !merges_four_runs           ? core::sort_passes{core::sort_progress::most_passes, false}
      : Segments::has_one_segment ? core::sort_passes{core::sort_progress::near_levels + tables.most_levels % 2, false}
                                  : core::sort_passes{1, true};
  core::sort_progress* const progress = tables.progress.data();
  p.each(tables.tiles + 1,
         core::find_sort_borders<Segments>{segments, count, tables.tiles, tables.cells, tables.borders.data(), progress,
                                           Policy::known_levels(tables.most_levels), !passes.only_odd});
  p.run_each(core::sort_tiles<ties, Keys, Values, Segments, Compare>{keys,
                                                                     values,
                                                                     count,
                                                                     segments,
                                                                     {k[0], k[1]},
                                                                     {v[0], v[1]},
                                                                     is_in_place,
                                                                     tables.borders.data(),
                                                                     {tables.parities_of(0), tables.parities_of(1)},
                                                                     passes,
                                                                     progress,
                                                                     fault.place(),
                                                                     compare},
             tables.tiles);
  for (int level = 0; level < base::min(tables.most_levels, passes.by_two); ++level) {
    p.run_planned(core::sort_level<key, value, Compare>{{k[0], k[1]},
                                                        {v[0], v[1]},
                                                        count,
                                                        tables.tiles,
                                                        tables.cells,
                                                        tables.borders.data(),
                                                        tables.parities_of(level),
                                                        tables.parities_of(level + 1),
                                                        progress,
                                                        tables.jobs.data(),
                                                        level,
                                                        passes.only_odd,
                                                        compare});
  }
  if constexpr (merges_four_runs) {
    for (int pass = passes.by_two; pass < passes.of(tables.most_levels); ++pass) {
      p.run_planned(four_runs{{k[0], k[1]},
                              {v[0], v[1]},
                              tables.tiles,
                              tables.borders.data(),
                              tables.parities_of(pass),
                              tables.parities_of(pass + 1),
                              progress,
                              tables.four_run_jobs(),
                              passes,
                              pass,
                              compare});
    }
  }
  if (tables.tiles > 1 || !is_in_place) {
    const return_core<Policy, Keys, Values, Compare> back{{k[0], k[1]},
                                                          {v[0], v[1]},
                                                          keys,
                                                          values,
                                                          tables.tiles,
                                                          tables.borders.data(),
                                                          {tables.parities_of(0), tables.parities_of(1)},
                                                          passes,
                                                          progress};
    p.run_each(back, back.runs());
  }
  p.complete();
  const bool is_faulty = statistics != nullptr ? report(p.read(progress), tables, *statistics) : fault.is_set();
  if (is_faulty) {
    throw std::invalid_argument(
        "mgpu: the segments' positions do not ascend, or leave the array; its elements are in no order");
  }
}

/// f(segments by core's terms).
template <class Policy, class Heads, class Function>
void with_segments(Policy&, const segment_heads<Heads>& s, offset count, const sort_tables<Policy>&,
                   const Function& f) {
  const auto first = unwrap(s.first, s.count);
  using bounds = core::head_bounds<cuda::std::decay_t<decltype(first)>>;
  f(core::bounded_segments<bounds>{{first, s.count}, count});
}
template <class Policy, class Begins, class Ends, class Function>
void with_segments(Policy&, const segment_offsets<Begins, Ends>& s, offset count, const sort_tables<Policy>&,
                   const Function& f) {
  if (s.count == 0) return;
  if constexpr (cuda::std::is_same_v<Ends, base::no_values>) {
    const auto first = unwrap(s.begins, s.count + 1);
    using bounds = core::offset_bounds<cuda::std::decay_t<decltype(first)>>;
    f(core::bounded_segments<bounds>{{first, s.count + 1}, count});
  } else {
    const auto begins = unwrap(s.begins, s.count);
    const auto ends = unwrap(s.ends, s.count);
    using bounds = core::begin_end_bounds<cuda::std::decay_t<decltype(begins)>, cuda::std::decay_t<decltype(ends)>>;
    f(core::bounded_segments<bounds>{{begins, ends, 2 * s.count}, count});
  }
}
template <class Policy, class Words, class Function>
void with_segments(Policy& p, const segment_flags<Words>& s, offset count, const sort_tables<Policy>& tables,
                   const Function& f) {
  const auto words = unwrap(s.words, (count + 31) / 32);
  base::check_not_null(words, (count + 31) / 32, "the segment flags");
  core::flagged_segments<cuda::std::decay_t<decltype(words)>> segments{words, count, nullptr, nullptr};
  const flag_bounds<Policy> bounds(p, segments, tables.tiles, tables.cells.cell_items);
  segments.last_before = bounds.last_before();
  segments.first_from = bounds.first_from();
  f(segments);
}
template <class Policy, class Function>
void with_segments(Policy&, const core::one_segment& s, offset, const sort_tables<Policy>&, const Function& f) {
  f(s);
}
template <class Policy, class Segments, class Function>
void with_segments(Policy&, const Segments&, offset, const sort_tables<Policy>&, const Function&) {
  static_assert(sizeof(Segments) == 0,
                "segments are mgpu::segment_heads(first, last), mgpu::segment_flags(words) or "
                "mgpu::segment_offsets(first, count)");
}

/// What all sorts of segments do with their arguments.
template <core::ties ties, class Policy, class Keys, class Values, class Segments, class Compare>
void checked_sort(const Policy& policy, Keys keys, Keys keys_end, Values values, const Segments& segments,
                  Compare compare, sort_statistics* statistics) {
  static_assert(!cuda::std::is_same_v<Compare, sort_statistics>, "sort statistics come after the comparator");
  Policy& p = mutable_policy(policy);
  const offset count = base::checked_count(keys, keys_end, "the keys");
  if (statistics != nullptr) *statistics = {};
  if (count == 0) return;
  const auto k = unwrap(keys, count);
  const auto v = unwrap(values, count);
  using keys_type = cuda::std::decay_t<decltype(k)>;
  using values_type = cuda::std::decay_t<decltype(v)>;
  using key = base::value_type<keys_type>;
  base::check_not_null(k, count, "the array of keys");
  base::check_not_null(v, count, "the array of values");
  using shape_of = return_core<Policy, keys_type, values_type, Compare>;
  const sort_tables<Policy> tables(p, count, Policy::template items_per_tile<shape_of>());
  if (statistics != nullptr) {
    statistics->tiles = tables.tiles;
    statistics->passes.reserve(static_cast<std::size_t>(tables.most_levels));
  }
  // Keys alone that are equal as numbers cannot be told apart.
  constexpr bool is_free =
      !base::has_values<values_type> && cuda::std::is_integral_v<key> && base::orders_all_but_equal<Compare, key>;
  with_segments(p, segments, count, tables, [&](const auto& known) {
    sort_segments<is_free ? core::ties::any_order : ties>(p, k, v, count, known, compare, tables, statistics);
  });
}

}  // namespace exec
MGPU_NAMESPACE_END
