// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/tile/merge_path.h>
#include <mgpu/tile/range.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// Where the balanced path crosses a diagonal.
template <class Index>
struct balanced_split {
  Index a;       // elements of a before the diagonal
  bool starred;  // the last of them is paired with the first element of b after the diagonal
};

/// The first index of [0, last) from which on `is_before` is false, or last. Like partition_point, but it tries the end
/// first: the cost grows with the distance of the result from `last`.
/// Requires: 8 * last fits in Index.
MGPU_EXEC_CHECK_DISABLE
template <class Index, class Predicate>
MGPU_HOST_DEVICE Index partition_point_from_end(Index last, const Predicate& is_before) {
  Index low = 0, high = last;
  for (Index step = 1; step <= last; step *= 8) {
    const Index probe = last - step;
    if (is_before(probe)) {
      low = probe + 1;
      break;
    }
    high = probe;
  }
  return tile::partition_point(low, high, is_before);
}

/// Where the balanced path of a[0, a_count) and b[0, b_count) crosses one diagonal. The path visits the elements in the
/// order of (key, rank among the equal keys of its input, a before b): a0 b0 a1 b1 ... A multiset operation pairs
/// elements of equal key and rank; on this path the two elements of a pair follow each other. A diagonal between them
/// is starred; the tile after it begins with the second element of the pair.
///
/// The merge path crosses the same diagonal in the same run of equal keys, but it takes all of the run's a before its
/// b. So the search is that of the merge path. split_at() then divides what both paths took of the run.
/// Duplicates: false promises that neither input has equal keys, so that a run is one pair at most.
/// Source: S. Baxter, "Modern GPU" (2013), the page on multisets.
template <bool Duplicates, class Index, class A, class B, class Compare>
struct balanced_path {
  merge_path<Index, A, B, Compare> merged;

  MGPU_HOST_DEVICE Index low() const { return merged.low(); }
  MGPU_HOST_DEVICE Index high() const { return merged.high(); }
  MGPU_HOST_DEVICE bool operator()(Index i) const { return merged(i); }

  /// The split, computed from the split of the merge path. Each comparison is of one element of a and one of b.
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE balanced_split<Index> split_at(Index a_end) const {
    const A& a = merged.a;
    const B& b = merged.b;
    const Compare& compare = merged.compare;
    const Index b_end = merged.diagonal - a_end;
    // The balanced path leaves the merge path only if the last element of a has equals in b after the diagonal.
    if (a_end == 0 || b_end >= merged.b_count) return {a_end, false};
    const auto& last_a = a[a_end - 1];
    const auto& next_b = b[b_end];
    if (compare(last_a, next_b)) return {a_end, false};
    if constexpr (!Duplicates) return {a_end, true};

    const Index a_begin = tile::partition_point_from_end(a_end - 1, [&](Index i) { return compare(a[i], next_b); });
    const Index b_begin = tile::partition_point_from_end(b_end, [&](Index i) { return compare(b[i], last_a); });
    // Before the merge path's crossing the run has a[a_begin, a_end) and b[b_begin, b_end). The balanced path takes
    // half of them from each side, as far as a has elements (the merge path took all of a's before one of b's) and as
    // far as b has.
    const Index a_run = a_end - a_begin, run = a_run + (b_end - b_begin);
    const Index b_wanted = base::max(run / 2, run - a_run);
    const Index b_run_end = tile::partition_point(b_end, base::min(merged.b_count, b_begin + b_wanted + 1),
                                                  [&](Index i) { return !compare(last_a, b[i]); });
    const Index b_taken = base::min(b_wanted, b_run_end - b_begin), a_taken = run - b_taken;
    return {a_begin + a_taken, a_taken == b_taken + 1 && b_taken < b_run_end - b_begin};
  }

  /// The split, as `search` finds it: by one thread (tile::serial_search) or by a warp (block::warp_search).
  MGPU_EXEC_CHECK_DISABLE
  template <class Search>
  MGPU_HOST_DEVICE balanced_split<Index> find(const Search& search) const {
    return split_at(search.partition_point(low(), high(), *this));
  }
  MGPU_HOST_DEVICE balanced_split<Index> split() const { return split_at(merged.split()); }
};

/// The part of the inputs that a tile consumes between two diagonals of the balanced path.
struct balanced_range : range {
  bool starts_starred;  // the first element of b is paired with the last of a before the tile
  bool ends_starred;    // the last element of a is paired with the first of b after the tile

  /// The tile between two diagonals whose splits were searched independently. Clamped as by range::between.
  static MGPU_HOST_DEVICE balanced_range between(offset first, offset last, const balanced_split<offset>& first_split,
                                                 const balanced_split<offset>& last_split) {
    return {range::between(first, last, first_split.a, last_split.a), first_split.starred, last_split.starred};
  }

  /// The range with both elements of each of its pairs. It cedes the second element of a pair that the tile before it
  /// opened. It takes the second element of the pair that it opens last.
  MGPU_HOST_DEVICE range of_whole_pairs(offset b_count) const {
    const offset begin = base::min(b_begin + starts_starred, b_count);
    return {a_begin, a_end, begin, base::max(begin, base::min(b_end + ends_starred, b_count))};
  }
};

}  // namespace detail::tile
MGPU_NAMESPACE_END
