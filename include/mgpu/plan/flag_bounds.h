// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/workspace.h>

#include <thrust/iterator/reverse_iterator.h>
#include <thrust/scan.h>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// Writes the first and the last head of a cell.
template <class Segments>
struct find_heads_of_cell {
  Segments segments;
  offset cell_items;
  offset* last_before;  // [cells + 1]
  offset* first_from;   // [cells]

  MGPU_HOST_DEVICE void operator()(offset cell) const {
    const offset begin = cell * cell_items, end = base::min(begin + cell_items, segments.count);
    if (cell == 0) last_before[0] = 0;
    last_before[cell + 1] = base::max<offset>(segments.last_head(begin, end), 0);
    const offset first = segments.next_head(begin, end);
    first_from[cell] = first < end ? first : segments.count;
  }
};

struct larger {
  MGPU_HOST_DEVICE offset operator()(offset x, offset y) const { return base::max(x, y); }
};
struct smaller {
  MGPU_HOST_DEVICE offset operator()(offset x, offset y) const { return base::min(x, y); }
};

/// The heads around the borders of cells, where heads are flags of elements.
template <class Policy>
class flag_bounds {
 public:
  template <class Segments>
  flag_bounds(Policy& p, const Segments& segments, offset cells, offset cell_items)
      : memory_(p, 2 * cells + 1), last_before_(memory_.data()), first_from_(last_before_ + cells + 1) {
    exec::executor(p).each(cells, find_heads_of_cell<Segments>{segments, cell_items, last_before_, first_from_});
    THRUST_NS_QUALIFIER::inclusive_scan(p, last_before_, last_before_ + cells + 1, last_before_, larger{});
    const auto from_behind = THRUST_NS_QUALIFIER::make_reverse_iterator(first_from_ + cells);
    THRUST_NS_QUALIFIER::inclusive_scan(p, from_behind, from_behind + cells, from_behind, smaller{});
  }

  const offset* last_before() const { return last_before_; }
  const offset* first_from() const { return first_from_; }

 private:
  workspace<offset, Policy> memory_;
  offset* last_before_;
  offset* first_from_;
};

}  // namespace exec
MGPU_NAMESPACE_END
