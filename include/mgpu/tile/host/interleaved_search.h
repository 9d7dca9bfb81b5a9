// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/tile/branch_free.h>
#include <mgpu/tile/divide.h>
#include <mgpu/tile/range.h>
#include <mgpu/tile/shared_layout.h>

#include MGPU_STD_COPY_HEADER

#include <cstddef>
#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// A search of sorted values in a sorted range by one CPU thread. For value k of a tile it writes to found[k] how many
/// of the tile's elements of the range come before the value.
template <class Values, class Range, class Before>
struct host_search {
  Values values;   // side a of the path
  Range elements;  // side b
  const Before& before;
  source* found;                      // [a_count of the tile]
  offset first_value, first_element;  // of the tile

  /// Searches all of t in `Lanes` parts that take turns. A single search waits for itself: each comparison needs the
  /// outcome of the one before it.
  template <std::size_t... Lanes>
  void run_interleaved(const range& t, std::index_sequence<Lanes...> all) const {
    if (is_lopsided(t)) return run(t);
    range lane[sizeof...(Lanes)];
    tile::divide(t, values, elements, before, lane);
    take_turns(lane, all);
  }

  /// Searches all of t. If one side is much shorter, its elements are searched in the other side.
  void run(range t) const {
    while (t.a_begin < t.a_end && t.b_begin < t.b_end) {
      const offset a_left = t.a_end - t.a_begin, b_left = t.b_end - t.b_begin;
      if (b_left > lopsided_ratio * a_left) {
        t.b_begin = tile::partition_point(t.b_begin, t.b_end, [&](offset i) { return is_before(i, t.a_begin); });
        fill(t.a_begin, t.a_begin + 1, t.b_begin);
        ++t.a_begin;
      } else if (a_left > lopsided_ratio * b_left) {
        const offset end =
            tile::partition_point(t.a_begin, t.a_end, [&](offset i) { return !is_before(t.b_begin, i); });
        fill(t.a_begin, end, t.b_begin);
        t.a_begin = end;
        ++t.b_begin;
      } else {
        for (offset steps = base::min(a_left, b_left); steps > 0; --steps) step(t.a_begin, t.b_begin);
      }
    }
    fill(t.a_begin, t.a_end, t.b_begin);
  }

 private:
  static constexpr offset lopsided_ratio = 8;
  static bool is_lopsided(const range& t) {
    const offset a_count = t.a_end - t.a_begin, b_count = t.b_end - t.b_begin;
    return a_count > lopsided_ratio * b_count || b_count > lopsided_ratio * a_count;
  }

  bool is_before(offset element, offset value) const {
    return static_cast<bool>(before(elements[element], values[value]));
  }
  void fill(offset from, offset to, offset element) const {
    std::fill(found + (from - first_value), found + (to - first_value), static_cast<source>(element - first_element));
  }

  /// Passes an element of the range or a value, without a branch that the CPU could mispredict. The last note of a
  /// value is the right one.
  /// Requires: both sides have elements left.
  MGPU_FORCE_INLINE void step(offset& value, offset& element) const {
    const offset takes_element = tile::as_mask(is_before(element, value));
    found[value - first_value] = static_cast<source>(element - first_element);
    value += 1 + takes_element;
    element -= takes_element;
  }

  template <std::size_t... Lanes>
  MGPU_NO_INLINE void take_turns(range (&lane)[sizeof...(Lanes)], std::index_sequence<Lanes...>) const {
    for (;;) {
      offset steps = lane[0].free_steps();
      ((steps = base::min(steps, lane[Lanes].free_steps())), ...);
      if (steps < 8) break;
      offset value[] = {lane[Lanes].a_begin...};
      offset element[] = {lane[Lanes].b_begin...};
      for (; steps > 0; --steps) (step(value[Lanes], element[Lanes]), ...);
      ((lane[Lanes].a_begin = value[Lanes], lane[Lanes].b_begin = element[Lanes]), ...);
    }
    (run(lane[Lanes]), ...);
  }
};

}  // namespace detail::tile
MGPU_NAMESPACE_END
