// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/block/runs/way_density.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// Finds where at most `most_ways` sorted runs are split, so that about `diagonal` elements of their stable merge go
/// before the splits: at most `slack` more or fewer. The splits are always a cut of the merge: all elements before them
/// go before all others. With a slack of 0 they are at the diagonal.
///   In each round one element, the pivot, is ranked in all runs at once; then the splits are known to lie before or
/// behind it. The first pivot is where runs of random keys would be split, and each run is searched near the place
/// where the pivot would be in random keys. Of numbers a first cut, at a mean, makes most rounds needless.
///   A whole warp searches for one split, and the runs stay in step; or a thread searches in each run, and a warp for
/// several splits. 8 runs, 2^20 u32 in all, H200, 2026-11-23, us: this 13.1, without means 17.7, and then with a half
/// of a block for each split 15.9, with runs that do not stay in step and more probes at a time 20.3. 2^25 in 4 / 8 /
/// 16 / 32 runs, with means and without: 104 / 141 / 174 / 228, 110 / 150 / 214 / 239.
///   A thread in each run, 8 runs of u32, 2^28 in all, tiles of 8,160, H200, 2026-11-22, us: searches in windows that
/// two coarse searches give, slack 64 99, slack 0 124, slack 128 95; without the coarse searches 211; two pivots a
/// round 240. Windows of 3 times the root of the distance instead of 4.5: 4 runs 60 for 56, 8 runs 101 for 100, 32 runs
/// 196 for 186. Where numbers tell how far away the pivot is, 55. In the tiles' own kernel, by blocks ahead of the
/// tiles, the searches cost as much.
template <int most_ways, bool by_warp>
class way_search {
 public:
  MGPU_DEVICE way_search()
      : first_lane_(lane_of_warp() / threads * threads),
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
    const bool follows = follows_last_run(group, count, compare);
    const auto before = static_cast<Index>(base::min<offset>(diagonal, sum(count)));
    return search<Index>(group, 0, before, count, slack, compare, follows);
  }

  /// find, if the split of this thread's run is known to be in [low, high]. Both are cuts of the merge.
  template <class Group, class Compare>
  MGPU_DEVICE offset find_between(const Group& group, offset diagonal, offset low, offset high, int slack,
                                  const Compare& compare) const {
    const offset open = base::min<offset>(high - low, most_open);
    return low + search<int>(group, low, static_cast<int>(base::clamp<offset>(diagonal - sum(low), 0, sum(open))),
                             static_cast<int>(open), slack, compare, false);
  }

 private:
  static constexpr int lanes_of_run = by_warp ? 32 / most_ways : 1;  // neighbouring threads
  static constexpr int threads = most_ways * lanes_of_run;
  static_assert(threads <= 32 && (threads & (threads - 1)) == 0, "the threads of a search are a part of one warp");

  static constexpr offset most_open = offset{1} << 24;  // 32 times as many are an int
  static constexpr int exact_rounds = by_warp ? 1 : 4;  // after them a pivot may have many equals
  static constexpr int alike_rounds = 6;                // up to them runs are taken to be alike
  static constexpr int quick_rounds = 24;

  static MGPU_DEVICE int lane_of_warp() { return static_cast<int>(threadIdx.x) % 32; }

  /// False if this thread's run has an element that goes before one of the run before it. Empty runs are not looked
  /// through.
  template <class Group, class Compare>
  MGPU_DEVICE bool follows_last_run(const Group& group, offset count, const Compare& compare) const {
    if (way_ == 0 || count == 0) return true;
    const offset before = group.length(way_ - 1);
    return before > 0 && !compare(group.keys(way_)[offset{0}], group.keys(way_ - 1)[before - 1]);
  }

  /// The split in [0, open) of this thread's run, counted from `origin`.
  template <class Index, class Group, class Compare>
  MGPU_DEVICE Index search(const Group& group, offset origin, Index diagonal, Index open, int slack,
                           const Compare& compare, bool follows) const {
    // Kept, so that no round reads bounds of runs.
    const int own_way = base::min(way_, group.runs() - 1);
    const offset first = group.place(own_way) + origin;
    const auto mine = group.keys_at(own_way, first);
    using key = base::value_type<cuda::std::decay_t<decltype(mine)>>;
    Index low = 0, high = open;
    Index low_sum = 0, high_sum = sum(open);
    float part = static_cast<float>(open) / static_cast<float>(high_sum);  // of all undecided elements
    if (diagonal <= 0) return 0;                                           // the ends of the merge are exact
    if (diagonal >= high_sum) return open;
    way_density<key> density(mine, open);
    const auto split_in_order = [&] { return base::clamp<Index>(diagonal - sum_before(open), 0, open); };
    constexpr bool is_shuffled = has_distances<key> && sizeof(key) <= 8;
    if constexpr (is_shuffled && (base::is_less<Compare, key> || base::is_greater<Compare, key>)) {
      const Index guess = base::min<Index>(static_cast<Index>(static_cast<float>(diagonal) * part), open - 1);
      const key at_guess = open > 0 ? mine[offset{guess}] : key{};
      if (all(follows)) return split_in_order();  // asked here, while elements are read
      density.measure();
      Index place;
      if (find_mean(mine, open, guess, at_guess, density, compare, place)) {
        const Index rank = sum(place);
        (rank < diagonal ? low : high) = place;
        (rank < diagonal ? low_sum : high_sum) = rank;
      }
    } else {
      if (all(follows)) return split_in_order();
      density.measure();
    }
    // Each round decides one element at least. A strict weak ordering takes few of them.
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
      const Index pivot = __shfl_sync(lanes(), guess, from * lanes_of_run, threads);
      const auto& x = group.keys_at(from, __shfl_sync(lanes(), first, from * lanes_of_run, threads))[offset{pivot}];
      const bool is_before = way_ < from;
      const auto precedes = [&](const auto& y) -> bool { return is_before ? !compare(x, y) : compare(y, x); };
      Index place = pivot;
      const auto precedes_at = [&](Index i) { return precedes(mine[offset{i}]); };
      if constexpr (by_warp) {
        Index left = way_ == from ? pivot : low, right = way_ == from ? pivot : high;
        narrow(left, right, guess, margin, precedes_at);
        place = bound(left, right, precedes_at);
      } else if (way_ != from) {
        Index left = low, right = high;
        density.narrow(left, right, guess, margin, mine, x, precedes);
        place = bound(left, right, precedes_at);
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
      if (!__any_sync(lanes(), has_equals)) continue;
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

  /// Where a run of numbers has the mean of the elements at the guesses, each weighed by the density of its run. In
  /// random keys that is close to the split: it is wrong by what the guesses differ, while one of them is wrong by how
  /// far the beginning of its run is. Returns false in all threads if there is none.
  template <class Index, class Keys, class Key, class Compare>
  MGPU_DEVICE bool find_mean(const Keys& keys, Index count, Index guess, const Key& at_guess,
                             const way_density<Key>& density, const Compare& compare, Index& place) const {
    const float weights = sum(density.to_one());
    if (!(weights > 0 && weights < 1e30f)) return false;
    const Key other = __shfl_sync(lanes(), at_guess, 0, threads);
    const Key mean = density.moved(other, sum(density.difference(at_guess, other) * (density.to_one() / weights)));
    const float elements = fminf(density.between(at_guess, mean), static_cast<float>(count));
    const Index distance = static_cast<Index>(elements), margin = static_cast<Index>(4.0f * sqrtf(elements)) + 2;
    guess =
        base::max<Index>(base::min<Index>(compare(at_guess, mean) ? guess + distance : guess - distance, count - 1), 0);
    const auto precedes = [&](const Key& y) -> bool { return compare(y, mean); };
    const auto precedes_at = [&](Index i) { return precedes(keys[offset{i}]); };
    Index low = 0, high = count;
    if constexpr (by_warp) narrow(low, high, guess, margin, precedes_at);
    else density.narrow(low, high, guess, margin, keys, mean, precedes);
    place = bound(low, high, precedes_at);
    return true;
  }

  MGPU_DEVICE unsigned lanes() const {
    if constexpr (threads == 32) return ~0u;
    else return (~0u >> (32 - threads)) << first_lane_;
  }
  MGPU_DEVICE bool all(bool x) const { return __all_sync(lanes(), x); }

  template <class T>
  MGPU_DEVICE T sum(T x) const {
    MGPU_UNROLL
    for (int step = lanes_of_run; step < threads; step *= 2) x += __shfl_xor_sync(lanes(), x, step);
    return x;
  }

  /// The sum of x over the runs before this thread's.
  template <class Index>
  MGPU_DEVICE Index sum_before(Index x) const {
    Index inclusive = x;
    MGPU_UNROLL
    for (int step = lanes_of_run; step < threads; step *= 2) {
      const Index other = __shfl_up_sync(lanes(), inclusive, step, threads);
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
      widest = base::max(widest, __shfl_xor_sync(lanes(), widest, step));
    }
    return static_cast<int>(widest & 31);
  }

  /// Elements of a run that a warp asks for at once, and how many of them a thread.
  static constexpr int each = base::clamp(16 / lanes_of_run, 1, 4), probes = each * lanes_of_run;

  /// How many of `probes` elements of this thread's run, in order, are passed before the first that is not. By a whole
  /// warp: the runs stay in step, also those that are not active.
  ///   at(i): the place of probe i
  template <class At, class Predicate>
  MGPU_DEVICE int count_passed(bool is_active, const At& at, const Predicate& predicate) const {
    bool is_passed[each];
    MGPU_UNROLL
    for (int j = 0; j < each; ++j) is_passed[j] = is_active && predicate(at(lane_ * each + j));
    int mine = 0;
    MGPU_UNROLL
    for (int j = each - 1; j >= 0; --j) mine = is_passed[j] ? mine + 1 : 0;
    constexpr unsigned all = (1u << lanes_of_run) - 1;
    const int run = way_ * lanes_of_run;
    const int whole = __ffs(static_cast<int>(~(__ballot_sync(~0u, mine == each) >> run & all))) - 1;
    const int rest = __shfl_sync(~0u, mine, run + base::min(whole, lanes_of_run - 1));
    return whole * each + (whole < lanes_of_run ? rest : 0);
  }

  /// Narrows a window that is wide: to a part of the neighbourhood of the guess, if the bound is there. By a whole
  /// warp.
  template <class Index, class Predicate>
  MGPU_DEVICE void narrow(Index& low, Index& high, Index guess, Index margin, const Predicate& predicate) const {
    const bool is_wide = high - low > 2 * margin + 2;
    const Index left = base::max<Index>(guess - margin, low);
    const Index step = (base::min<Index>(guess + margin, high - 1) - left) / (probes - 1);
    const int count = count_passed(
        is_wide, [&](int i) { return left + i * step; }, predicate);
    if (!is_wide) return;
    if (count < probes) high = left + count * step;
    if (count > 0) low = left + (count - 1) * step + 1;
  }

  /// tile::partition_point by the threads of this run.
  template <class Index, class Predicate>
  MGPU_DEVICE Index bound(Index low, Index high, const Predicate& predicate) const {
    if constexpr (by_warp) {
      while (__any_sync(~0u, low < high)) {
        const bool is_open = low < high;
        const Index part = (high - low - 1) / probes + 1;
        const auto last_of_part = [&](int i) { return base::min<Index>(low + (i + 1) * part, high) - 1; };
        const int count = count_passed(is_open, last_of_part, predicate);
        if (!is_open) continue;
        low = base::min<Index>(low + count * part, high);
        if (count < probes) high = base::max<Index>(low, base::min<Index>(low + part, high) - 1);
      }
      return low;
    } else {
      return tile::partition_point(low, high, predicate);
    }
  }

  int first_lane_;  // of the search in its warp
  int way_, lane_;
};

}  // namespace detail::block
MGPU_NAMESPACE_END
