// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How the CPU cuts sorted searches into tiles: at values, equally many for each tile. So no value belongs to two tiles,
// whatever the order of the values is. Diagonals of the merge path would make tiles of equal cost. But if the values
// are not sorted, splits at diagonals contradict each other. A tile's elements are those between its first value and
// that of the next tile.

#include <mgpu/base/math.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/tile/range.h>
#include <mgpu/tile/shared_layout.h>

#include <limits>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// The border before value `number`; at the end of the values the border is before the last one.
template <class Values, class Range, class Before>
struct value_border {
  Values values;   // [value_count]
  Range elements;  // [element_count]
  offset value_count, element_count;
  offset number;
  const Before& before;

  /// The elements before the border. No guess shortens the search: if elements are not sorted, another guess could find
  /// another border, and two calls would give different results.
  template <class Search>
  offset find(const Search&) const {
    const offset value = base::min(number, value_count - 1);
    return tile::partition_point(offset{0}, element_count,
                                 [&](offset i) { return static_cast<bool>(before(elements[i], values[value])); });
  }
};

/// The tile of values [first, last) between the borders at both.
inline range range_of_values(offset first, offset last, offset first_split, offset last_split) {
  return {first, last, first_split, base::max(first_split, last_split)};
}

/// Divides a tile into parts that have no more elements than a tile::source counts, and calls f(part) for each, in
/// order. What has more is halved at its middle value. is_before(i, k) says whether element i comes before value k.
template <class IsBefore, class Function>
void for_each_search_part(const range& t, const IsBefore& is_before, const Function& f) {
  const auto is_long = [](const range& r) { return r.b_end - r.b_begin > offset{std::numeric_limits<source>::max()}; };
  range rest = t;
  while (is_long(rest) && rest.a_begin < rest.a_end) {
    range part = rest;
    while (is_long(part)) {
      const offset middle = part.a_begin + (part.a_end - part.a_begin) / 2;
      const offset at = tile::partition_point(part.b_begin, part.b_end, [&](offset i) { return is_before(i, middle); });
      part = middle == part.a_begin ? range{middle, part.a_end, at, at} : range{part.a_begin, middle, part.b_begin, at};
    }
    f(part);
    rest = {part.a_end, t.a_end, part.b_end, t.b_end};
  }
  if (rest.a_begin < rest.a_end) f(rest);
}

}  // namespace detail::tile
MGPU_NAMESPACE_END
