// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How many rows a join may have. The numbers of rows of its inputs do not say whether its result has too many: that is
// found where the rows of the result are counted, in sums that saturate.

#include <mgpu/base/math.h>

#include <stdexcept>
#include <string>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// The inputs of a join have at most so many rows together. Searches and tiles go some steps beyond.
inline constexpr offset max_input_rows = offset{1} << 62;

/// Throws std::invalid_argument if the inputs of a join have too many rows.
inline void check_input_rows(offset left_count, offset right_count) {
  if (left_count > max_input_rows - right_count) {
    throw std::invalid_argument("mgpu: " + std::to_string(left_count) + " left rows and " +
                                std::to_string(right_count) + " right rows are more than 2^62 rows");
  }
}

/// Whether the rows of a result could be too many to be counted. If the inputs are not sorted, tiles of the GPU count
/// at most left_count + right_count left rows, each with all right rows.
inline bool may_overflow(offset left_count, offset right_count) {
  return base::saturated_product(left_count + right_count, base::max<offset>(right_count, 1)) == base::max_offset;
}

inline void throw_too_many_rows() {
  throw std::invalid_argument("mgpu: the result of a join has 2^63 - 1 rows or more");
}

/// Returns the size of a join. Throws std::invalid_argument if it has saturated.
inline offset checked_size(offset size) {
  if (size == base::max_offset) plan::throw_too_many_rows();
  return size;
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
