// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace block {

/// How many elements of a run there are to a difference of 1 between keys. Of keys that are no numbers nobody knows.
template <class Key, bool is_number = cuda::std::is_arithmetic_v<Key> && !cuda::std::is_same_v<Key, bool>>
struct way_density {
  template <class Keys, class Index>
  MGPU_DEVICE way_density(const Keys&, Index) {}

  /// Narrows [low, high), which has the bound of x among the keys. The guess is in the window. Whatever keys and
  /// comparator are, the bound stays in the window.
  template <class Index, class Keys, class X, class Predicate>
  MGPU_DEVICE void narrow(Index& low, Index& high, Index guess, Index margin, const Keys& keys, const X&,
                          const Predicate& precedes) const {
    narrow_around(low, high, guess, margin, keys, precedes);
  }

 protected:
  /// Narrows a window that is wide to the neighbourhood of the guess, if the bound is there.
  template <class Index, class Keys, class Predicate>
  static MGPU_DEVICE void narrow_around(Index& low, Index& high, Index guess, Index margin, const Keys& keys,
                                        const Predicate& precedes) {
    if (high - low <= 2 * margin + 2) return;
    const Index left = base::max(guess - margin, low), right = base::min(guess + margin, high - 1);
    const bool past_left = precedes(keys[offset{left}]), past_right = precedes(keys[offset{right}]);
    if (!past_left) {
      high = left;
    } else if (past_right) {
      low = right + 1;
    } else {
      low = left + 1;
      high = right;
    }
  }
};
template <class Key>
class way_density<Key, true> : way_density<Key, false> {
 public:
  /// The mean of the first `count` keys.
  template <class Keys, class Index>
  MGPU_DEVICE way_density(const Keys& keys, Index count) : way_density<Key, false>(keys, count) {
    if (count > 1) density_ = static_cast<float>(count) / distance(keys[offset{0}], keys[offset{count} - 1]);
  }

  /// Each probe is as far from the last one as the difference of keys tells, at most `margin`.
  template <class Index, class Keys, class Predicate>
  MGPU_DEVICE void narrow(Index& low, Index& high, Index guess, Index margin, const Keys& keys, const Key& x,
                          const Predicate& precedes) const {
    for (int probe = 0; probe < 3 && high - low > 16; ++probe) {
      const Index at = base::clamp(guess, low, high - 1);
      const Key y = keys[offset{at}];
      // The second probe is where x is expected, the others are a little behind, to bound it on the other side.
      float elements = distance(x, y) * density_;
      if (probe > 0) elements += 2.0f * sqrtf(elements) + 1.0f;
      const Index step = static_cast<Index>(fminf(elements, static_cast<float>(margin)));
      if (precedes(y)) {
        low = at + 1;
        guess = low + step;
      } else {
        high = at;
        guess = high - 1 - step;
      }
    }
    if (low < high) this->narrow_around(low, high, base::clamp(guess, low, high - 1), margin, keys, precedes);
  }

 private:
  static MGPU_DEVICE float distance(const Key& x, const Key& y) {
    if constexpr (cuda::std::is_floating_point_v<Key>) {
      return fabsf(static_cast<float>(x - y));
    } else {
      using bits = cuda::std::make_unsigned_t<Key>;
      const bits larger = static_cast<bits>(base::max(x, y)), smaller = static_cast<bits>(base::min(x, y));
      return static_cast<float>(static_cast<bits>(larger - smaller));
    }
  }

  float density_ = 0;
};

/// Finds where at most `most_ways` sorted runs are split, so that about `diagonal` elements of their stable merge go
/// before the splits: at most `slack` more or fewer. The splits are always a cut of the merge: all elements before them
/// go before all others. With a slack of 0 they are at the diagonal.
///   `lanes_of_run` neighbouring threads of a warp search in one run. In each round one element, the pivot, is ranked
/// in all runs at once; then the splits are known to lie before or behind it. The first pivot is where runs of random
/// keys would be split, and each run is searched near the place where the pivot would be in random keys. Numbers tell
/// how far away it is: for 2^28 u32 in 4 / 8 / 16 / 32 runs all searches take 29 / 55 / 81 / 100 us, with windows alone
/// 53 / 91 / 170 / 188 (H200, 2026-11-23).
///   With windows alone, 8 runs of u32, 2^28 in all, tiles of 8,160, H200, 2026-11-22, us, a thread per run: searches
/// in windows that two coarse searches give, slack 64 99, slack 0 124, slack 128 95; without the coarse searches 211;
/// two pivots a round 240. Windows of 3 times the root of the distance instead of 4.5: 4 runs 60 for 56, 8 runs 101 for
/// 100, 32 runs 196 for 186 (2026-11-23). In the tiles' own kernel, by blocks ahead of the tiles, the searches cost as
/// much.
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
  /// Index: a type that counts all elements.
  template <class Index, class Group, class Compare>
  MGPU_DEVICE offset find(const Group& group, offset diagonal, int slack, const Compare& compare) const {
    const auto count = static_cast<Index>(way_ < group.runs() ? group.length(way_) : 0);
    const auto before = static_cast<Index>(base::min<offset>(diagonal, sum(count)));
    if (follow_each_other(group, count, compare)) return base::clamp<Index>(before - sum_before(count), 0, count);
    return search<Index>(group, 0, before, count, slack, compare);
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
    using key = base::value_type<cuda::std::decay_t<decltype(mine)>>;
    Index low = 0, high = open;
    Index low_sum = 0, high_sum = sum(open);
    float part = static_cast<float>(open) / static_cast<float>(high_sum);  // of all undecided elements
    // Each round decides one element at least. A strict weak ordering takes few of them.
    if (diagonal <= 0) return 0;  // the ends of the merge are exact
    if (diagonal >= high_sum) return open;
    const way_density<key> density(mine, open);
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
      const auto precedes = [&](const auto& y) -> bool { return is_before ? !compare(x, y) : compare(y, x); };
      Index place = pivot;
      if (way_ != from) {
        Index left = low, right = high;
        density.narrow(left, right, guess, margin, mine, x, precedes);
        place = bound(left, right, [&](Index i) { return precedes(mine[offset{i}]); });
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
