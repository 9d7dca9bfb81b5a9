// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a search for splits over ranks keeps, and what it does with it: see plan/distributed/split.h.

#include <mgpu/base/math.h>
#include <mgpu/plan/scratch_layout.h>
#include <mgpu/tile/binary_search.h>
#include <mgpu/tuning/distributed.h>

#include <cstdint>
#include <new>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// The elements [begin, end) of a list of `count`, among which a border lies.
struct split_window {
  offset begin, end, count;
};

/// The samples of a window: the last elements of steps of equal length. At most `most` of them.
struct split_samples {
  offset begin, end, step;

  MGPU_HOST_DEVICE split_samples(const split_window& w, int most)
      : begin(w.begin), end(w.end), step(base::max<offset>(1, base::ceil_div<offset>(w.end - w.begin, most))) {}

  MGPU_HOST_DEVICE int count() const { return static_cast<int>((end - begin) / step); }
  /// Where sample i is in the list. From count() on, the end of the window.
  MGPU_HOST_DEVICE offset position(int i) const { return i < count() ? begin + step * (i + 1) - 1 : end; }
  /// The first position behind the sample before sample i.
  MGPU_HOST_DEVICE offset behind(int i) const { return begin + step * i; }
};

/// How many ranks there are, how many lists each has, and how many samples a window has at most.
struct split_shape {
  int ranks, rank, lists, most;
  bool is_shared;  // every rank searches all borders but border 0, which comes before all elements

  /// The borders that this rank searches, and the first of them.
  MGPU_HOST_DEVICE int borders() const { return is_shared ? ranks - 1 : 1; }
  MGPU_HOST_DEVICE int first_border() const { return is_shared ? 1 : rank; }
  /// The borders for which this rank takes samples.
  MGPU_HOST_DEVICE int sampled_borders() const { return is_shared ? ranks - 1 : ranks; }

  /// The windows of the borders that this rank searches: [ranks][borders][lists].
  MGPU_HOST_DEVICE int windows() const { return ranks * borders() * lists; }
  MGPU_HOST_DEVICE int own_windows() const { return sampled_borders() * lists; }
  MGPU_HOST_DEVICE int window_of(int r, int border, int list) const { return (r * borders() + border) * lists + list; }
  MGPU_HOST_DEVICE int rank_of(int window) const { return window / (borders() * lists); }
  MGPU_HOST_DEVICE int border_of(int window) const { return window / lists % borders(); }
  /// The place of a window's list among all lists: those with number 0 of all ranks come first.
  MGPU_HOST_DEVICE int order(int window) const { return window % lists * ranks + rank_of(window); }

  /// A rank's memory has room for about `samples`.
  static split_shape of(int ranks, int rank, int lists, int samples) {
    const bool is_shared = ranks <= tuning::most_ranks_that_search_all;
    const int copies = is_shared ? ranks - 1 : 2;  // of samples in a rank's memory, for as many ranks
    // 2^28 keys of two lists on each of two or four ranks take 3 rounds; with 1,024 instead of 4,096 they take 4.
    return {ranks, rank, lists, base::clamp(samples / (ranks * lists * base::max(copies, 1)), 64, 4096), is_shared};
  }

  /// The rounds after which windows of `count` elements in all are empty.
  int rounds(offset count) const {
    int result = 1;
    for (; count > most; count = 4 * (count / most) + 1) ++result;
    return result;
  }
};

/// Where samples are before the border.
enum class split_side : std::int8_t { before, unknown, behind };

/// What a search has found of a border between two lists.
struct found_border {
  offset a_before;    // elements of list 0 before it, on all ranks
  offset all_before;  // of both lists; -1 if a window is not empty
  bool cuts_run;      // the last element of list 0 before the border equals the first one of list 1 behind it
};

