// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/check.h>
#include <mgpu/base/iterator.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/exec/requirements.h>

#include <cuda/std/type_traits>

#include <stdexcept>
#include <string>

MGPU_NAMESPACE_BEGIN

/// An array cut into segments. The positions [first, last) ascend; each is where a segment begins. They are at least 0
/// and at most the number of elements. A segment is empty if the next one begins at the same position, or if it begins
/// at the end of the array. The first segment begins at position 0, whether the positions name it or not.
/// Requires: a random-access iterator to an integer type.
/// Throws: std::invalid_argument if the end lies before the beginning or a pointer to positions is null.
template <class Heads>
struct segment_heads {
  static_assert(detail::base::is_random_access<Heads>, "segment heads are given by random-access iterators");
  static_assert(cuda::std::is_integral_v<detail::base::value_type<Heads>>,
                "the positions of segment heads are integers");

  Heads first;   // [count]
  offset count;  // of the positions

  /// The positions [heads, heads_end).
  segment_heads(Heads heads, Heads heads_end)
      : first(heads), count(detail::base::checked_count(heads, heads_end, "the segment heads")) {
    detail::base::check_not_null(detail::exec::unwrap(first, count), count, "the segment heads");
  }
};

/// An array cut into segments by one bit per element: bit i % 32 of words[i / 32] belongs to element i. An element
/// whose bit is set begins a segment. The first element begins a segment whatever its bit is.
/// Requires: a random-access iterator to 32-bit words.
template <class Words>
struct segment_flags {
  static_assert(detail::base::is_random_access<Words>, "segment flags are given by a random-access iterator");
  static_assert(cuda::std::is_integral_v<detail::base::value_type<Words>> &&
                    sizeof(detail::base::value_type<Words>) == 4,
                "segment flags are bits of 32-bit words");

  Words words;  // [(elements + 31) / 32]

  /// flags[0, (elements + 31) / 32).
  explicit segment_flags(Words flags) : words(flags) {}
};

/// Segments given by their positions in an array. With one sequence segment i is elements [first[i], first[i + 1]);
/// there are count + 1 offsets. With two sequences it is elements [begins[i], ends[i]), and ends[i] <= begins[i + 1].
/// A segment may be empty, also at the end of the array.
/// Elements of no segment keep their values. They are compared with nothing, but they may be written again.
/// Requires: random-access iterators to integer types.
/// Throws: std::invalid_argument if the count is negative or a pointer to offsets is null.
template <class Begins, class Ends = detail::base::no_values>
struct segment_offsets {
  static_assert(detail::base::is_random_access<Begins> && detail::base::is_random_access<Ends>,
                "segment offsets are given by random-access iterators");
  static_assert(cuda::std::is_integral_v<detail::base::value_type<Begins>> &&
                    (!detail::base::has_values<Ends> || cuda::std::is_integral_v<detail::base::value_type<Ends>>),
                "segment offsets are integers");

  Begins begins;  // [count], or [count + 1] without ends
  Ends ends;      // [count]
  offset count;   // of the segments

  /// Segments without gaps between them: offsets[0, segments + 1).
  segment_offsets(Begins offsets, offset segments) : segment_offsets(offsets, Ends{}, segments) {}
  /// Segments with gaps between them: first[0, segments) and last[0, segments).
  segment_offsets(Begins first, Ends last, offset segments) : begins(first), ends(last), count(segments) {
    if (count < 0) throw std::invalid_argument("mgpu: there are " + std::to_string(count) + " segments");
    detail::base::check_not_null(detail::exec::unwrap(begins, count), count, "the segments' offsets");
    detail::base::check_not_null(detail::exec::unwrap(ends, count), count, "the segments' ends");
  }
};

template <class Offsets, class Count>
segment_offsets(Offsets, Count) -> segment_offsets<Offsets>;
template <class Begins, class Ends, class Count>
segment_offsets(Begins, Ends, Count) -> segment_offsets<Begins, Ends>;

namespace detail::exec {
template <class Heads>
inline constexpr bool is_segments<segment_heads<Heads>> = base::is_random_access<Heads>;
template <class Words>
inline constexpr bool is_segments<segment_flags<Words>> = base::is_random_access<Words>;
template <class Begins, class Ends>
inline constexpr bool is_segments<segment_offsets<Begins, Ends>> =
    base::is_random_access<Begins>&& base::is_random_access<Ends>;
}  // namespace detail::exec

MGPU_NAMESPACE_END
