// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/tile/binary_search.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// A half or a quarter of a thread's share of a tile, odd, so that threads meet different banks.
MGPU_HOST_DEVICE constexpr int smaller_share(int share, int part) { return share / part | 1; }

/// How many elements of `ways` runs a tile merges at most. A pair of ways has threads of its own, and of each pair but
/// one the last thread may have a single element.
MGPU_HOST_DEVICE constexpr int most_items_of_ways(const base::tile_shape& shape, int ways) {
  return shape.items_per_tile() - (shape.items_per_thread - 1) * (ways / 2 - 1);
}

/// Where a group of at most `most_ways` runs is split at a diagonal of their merge: how many elements of each run are
/// among the first elements of the merge.
template <int most_ways>
struct way_splits {
  offset group;          // the group's number; of a single group 0
  offset of[most_ways];  // of the runs that the group has
};

/// The part of a group of runs that a tile merges. Way w is elements [begin[w], begin[w] + count[w]) of a run.
template <int most_ways>
struct ways {
  offset first_run;         // the number of the run of way 0
  int ways_count;           // at most most_ways
  offset begin[most_ways];  // places, as the source of the runs has them
  int count[most_ways];
  offset out_begin;
  int total;  // the sum of the counts

  MGPU_HOST_DEVICE offset run_of(int way) const { return first_run + way; }
};

/// Cuts what each way gives to a tile from the splits at its two diagonals. The splits were searched independently. If
/// the runs are not sorted, they may contradict each other. Clamping keeps every way inside its run, and the tile's
/// size at `items`, the difference of the diagonals. It changes nothing for sorted runs. add(way, from, count) is
/// called for each way.
template <class First, class Last, class Add>
MGPU_HOST_DEVICE int cut_ways(int ways_count, offset items, const First& first, const Last& last, const Add& add) {
  offset left = items;
  for (int w = 0; w < ways_count; ++w) {
    const offset from = first(w);
    const offset count = base::clamp<offset>(last(w) - from, 0, left);
    add(w, from, static_cast<int>(count));
    left -= count;
  }
  return static_cast<int>(items - left);
}

/// The merge of a group of runs, split at one diagonal. A thread, a warp or a block can each search in its own way.
/// Equal elements go in the order of the runs, and those of a run in their own order.
///   Group   runs(): how many; length(run); keys(run): an iterator to the run's first element
/// Source: P. J. Varman, S. D. Scheufler, B. R. Iyer, G. R. Ricard, "Merging multiple lists on hierarchical-memory
///   multiprocessors" (1991), multisequence selection.
template <int most_ways, class Group, class Compare>
struct ways_path {
  Group group;
  offset diagonal;  // at least 0; one behind the last element of the group stands for the group's end
  const Compare& compare;

  using split_type = way_splits<most_ways>;

  /// The splits, as `search` finds them: by one thread (tile::serial_search), or by more.
  MGPU_EXEC_CHECK_DISABLE
  template <class Search>
  MGPU_HOST_DEVICE split_type find(const Search& search) const {
    return search.split_ways(*this);
  }

  /// The splits, by one thread.
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE split_type split() const {
    split_type low, high;
    low.group = high.group = group.number();
    for (int w = 0; w < group.runs(); ++w) {
      low.of[w] = 0;
      high.of[w] = group.length(w);
    }
    return split_between(low, high);
  }

  /// The splits, given those at a diagonal of the group that is `distance` elements before this one.
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE split_type split_after(const split_type& before, offset distance) const {
    split_type high;
    high.group = before.group;
    for (int w = 0; w < group.runs(); ++w) high.of[w] = base::min(before.of[w] + distance, group.length(w));
    return split_between(before, high);
  }

 private:
  /// The splits in the windows from `low` to `high`, one for each run. An element of the widest window is ranked in the
  /// merge; then all windows end or begin at its place. For any comparator the windows shrink, the splits stay in the
  /// windows, and their sum is the diagonal, or that of `high` if that is less.
  /// Requires: the sum of `low` is at most the diagonal.
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE split_type split_between(split_type low, split_type high) const {
    const int count = group.runs();
    offset least = 0, most = 0;  // the sums of low and of high
    for (int w = 0; w < count; ++w) {
      least += low.of[w];
      most += high.of[w];
    }
    for (int round = 0; least < diagonal && most > diagonal; ++round) {
      const int widest = widest_window(low, high);
      const offset place = probe(low.of[widest], high.of[widest], least, most, round);
      split_type rank;
      const offset before = rank_of(widest, place, low, high, rank);
      const bool is_taken = before < diagonal;
      for (int w = 0; w < count; ++w) (is_taken ? low : high).of[w] = rank.of[w];
      if (is_taken) {
        ++low.of[widest];
        least = before + 1;
      } else {
        most = before;
      }
    }
    return least < diagonal ? high : low;
  }

  MGPU_HOST_DEVICE int widest_window(const split_type& low, const split_type& high) const {
    int widest = 0;
    for (int w = 1; w < group.runs(); ++w) {
      if (high.of[w] - low.of[w] > high.of[widest] - low.of[widest]) widest = w;
    }
    return widest;
  }

  /// A place in the window [low, high) of a run: where the split is if all windows are alike. Near an end of the
  /// windows it is moved away from it, so that the split is soon between two probes. Every fourth probe is in the
  /// middle.
  MGPU_HOST_DEVICE offset probe(offset low, offset high, offset least, offset most, int round) const {
    const offset need = diagonal - least, room = most - least, rest = room - need;
    if (round % 4 == 3) return low + (high - low) / 2;
    offset target = need;
    if (round > 0 && need < room / 8) target = 2 * need + group.runs();
    else if (round > 0 && rest < room / 8) target = room - 2 * rest - group.runs();
    const double part = static_cast<double>(target) / static_cast<double>(room);
    return low + base::clamp<offset>(static_cast<offset>(part * static_cast<double>(high - low)), 0, high - low - 1);
  }

  /// Finds how many elements of each run, within its window, go before element `place` of run `of`. Returns their sum.
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE offset rank_of(int of, offset place, const split_type& low, const split_type& high,
                                  split_type& rank) const {
    const auto pivot = group.keys(of) + place;
    const double part = static_cast<double>(place - low.of[of]) / static_cast<double>(high.of[of] - low.of[of]);
    rank.group = low.group;
    offset sum = 0;
    for (int w = 0; w < group.runs(); ++w) {
      const auto keys = group.keys(w);
      const offset guess = low.of[w] + static_cast<offset>(part * static_cast<double>(high.of[w] - low.of[w]));
      constexpr offset first_step = 8;  // so that few lines of memory are read
      offset before = place;
      if (w < of) {
        before = tile::partition_point_around(
            low.of[w], high.of[w], guess, [&](offset i) { return !compare(pivot[offset{0}], keys[i]); }, first_step);
      } else if (w > of) {
        before = tile::partition_point_around(
            low.of[w], high.of[w], guess, [&](offset i) { return compare(keys[i], pivot[offset{0}]); }, first_step);
      }
      rank.of[w] = before;
      sum += before;
    }
    return sum;
  }
};

}  // namespace detail::tile
MGPU_NAMESPACE_END
