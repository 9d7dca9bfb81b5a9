// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/core/sort/segments.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/exec/requirements.h>
#include <mgpu/plan/argument.h>
#include <mgpu/plan/flag_bounds.h>
#include <mgpu/plan/sort/tiling.h>
#include <mgpu/segments.h>

#include MGPU_INPUT_CHECKS_HEADER

#include <cuda/std/type_traits>

#include <stdexcept>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Stand for segments: the array is one. The caller may expect it to be nearly sorted.
struct whole_array {};
struct nearly_sorted_array {};

template <class Segments>
inline constexpr bool is_one_array =
    cuda::std::is_same_v<Segments, whole_array> || cuda::std::is_same_v<Segments, nearly_sorted_array>;

/// Whether segments are given by bounds, so that the host knows their number.
template <class Segments>
inline constexpr bool has_bounds = false;
template <class Heads>
inline constexpr bool has_bounds<segment_heads<Heads>> = true;
template <class Begins, class Ends>
inline constexpr bool has_bounds<segment_offsets<Begins, Ends>> = true;

/// Into how many stretches bounds cut the array: segments, and gaps between them.
template <class Heads>
constexpr offset stretches_of(const segment_heads<Heads>& s) {
  return s.count + 1;
}
template <class Begins, class Ends>
constexpr offset stretches_of(const segment_offsets<Begins, Ends>& s) {
  return base::has_values<Ends> ? 2 * s.count + 1 : s.count + 2;
}

// with_segments(p, segments, tiling, f) calls f with a core's segments, those of core/sort/segments.h.

template <class Policy, class Heads, class Function>
void with_segments(Policy& p, const segment_heads<Heads>& s, const sort_tiling& tiling, const Function& f) {
  const auto first = exec::unwrap(s.first, s.count);
  using bounds = core::head_bounds<cuda::std::decay_t<decltype(first)>>;
  plan::check_arguments(p, argument{first, s.count, "the segment heads"});
  plan::check_positions(p, first, s.count, tiling.count, "the segment heads");
  f(core::bounded_segments<bounds>{{first, s.count}, tiling.count});
}

template <class Policy, class Begins, class Ends, class Function>
void with_segments(Policy& p, const segment_offsets<Begins, Ends>& s, const sort_tiling& tiling, const Function& f) {
  if (s.count == 0) return;
  if constexpr (cuda::std::is_same_v<Ends, base::no_values>) {
    const auto first = exec::unwrap(s.begins, s.count + 1);
    using bounds = core::offset_bounds<cuda::std::decay_t<decltype(first)>>;
    plan::check_arguments(p, argument{first, s.count + 1, "the segments' offsets"});
    plan::check_positions(p, first, s.count + 1, tiling.count, "the segments' offsets");
    f(core::bounded_segments<bounds>{{first, s.count + 1}, tiling.count});
  } else {
    const auto begins = exec::unwrap(s.begins, s.count);
    const auto ends = exec::unwrap(s.ends, s.count);
    using bounds = core::begin_end_bounds<cuda::std::decay_t<decltype(begins)>, cuda::std::decay_t<decltype(ends)>>;
    const bounds all{begins, ends, 2 * s.count};
    plan::check_arguments(p, argument{begins, s.count, "the segments' offsets"},
                          argument{ends, s.count, "the segments' ends"});
    plan::check_positions(p, all, all.size, tiling.count, "the segments' begins and ends, in turns,");
    f(core::bounded_segments<bounds>{all, tiling.count});
  }
}

template <class Policy, class Words, class Function>
void with_segments(Policy& p, const segment_flags<Words>& s, const sort_tiling& tiling, const Function& f) {
  const offset word_count = (tiling.count + 31) / 32;
  const auto words = exec::unwrap(s.words, word_count);
  plan::check_arguments(p, argument{words, word_count, "the segment flags"});
  core::flagged_segments<cuda::std::decay_t<decltype(words)>> segments{words, tiling.count, nullptr, nullptr};
  if (tiling.tiles == 1 || tiling.is_small) return f(segments);
  const flag_bounds<Policy> bounds(p, segments, tiling.tiles, tiling.cells.cell_items);
  segments.last_before = bounds.last_before();
  segments.first_from = bounds.first_from();
  f(segments);
}

template <class Policy, class Array, class Function, cuda::std::enable_if_t<is_one_array<Array>, int> = 0>
void with_segments(Policy&, const Array&, const sort_tiling& tiling, const Function& f) {
  f(core::one_segment{tiling.count});
}

inline void throw_if_bad(bool has_bad_segments) {
  if (has_bad_segments) {
    throw std::invalid_argument(
        "mgpu: the segments' positions do not ascend, or leave the array; its elements are in no order");
  }
}

}  // namespace detail::plan

namespace detail::exec {
template <>
inline constexpr bool is_segments<plan::whole_array> = true;
template <>
inline constexpr bool is_segments<plan::nearly_sorted_array> = true;
}  // namespace detail::exec
MGPU_NAMESPACE_END
