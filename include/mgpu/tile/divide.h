// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/tile/merge_path.h>
#include <mgpu/tile/range.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// Divides a range of a and b into parts of equal size that follow each other in the merge: for a CPU thread that takes
/// turns at them.
template <int Lanes, class A, class B, class Compare>
void divide(const range& t, const A& a, const B& b, const Compare& compare, range (&lane)[Lanes]) {
  const offset begin = t.out_begin(), a_count = t.a_end - t.a_begin, b_count = t.b_end - t.b_begin;
  offset split = t.a_begin;
  for (int k = 0; k < Lanes; ++k) {
    const offset first = begin + (a_count + b_count) * k / Lanes, last = begin + (a_count + b_count) * (k + 1) / Lanes;
    const merge_path path{a + t.a_begin, b + t.b_begin, a_count, b_count, last - begin, compare};
    lane[k] = range::between(first, last, split, t.a_begin + path.split());
    split = lane[k].a_end;
  }
}

}  // namespace detail::tile
MGPU_NAMESPACE_END
