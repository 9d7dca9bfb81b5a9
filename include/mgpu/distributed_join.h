// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Joins of sorted columns that lie on several ranks: see distributed.h, whose policies, requirements and failures they
// have, and join.h. Row numbers are those of the whole columns: row i of rank r is the i-th row behind those of the
// ranks before r. A rank gets the result of its own left rows. So the ranks' parts follow each other in the order of
// the whole result, and no left row moves.
//
// Cost: five small messages between each two ranks; the right rows from a rank's first to its last left row are sent to
//   it, unless it has them. Then the join of one rank. Ranks with many partners, or with left rows far apart, have more
//   to do than others: see rebalance.
// Memory: all right rows that a rank's left rows need, unless it has them all, and what the join takes.
// Throws: as distributed.h says. What join.h says of too many rows holds for the columns of all ranks together, also of
//   as_of_join, and for the part of the result that one rank gets.

#include <mgpu/base/math.h>
#include <mgpu/distributed.h>
#include <mgpu/join.h>
#include <mgpu/plan/distributed/call.h>
#include <mgpu/plan/distributed/join.h>

#include <cuda/std/functional>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

MGPU_NAMESPACE_BEGIN

/// Writes the row numbers of each pair of partners whose left row is this rank's. Returns the ends of both outputs.
/// They have room for as many pairs as inner_join_size says on this rank.
template <class Policy, class Communicator, class Left, class Right, class LeftRows, class RightRows,
          class Compare = cuda::std::less<>>
cuda::std::pair<LeftRows, RightRows> inner_join(const detail::exec::distributed_policy<Policy, Communicator>& p,
                                                Left left, Left left_end, Right right, Right right_end,
                                                LeftRows left_rows, RightRows right_rows, Compare compare = {}) {
  if constexpr (detail::plan::is_sound_join<Policy, Left, Right, Compare> &&
                detail::plan::takes_rows<LeftRows, RightRows> &&
                detail::exec::meets<detail::plan::sent_as_bytes<Left, Right>>) {
    if (p.size() == 1)
      return mgpu::inner_join(p.local(), left, left_end, right, right_end, left_rows, right_rows, compare);
    return detail::plan::inner_join_of_ranks(p, left, left_end, right, right_end, left_rows, right_rows, compare);
  } else {
    return {left_rows, right_rows};
  }
}

/// The number of pairs that inner_join writes on this rank: not on all ranks, as the _size forms of set operations say.
template <class Policy, class Communicator, class Left, class Right, class Compare = cuda::std::less<>>
offset inner_join_size(const detail::exec::distributed_policy<Policy, Communicator>& p, Left left, Left left_end,
                       Right right, Right right_end, Compare compare = {}) {
  if constexpr (detail::plan::is_sound_join<Policy, Left, Right, Compare> &&
                detail::exec::meets<detail::plan::sent_as_bytes<Left, Right>>) {
    if (p.size() == 1) return mgpu::inner_join_size(p.local(), left, left_end, right, right_end, compare);
    return detail::plan::inner_join_size_of_ranks(p, left, left_end, right, right_end, compare);
  } else {
    return 0;
  }
}

/// Writes for each left row of this rank the number of one right row, or mgpu::no_row. Returns the end of right_rows,
/// which has as many elements as this rank has left rows. The right row may be another rank's, wherever that is.
template <class Policy, class Communicator, class Left, class Right, class RightRows, class Direction,
          class Compare = cuda::std::less<>, class Matches = detail::core::always_matches>
RightRows as_of_join(const detail::exec::distributed_policy<Policy, Communicator>& p, Left left, Left left_end,
                     Right right, Right right_end, RightRows right_rows, Direction direction, Compare compare = {},
                     Matches matches = {}) {
  if constexpr (detail::exec::meets<detail::plan::known_direction<Direction>>) {
    if constexpr (detail::plan::is_sound_join<Policy, Left, Right, Compare> && detail::plan::takes_rows<RightRows> &&
                  detail::exec::meets<detail::plan::matching_rows<Matches, Left, Right>,
                                      detail::plan::sent_as_bytes<Left, Right>>) {
      if (p.size() == 1)
        return mgpu::as_of_join(p.local(), left, left_end, right, right_end, right_rows, direction, compare, matches);
      constexpr bool is_forward = cuda::std::is_same_v<Direction, forward_direction>;
      return detail::plan::as_of_join_of_ranks<is_forward>(p, left, left_end, right, right_end, right_rows, compare,
                                                           matches);
    }
  }
  return right_rows;
}

MGPU_NAMESPACE_END
