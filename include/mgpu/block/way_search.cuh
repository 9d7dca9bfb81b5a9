// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace block {

/// Finds where at most `most_ways` sorted runs are split, so that about `diagonal` elements of their stable merge go
/// before the splits: at most `slack` more or fewer. The splits are always a cut of the merge: all elements before them
/// go before all others. With a slack of 0 they are at the diagonal.
///   `lanes_of_run` neighbouring threads of a warp search in one run. In each round one element, the pivot, is ranked
/// in all runs at once; then the splits are known to lie before or behind it. The first pivot is where runs of random
/// keys would be split, and each run is searched near the place where the pivot would be in random keys.
///   8 runs of u32, 2^28 in all, tiles of 8,160, H200, 2026-11-22, us, a thread per run: searches in windows that two
/// coarse searches give, slack 64 99, slack 0 124, slack 128 95; without the coarse searches 211; two pivots a round
/// 240. Windows of 3 times the root of the distance instead of 4.5: 4 runs 60 for 56, 8 runs 101 for 100, 32 runs 196
/// for 186 (2026-11-23). In the tiles' own kernel, by blocks ahead of the tiles, the searches cost as much.
template <int most_ways, int lanes_of_run>
class way_search {
 public:
  static constexpr int threads = most_ways * lanes_of_run;
  static_assert(threads <= 32 && (threads & (threads - 1)) == 0, "the threads of a search are a part of one warp");

  MGPU_DEVICE way_search()
      : shift_(lane_of_warp() / threads * threads),
        lanes_((~0u >> (32 - threads)) << shift_),
        way_(lane_of_warp() % threads / lanes_of_run),
        lane_(lane_of_warp() % lanes_of_run) {}

  /// The run that this thread searches in.
  MGPU_DEVICE int way() const { return way_; }
  MGPU_DEVICE bool is_first_lane() const { return lane_ == 0; }

  /// The split of this thread's run. All threads of the search call it with the same arguments.
  ///   Group   runs(): how many; length(run); keys(run): an iterator to the run's first element; place(run): that
  ///           element's place; keys_at(run, place)
  template <class Group, class Compare>
  MGPU_DEVICE offset find(const Group& group, offset diagonal, int slack, const Compare& compare) const {
    const offset count = way_ < group.runs() ? group.length(way_) : 0, total = sum(count);
    if (follow_each_other(group, count, compare)) {
      return base::clamp(base::min(diagonal, total) - sum_before(count), offset{0}, count);
    }
    return search<offset>(group, 0, diagonal, count, slack, compare);
  }

  /// find, if the split of this thread's run is known to be in [low, high]. Both are cuts of the merge.
  template <class Group, class Compare>
  MGPU_DEVICE offset find_between(const Group& group, offset diagonal, offset low, offset high, int slack,
                                  const Compare& compare) const {
    const offset open = base::min<offset>(high - low, most_open);
    return low + search<int>(group, low, static_cast<int>(base::clamp<offset>(diagonal - sum(low), 0, sum(open))),
                             static_cast<int>(open), slack, compare);
  }

 private:
  static constexpr offset most_open = offset{1} << 24;  // 32 times as many are an int
  static constexpr int exact_rounds = 4;                // after them a pivot may have many equals
  static constexpr int alike_rounds = 6;                // up to them runs are taken to be alike
  static constexpr int quick_rounds = 24;

  static MGPU_DEVICE int lane_of_warp() { return static_cast<int>(threadIdx.x) % 32; }

  /// True if no run has an element that goes before one of the run before it. Empty runs are not looked through.
  template <class Group, class Compare>
  MGPU_DEVICE bool follow_each_other(const Group& group, offset count, const Compare& compare) const {
    bool follows = true;
    if (way_ > 0 && count > 0) {
      const offset before = group.length(way_ - 1);
      follows = before > 0 && !compare(group.keys(way_)[offset{0}], group.keys(way_ - 1)[before - 1]);
    }
    return __all_sync(lanes_, follows);
  }