/// What the ranks send each other, and what a rank knows of the borders that it searches.
template <class Key>
struct split_arrays {
  split_window* windows;      // of the borders that are searched here
  split_window* own_windows;  // of this rank's lists, [sampled_borders][lists]; a part of `windows` if these are shared
  Key* received;              // [windows][most] samples
  Key* sent;                  // [own_windows][most]; a part of `received` if all ranks get them
  split_side* sides;          // [windows][most] of received
  // With one list:
  offset* begins = nullptr;  // [ranks][ranks]: where each border splits each rank's list, or not_found
  // With two lists:
  Key* below = nullptr;           // [windows]: the element before a window, if there is one
  Key* above = nullptr;           // [windows]: the one behind it
  found_border* found = nullptr;  // [borders]
  Key* ends = nullptr;            // [ranks][2]: of a border that cuts a run the last of list 0, the next of list 1

  static constexpr offset not_found = -1;

  void place(const split_shape& s, scratch_layout& layout) {
    windows = layout.take<split_window>(s.windows());
    received = layout.take<Key>(offset{s.windows()} * s.most);
    sides = layout.take<split_side>(offset{s.windows()} * s.most);
    if (s.is_shared) {
      own_windows = windows + offset{s.rank} * s.own_windows();
      sent = received + offset{s.rank} * s.own_windows() * s.most;
    } else {
      own_windows = layout.take<split_window>(s.own_windows());
      sent = layout.take<Key>(offset{s.own_windows()} * s.most);
    }
    if (s.lists == 1) {
      begins = layout.take<offset>(offset{s.ranks} * s.ranks);
    } else {
      below = layout.take<Key>(s.windows());
      above = layout.take<Key>(s.windows());
      found = layout.take<found_border>(s.borders());
      ends = layout.take<Key>(offset{2} * s.ranks);
    }
  }
  MGPU_HOST_DEVICE offset* begins_of(const split_shape& s, int border) const {
    return begins + offset{border} * s.ranks;
  }
};

/// The sorted lists of a rank: one, or two.
template <class Key>
struct rank_lists {
  const Key* keys[2];  // [counts[l]]
  offset counts[2];
};

/// Takes the samples of this rank's lists. Those for the border that it searches alone need not be sent. Where a window
/// has fewer, they end with elements of the list: another rank whose comparator has answered otherwise may look there.
template <class Key>
struct take_samples {
  rank_lists<Key> lists;
  split_shape shape;
  split_arrays<Key> arrays;

  MGPU_HOST_DEVICE void operator()(offset place) const {
    const int window = static_cast<int>(place / shape.most), i = static_cast<int>(place % shape.most);
    const split_window& w = arrays.own_windows[window];
    if (w.count == 0) return;
    const offset position = base::min(split_samples(w, shape.most).position(i), w.count - 1);
    Key* const to = !shape.is_shared && window / shape.lists == shape.rank ? arrays.received : arrays.sent;
    ::new (static_cast<void*>(to + place)) Key(lists.keys[window % shape.lists][position]);
  }
};

/// Says on which side of its border a sample is, as far as the samples tell.
template <class Key, class Compare>
struct judge_samples {
  split_shape shape;
  split_arrays<Key> arrays;
  offset positions[tuning::most_ranks_that_search_all];  // of the borders that are searched here
  Compare compare;

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE split_side side_of(int window, int i) const {
    const int border = shape.border_of(window);
    const Key& sample = arrays.received[offset{window} * shape.most + i];
    offset least = split_samples(arrays.windows[window], shape.most).position(i);
    offset most = least;  // elements before the sample
    for (int list = 0; list < shape.ranks * shape.lists; ++list) {
      const int other = shape.window_of(list / shape.lists, border, list % shape.lists);
      if (other == window) continue;
      const split_samples samples(arrays.windows[other], shape.most);
      const Key* const keys = arrays.received + offset{other} * shape.most;
      const bool wins_ties = shape.order(other) < shape.order(window);
      const int before = tile::partition_point(
          0, samples.count(), [&](int k) { return wins_ties ? !compare(sample, keys[k]) : compare(keys[k], sample); });
      least += samples.behind(before);
      most += samples.position(before);
    }
    return most < positions[border]     ? split_side::before
           : least >= positions[border] ? split_side::behind
                                        : split_side::unknown;
  }

  /// Judges one sample.
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void operator()(offset place) const {
    const int window = static_cast<int>(place / shape.most), i = static_cast<int>(place % shape.most);
    if (i < split_samples(arrays.windows[window], shape.most).count()) arrays.sides[place] = side_of(window, i);
  }
};

