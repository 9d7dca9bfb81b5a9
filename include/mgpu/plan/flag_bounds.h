// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/workspace.h>

#include MGPU_CUDA_VERB_HEADER(each)
#include MGPU_CUDA_VERB_HEADER(scan_offsets)

#include <cuda/std/limits>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

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

/// The last head of all cells up to each.
struct last_heads {
  offset* heads;  // [cells]; 0 where a cell has none

  static constexpr const char* name = "last heads";  // in a profiler
  static constexpr offset zero = 0;
  MGPU_HOST_DEVICE offset value_at(offset i) const { return heads[i]; }
  MGPU_HOST_DEVICE void put(offset i, offset head) const { heads[i] = head; }
  MGPU_HOST_DEVICE offset sum(offset x, offset y) const { return base::max(x, y); }
};
/// The first head of all cells from each on. The last cell has number 0.
struct first_heads {
  offset* last;

  static constexpr const char* name = "first heads";
  static constexpr offset zero = cuda::std::numeric_limits<offset>::max();
  MGPU_HOST_DEVICE offset value_at(offset i) const { return *(last - i); }
  MGPU_HOST_DEVICE void put(offset i, offset head) const { *(last - i) = head; }
  MGPU_HOST_DEVICE offset sum(offset x, offset y) const { return base::min(x, y); }
};

/// The nearest segment heads before and behind each border of cells, where segments are given by flags of elements.
template <class Policy>
class flag_bounds {
 public:
  template <class Segments>
  flag_bounds(Policy& p, const Segments& segments, offset cells, offset cell_items)
      : memory_(p, 2 * cells + 1), last_before_(memory_.data()), first_from_(last_before_ + cells + 1) {
    exec::executor(p).each(cells, find_heads_of_cell<Segments>{segments, cell_items, last_before_, first_from_});
    exec::executor(p).scan_offsets(last_heads{last_before_}, cells + 1);
    exec::executor(p).scan_offsets(first_heads{first_from_ + cells - 1}, cells);
  }

  const offset* last_before() const { return last_before_; }
  const offset* first_from() const { return first_from_; }

 private:
  exec::workspace<offset, Policy> memory_;
  offset* last_before_;
  offset* first_from_;
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