  /// The split in [0, open) of this thread's run, counted from `origin`.
  template <class Index, class Group, class Compare>
  MGPU_DEVICE Index search(const Group& group, offset origin, Index diagonal, Index open, int slack,
                           const Compare& compare) const {
    // Kept, so that no round reads bounds of runs.
    const int own_way = base::min(way_, group.runs() - 1);
    const offset first = group.place(own_way) + origin;
    const auto mine = group.keys_at(own_way, first);
    Index low = 0, high = open;
    Index low_sum = 0, high_sum = sum(open);
    float part = static_cast<float>(open) / static_cast<float>(high_sum);  // of all undecided elements
    // Each round decides one element at least. A strict weak ordering takes few of them.
    if (diagonal <= 0) return 0;  // the ends of the merge are exact
    if (diagonal >= high_sum) return open;
    for (int round = 0; round < 1024; ++round) {
      if (low_sum + slack >= diagonal) return low;
      if (high_sum - slack <= diagonal) return high;
      const float below = static_cast<float>(diagonal - low_sum), above = static_cast<float>(high_sum - diagonal);
      const bool from_low = below <= above;
      float distance = from_low ? below : above;                 // of the pivot from the nearer bound
      if (slack == 0 && round > 0) distance += sqrtf(distance);  // a little behind the split, to bound it on that side
      if (round >= alike_rounds) part = static_cast<float>(high - low) / (below + above);
      if (round >= quick_rounds) distance = 0.5f * (below + above);
      const Index step = static_cast<Index>(distance * part);
      const Index guess = base::clamp(from_low ? low + step : high - 1 - step, low, base::max<Index>(low, high - 1));
      const Index margin = static_cast<Index>(4.5f * sqrtf(distance * part)) + 1;
      const int from = widest(high - low);
      const Index pivot = __shfl_sync(lanes_, guess, from * lanes_of_run, threads);
      const auto& x = group.keys_at(from, __shfl_sync(lanes_, first, from * lanes_of_run, threads))[offset{pivot}];
      const bool is_before = way_ < from;
      Index place = pivot;
      if (way_ != from) {
        place = bound_near(low, high, guess, margin, [&](Index i) -> bool {
          return is_before ? !compare(x, mine[offset{i}]) : compare(mine[offset{i}], x);
        });
      }
      const Index rank = sum(place);
      if (rank < diagonal) {
        low = place + (way_ == from ? 1 : 0);
        low_sum = rank + 1;
      } else {
        high = place;
        high_sum = rank;
      }
      if (round < exact_rounds) continue;
      const bool has_equals = way_ == from && ((pivot + 1 < high && !compare(x, mine[offset{pivot} + 1])) ||
                                               (pivot > low && !compare(mine[offset{pivot} - 1], x)));
      if (!__any_sync(lanes_, has_equals)) continue;
      // Many elements may equal the pivot. All that do are decided at once.
      const Index begin = bound(low, high, [&](Index i) -> bool { return compare(mine[offset{i}], x); });
      const Index end = bound(begin, high, [&](Index i) -> bool { return !compare(x, mine[offset{i}]); });
      const Index begin_sum = sum(begin), end_sum = sum(end);
      if (begin_sum >= diagonal) {
        high = begin;
        high_sum = begin_sum;
      } else if (end_sum <= diagonal) {
        low = end;
        low_sum = end_sum;
      } else {
        return begin + base::clamp<Index>(diagonal - begin_sum - sum_before(end - begin), 0, end - begin);
      }
    }
    return low;
  }

  template <class Index>
  MGPU_DEVICE Index sum(Index x) const {
    MGPU_UNROLL
    for (int step = lanes_of_run; step < threads; step *= 2) x += __shfl_xor_sync(lanes_, x, step);
    return x;
  }

  /// The sum of x over the runs before this thread's.
  template <class Index>
  MGPU_DEVICE Index sum_before(Index x) const {
    Index inclusive = x;
    MGPU_UNROLL
    for (int step = lanes_of_run; step < threads; step *= 2) {
      const Index other = __shfl_up_sync(lanes_, inclusive, step, threads);
      if (way_ * lanes_of_run >= step) inclusive += other;
    }
    return inclusive - x;
  }

  /// A run of which most is undecided.
  template <class Index>
  MGPU_DEVICE int widest(Index open) const {
    unsigned widest =
        static_cast<unsigned>(base::clamp<Index>(open, 0, (1 << 26) - 1)) << 5 | static_cast<unsigned>(way_);
    MGPU_UNROLL
    for (int step = lanes_of_run; step < threads; step *= 2) {
      widest = base::max(widest, __shfl_xor_sync(lanes_, widest, step));
    }
    return static_cast<int>(widest & 31);
  }

  /// bound that first tries the neighbourhood of `guess`.
  template <class Index, class Predicate>
  MGPU_DEVICE Index bound_near(Index low, Index high, Index guess, Index margin, const Predicate& predicate) const {
    if (high - low > 2 * margin + 2) {
      const Index left = base::max(guess - margin, low), right = base::min(guess + margin, high - 1);
      const bool past_left = predicate(left), past_right = predicate(right);
      if (!past_left) {
        high = left;
      } else if (past_right) {
        low = right + 1;
      } else {
        low = left + 1;
        high = right;
      }
    }
    return bound(low, high, predicate);
  }

  /// tile::partition_point by the threads of this run.
  template <class Index, class Predicate>
  MGPU_DEVICE Index bound(Index low, Index high, const Predicate& predicate) const {
    constexpr unsigned all = lanes_of_run == 32 ? ~0u : (1u << lanes_of_run) - 1;
    const int shift = way_ * lanes_of_run + shift_;
    while (low < high) {
      if constexpr (lanes_of_run == 1) {
        const Index middle = low + (high - low) / 2;
        if (predicate(middle)) low = middle + 1;
        else high = middle;
      } else {  // each thread asks for the last element of its part
        const Index part = (high - low - 1) / lanes_of_run + 1;
        const Index probe = base::min<Index>(low + (lane_ + 1) * part, high) - 1;
        const unsigned passed = __ballot_sync(all << shift, predicate(probe)) >> shift & all;
        const int count = passed == all ? lanes_of_run : __ffs(static_cast<int>(~passed)) - 1;
        low = base::min<Index>(low + count * part, high);
        if (count < lanes_of_run) high = base::max<Index>(low, base::min<Index>(low + part, high) - 1);
      }
    }
    return low;
  }

  int shift_;       // of the search in its warp
  unsigned lanes_;  // of the warp
  int way_, lane_;
};

}  // namespace block
MGPU_NAMESPACE_END