/// Judges all samples of a window, few of them by looking: the others lie between two of the same side.
template <class Key, class Compare>
struct judge_windows {
  judge_samples<Key, Compare> judge;

  void operator()(offset place) const {
    const int window = static_cast<int>(place);
    const split_shape& shape = judge.shape;
    const int count = split_samples(judge.arrays.windows[window], shape.most).count();
    const auto is_before = [&](int i) { return judge.side_of(window, i) == split_side::before; };
    const auto is_not_behind = [&](int i) { return judge.side_of(window, i) != split_side::behind; };
    const int first = tile::partition_point(0, count, is_before);
    const int last = tile::partition_point(first, count, is_not_behind);
    split_side* const sides = judge.arrays.sides + place * shape.most;
    for (int i = 0; i < count; ++i)
      sides[i] = i < first ? split_side::before : i < last ? split_side::unknown : split_side::behind;
  }
};

/// Narrows the windows of the borders that are searched here.
template <class Key>
struct narrow_windows {
  split_shape shape;
  split_arrays<Key> arrays;

  /// The samples of a window that may lie at the border: [first, last).
  struct unknown_samples {
    int first, last;
  };

  template <class Search>
  MGPU_HOST_DEVICE unknown_samples find(offset window, const Search& search) const {
    const int count = split_samples(arrays.windows[window], shape.most).count();
    const split_side* const sides = arrays.sides + window * shape.most;
    const int first = search.partition_point(0, count, [&](int i) { return sides[i] == split_side::before; });
    return {first, search.partition_point(first, count, [&](int i) { return sides[i] != split_side::behind; })};
  }

  MGPU_HOST_DEVICE void store(offset place, const unknown_samples& found) const {
    const int window = static_cast<int>(place);
    split_window& w = arrays.windows[window];
    const split_samples samples(w, shape.most);
    if (shape.lists > 1) {
      const Key* const keys = arrays.received + place * shape.most;
      if (found.first > 0) ::new (static_cast<void*>(arrays.below + window)) Key(keys[found.first - 1]);
      if (found.last < samples.count()) ::new (static_cast<void*>(arrays.above + window)) Key(keys[found.last]);
    }
    w.begin = samples.behind(found.first);
    w.end = samples.position(found.last);
    const int rank = shape.rank_of(window);
    if (!shape.is_shared && rank == shape.rank)
      arrays.own_windows[offset{shape.rank} * shape.lists + window % shape.lists] = w;
    if (shape.lists > 1) return;
    const int border = shape.first_border() + shape.border_of(window);
    arrays.begins_of(shape, border)[rank] = w.begin == w.end ? w.begin : arrays.not_found;
    if (shape.is_shared && border == 1) arrays.begins_of(shape, 0)[rank] = 0;
  }
};

/// Sums up what has been found of a border between two lists.
template <class Key, class Compare>
struct sum_up_border {
  split_shape shape;
  split_arrays<Key> arrays;
  Compare compare;

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void operator()(offset border) const {
    found_border found{0, 0, false};
    const Key *last_a = nullptr, *next_b = nullptr;
    bool is_split = true;
    for (int r = 0; r < shape.ranks; ++r) {
      const int window = shape.window_of(r, static_cast<int>(border), 0);
      const split_window a = arrays.windows[window], b = arrays.windows[window + 1];
      is_split = is_split && a.begin == a.end && b.begin == b.end;
      found.a_before += a.begin;
      found.all_before += a.begin + b.begin;
      if (a.begin > 0) last_a = arrays.below + window;
      if (b.end < b.count && next_b == nullptr) next_b = arrays.above + window + 1;
    }
    if (!is_split) found.all_before = -1;
    found.cuts_run = last_a != nullptr && next_b != nullptr && !compare(*last_a, *next_b);
    if (found.cuts_run) {
      Key* const ends = arrays.ends + 2 * (shape.first_border() + border);
      ::new (static_cast<void*>(ends)) Key(*last_a);
      ::new (static_cast<void*>(ends + 1)) Key(*next_b);
    }
    arrays.found[border] = found;
  }
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
