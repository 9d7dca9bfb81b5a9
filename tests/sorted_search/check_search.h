// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Both sorted searches beside std::lower_bound and std::upper_bound.

#include "support/arrays.h"
#include "support/patterns.h"

#include <mgpu/sorted_search.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace test {

template <class Position, class Element, class Value, class Compare>
std::vector<Position> lower_bounds(const std::vector<Element>& range, const std::vector<Value>& values,
                                   const Compare& compare) {
  std::vector<Position> found;
  found.reserve(values.size());
  for (const Value& value : values) {
    const auto at = std::lower_bound(range.begin(), range.end(), value, compare);
    found.push_back(static_cast<Position>(at - range.begin()));
  }
  return found;
}

template <class Position, class Element, class Value, class Compare>
std::vector<Position> upper_bounds(const std::vector<Element>& range, const std::vector<Value>& values,
                                   const Compare& compare) {
  std::vector<Position> found;
  found.reserve(values.size());
  for (const Value& value : values) {
    const auto at = std::upper_bound(range.begin(), range.end(), value, compare);
    found.push_back(static_cast<Position>(at - range.begin()));
  }
  return found;
}

/// Searches raw ranges on an executor, with results of type Position.
template <class Position, class Executor, class Element, class Value, class Compare>
void check_search(Executor executor, const std::vector<Element>& range, const std::vector<Value>& values,
                  const Compare& compare, int skipped = 0) {
  INFO(executor.name, ", ", values.size(), " values in ", range.size(), " elements, skipped ", skipped);
  const input<Executor, Element> elements(range, skipped & 3);
  const input<Executor, Value> searched(values, skipped >> 2 & 3);
  const output<Executor, Position> lower(static_cast<offset>(values.size()), skipped >> 1 & 3),
      upper(static_cast<offset>(values.size()), skipped >> 3 & 3);
  const Element* const first = elements.begin();
  const Value* const value = searched.begin();
  CHECK(mgpu::lower_bound_sorted_values(executor.policy(), first, first + range.size(), value, value + values.size(),
                                        lower.begin(), compare) == lower.end());
  CHECK(mgpu::upper_bound_sorted_values(executor.policy(), first, first + range.size(), value, value + values.size(),
                                        upper.begin(), compare) == upper.end());
  CHECK(lower.first_difference(lower_bounds<Position>(range, values, compare)) == -1);
  CHECK(upper.first_difference(upper_bounds<Position>(range, values, compare)) == -1);
  CHECK(elements.unchanged());
  CHECK(searched.unchanged());
}

/// The core of lower_bound_sorted_values of raw pointers.
template <class Key, class Position = offset>
using search_core =
    mgpu::detail::core::sorted_search<const Key*, const Key*, mgpu::detail::core::positions_to<Position*>,
                                      mgpu::detail::base::lower_bound_order<cuda::std::less<>>>;

}  // namespace test
