// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Exact splits of sorted lists that lie on many ranks. Border b is a position in the sequence of all elements in the
// order of (key, list, index): which elements of each list come before it? Rank b finds that out for border b. It keeps
// a window of every list, in which the border lies, and narrows all of them in rounds:
//   1. each rank sends samples of its windows, at even distances, to the ranks of the borders;
//   2. the rank of a border counts how many elements come before each sample, at least and at most: it knows each list
//      up to the distance of its samples. What comes before the border for certain, and what comes after it, leaves the
//      windows;
//   3. it sends each rank the windows of that rank's lists.
// Where a window has no more elements than samples, all of them are samples. In the round in which this is true of all
// windows of a border its split is exact. With k samples of each window, windows of n elements in all have at most
// 4 n / k + 1 elements in the next round. So the number of rounds follows from the number of elements, and no rank asks
// whether it is enough.

#include <mgpu/base/math.h>
#include <mgpu/exec/distributed/policy.h>
#include <mgpu/plan/distributed/memory.h>
#include <mgpu/plan/distributed/transfers.h>
#include <mgpu/tile/binary_search.h>

#include MGPU_CUDA_VERB_HEADER(copy)
#include MGPU_CUDA_VERB_HEADER(each)

#include <cuda/std/type_traits>

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

MGPU_NAMESPACE_BEGIN
namespace plan {

/// The elements [begin, end) of a list, among which a border lies.
struct split_window {
  offset begin, end;
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

  /// The windows of a border, or of a rank.
  MGPU_HOST_DEVICE int windows() const { return ranks * lists; }
  MGPU_HOST_DEVICE offset samples() const { return offset{windows()} * most; }
  /// The place of list l of rank r among all lists: those with number 0 of all ranks come first.
  MGPU_HOST_DEVICE int order(int window) const { return window % lists * ranks + window / lists; }

  /// As many samples as make a message of a few KiB. With 4,096 instead of 1,024 two ranks of 2^28 keys need 3 rounds
  /// instead of 4; a round takes some 35 us.
  static int most_samples(int ranks, int lists) { return base::clamp(16384 / (ranks * lists), 64, 4096); }

  /// The rounds after which windows of `count` elements in all are empty.
  int rounds(offset count) const {
    int result = 1;
    for (; count > most; count = 4 * (count / most) + 1) ++result;
    return result;
  }
};

/// Where samples are before the border.
enum class split_side : std::int8_t { before, unknown, behind };

/// What the ranks send each other, and what a rank knows of its border.
template <class Key>
struct split_arrays {
  split_window* own_lists;   // [ranks][lists] of this rank, for each rank's border
  split_window* own_border;  // [ranks][lists] of every rank, for this rank's border
  Key* sent;                 // [ranks][lists][most] samples of own_lists
  Key* received;             // [ranks][lists][most] samples of own_border
  split_side* sides;         // [ranks][lists][most] of received
  offset* begins = nullptr;  // [ranks][ranks], with one list: where each border splits each rank's list, or not_found

  static constexpr offset not_found = -1;

  void place(const split_shape& s, scratch_layout& layout) {
    own_lists = layout.take<split_window>(s.windows());
    own_border = layout.take<split_window>(s.windows());
    sent = layout.take<Key>(s.samples());
    received = layout.take<Key>(s.samples());
    sides = layout.take<split_side>(s.samples());
    if (s.lists == 1) begins = layout.take<offset>(offset{s.ranks} * s.ranks);
  }
  MGPU_HOST_DEVICE offset* own_begins(const split_shape& s) const { return begins + offset{s.rank} * s.ranks; }
};

/// The sorted lists of a rank: one, or two.
template <class Key>
struct rank_lists {
  const Key* keys[2];  // [counts[l]]
  offset counts[2];
};

/// Takes the samples of this rank's lists. Those for its own border need not be sent.
template <class Key>
struct take_samples {
  rank_lists<Key> lists;
  split_shape shape;
  split_arrays<Key> arrays;

  MGPU_HOST_DEVICE void operator()(offset place) const {
    const int window = static_cast<int>(place / shape.most), i = static_cast<int>(place % shape.most);
    const split_samples samples(arrays.own_lists[window], shape.most);
    if (i >= samples.count()) return;
    Key* const to = window / shape.lists == shape.rank ? arrays.received : arrays.sent;
    ::new (static_cast<void*>(to + place)) Key(lists.keys[window % shape.lists][samples.position(i)]);
  }
};

/// Says on which side of the border a sample is, as far as the samples tell.
template <class Key, class Compare>
struct judge_samples {
  split_shape shape;
  split_arrays<Key> arrays;
  offset border;
  Compare compare;

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void operator()(offset place) const {
    const int window = static_cast<int>(place / shape.most), i = static_cast<int>(place % shape.most);
    const split_samples own(arrays.own_border[window], shape.most);
    if (i >= own.count()) return;
    const Key& sample = arrays.received[place];
    offset least = own.position(i), most = least;  // elements before the sample
    for (int other = 0; other < shape.windows(); ++other) {
      if (other == window) continue;
      const split_samples samples(arrays.own_border[other], shape.most);
      const Key* const keys = arrays.received + offset{other} * shape.most;
      const bool wins_ties = shape.order(other) < shape.order(window);
      const int before = tile::partition_point(
          0, samples.count(), [&](int k) { return wins_ties ? !compare(sample, keys[k]) : compare(keys[k], sample); });
      least += samples.behind(before);
      most += samples.position(before);
    }
    arrays.sides[place] = most < border     ? split_side::before
                          : least >= border ? split_side::behind
                                            : split_side::unknown;
  }
};

/// Narrows a window of this rank's border.
template <class Key>
struct narrow_window {
  split_shape shape;
  split_arrays<Key> arrays;

  MGPU_HOST_DEVICE void operator()(offset place) const {
    const int window = static_cast<int>(place);
    split_window& w = arrays.own_border[window];
    const split_samples samples(w, shape.most);
    const split_side* const sides = arrays.sides + place * shape.most;
    const int first = tile::partition_point(0, samples.count(), [&](int i) { return sides[i] == split_side::before; });
    const int last =
        tile::partition_point(first, samples.count(), [&](int i) { return sides[i] != split_side::behind; });
    w = {samples.behind(first), samples.position(last)};
    if (window / shape.lists == shape.rank) arrays.own_lists[window] = w;
    if (arrays.begins != nullptr) arrays.own_begins(shape)[place] = w.begin == w.end ? w.begin : arrays.not_found;
  }
};

/// The search for the splits of all ranks' lists at the borders between the ranks' shares.
template <class Distributed, class Key, class Compare>
class split_search {
 public:
  /// `lists` is how many lists a rank has. May throw; nothing has been sent then.
  split_search(const Distributed& d, int lists, const Compare& compare)
      : d_(d),
        compare_(compare),
        shape_{d.size(), d.rank(), lists, split_shape::most_samples(d.size(), lists)},
        to_borders_(d.size()),
        to_lists_(d.size()),
        to_all_(lists == 1 ? d.size() : 0),
        lists_host_(static_cast<std::size_t>(shape_.windows())),
        border_host_(lists_host_.size()),
        counts_(lists_host_.size()),
        no_begins_(lists == 1 ? lists_host_.size() : 0, split_arrays<Key>::not_found),
        begins_(no_begins_.size() * static_cast<std::size_t>(d.size())) {}

  void place(scratch_layout& layout) { arrays_.place(shape_, layout); }

  /// All that can fail before the first round. Requires: the arrays have their places.
  void prepare(const rank_lists<Key>& own) {
    own_ = own;
    const offset samples = offset{shape_.lists} * shape_.most;
    for (int r = 0; r < shape_.ranks; ++r) {
      if (r == shape_.rank) continue;
      const int window = r * shape_.lists;
      to_borders_.send(r, arrays_.sent + r * samples, samples);
      to_borders_.receive(r, arrays_.received + r * samples, samples);
      to_lists_.send(r, arrays_.own_border + window, shape_.lists);
      to_lists_.receive(r, arrays_.own_lists + window, shape_.lists);
      if (shape_.lists > 1) continue;
      to_all_.send(r, arrays_.own_begins(shape_), shape_.ranks);
      to_all_.receive(r, arrays_.begins + offset{r} * shape_.ranks, shape_.ranks);
    }
    for (int window = 0; window < shape_.windows(); ++window)
      lists_host_[static_cast<std::size_t>(window)] = {0, own.counts[window % shape_.lists]};
    executor().copy(arrays_.own_lists, lists_host_.data(), bytes_of(lists_host_));
    // Empty windows and no splits, for the others, if the true ones do not get here later.
    executor().copy(arrays_.own_border, border_host_.data(), bytes_of(border_host_));
    if (shape_.lists == 1) hide_begins();
  }

  /// Finds the split at this rank's border, and helps the others to find theirs. count_of(r, l) is the number of
  /// elements of list l of rank r; `border` is how many elements of all lists come before the border. If a rank fails,
  /// the others go through their rounds as always.
  template <class CountOf>
  void run(exec::rank_failure& failure, offset border, const CountOf& count_of) {
    border_ = border;
    offset total = 0;
    for (int window = 0; window < shape_.windows(); ++window) {
      const offset count = count_of(window / shape_.lists, window % shape_.lists);
      border_host_[static_cast<std::size_t>(window)] = {0, count};
      counts_[static_cast<std::size_t>(window)] = count;
      total += count;
    }
    failure.run([&] { executor().copy(arrays_.own_border, border_host_.data(), bytes_of(border_host_)); });
    for (int rounds = shape_.rounds(total); rounds > 0; --rounds) {
      failure.run_anyway([&] { executor().each(shape_.samples(), take_samples<Key>{own_, shape_, arrays_}); });
      to_borders_.run(d_);
      failure.run([&] {
        executor().each(shape_.samples(), judge_samples<Key, Compare>{shape_, arrays_, border, compare_});
        executor().each(shape_.windows(), narrow_window<Key>{shape_, arrays_});
      });
      if (rounds > 1) to_lists_.run(d_);
    }
    if (shape_.lists == 1) return;
    failure.run([&] {
      d_.fetch(border_host_.data(), arrays_.own_border, bytes_of(border_host_));
      check_border();
    });
  }

  /// After run(), where a rank has one list: the ranks tell each other where their borders split the lists. Every rank
  /// then knows what it gets of each list, and where it sends its own. Throws on every rank if one has failed: all see
  /// that its border is missing.
  void find_ends(exec::rank_failure& failure) {
    if (failure.state() != exec::rank_state::works) failure.run_anyway([&] { hide_begins(); });
    to_all_.run(d_);
    d_.fetch(begins_.data(), arrays_.begins, static_cast<offset>(begins_.size() * sizeof(offset)));
    if (is_split()) return;
    failure.run([] { throw exec::no_split(); });
    d_.agree(failure);
  }

  /// How many elements of list l, of all ranks, come before this rank's border.
  offset before_border(int l) const {
    offset result = 0;
    for (int r = 0; r < shape_.ranks; ++r) result += border_host_[place_of(r, l)].begin;
    return result;
  }
  /// After find_ends(): what rank `to` gets of the list of rank `from`.
  stretch part(int from, int to) const { return {begin_of(to, from), begin_of(to + 1, from)}; }

 private:
  using windows = std::vector<split_window>;

  auto executor() const { return exec::executor(d_.local()); }

  static offset bytes_of(const windows& w) { return static_cast<offset>(w.size() * sizeof(split_window)); }
  std::size_t place_of(int r, int l) const {
    return static_cast<std::size_t>(r) * static_cast<std::size_t>(shape_.lists) + static_cast<std::size_t>(l);
  }
  /// The elements of rank r's list that come before a border. Behind the last rank there is a border, too.
  offset begin_of(int border, int r) const {
    if (border == shape_.ranks) return counts_[place_of(r, 0)];
    return begins_[static_cast<std::size_t>(border) * no_begins_.size() + place_of(r, 0)];
  }

  void hide_begins() const {
    executor().copy(arrays_.own_begins(shape_), no_begins_.data(), shape_.ranks * offset{sizeof(offset)});
  }

  /// Whether each border has as many elements before it as the ranks before it have, and borders follow each other.
  bool is_split() const {
    offset before = 0;
    for (int border = 0; border < shape_.ranks; ++border) {
      offset sum = 0;
      for (int r = 0; r < shape_.ranks; ++r) {
        const offset begin = begin_of(border, r);
        if (begin < 0 || begin > begin_of(border + 1, r)) return false;
        sum += begin;
      }
      if (sum != before) return false;
      before += counts_[place_of(border, 0)];
    }
    return true;
  }

  /// With lists that are sorted every window is empty now, and the windows begin at the border.
  void check_border() const {
    offset before = 0;
    for (const split_window& w : border_host_) {
      if (w.begin != w.end) throw exec::no_split();
      before += w.begin;
    }
    if (before != border_) throw exec::no_split();
  }

  const Distributed& d_;
  Compare compare_;
  split_shape shape_;
  split_arrays<Key> arrays_{};
  rank_lists<Key> own_{};
  offset border_ = 0;
  transfers to_borders_, to_lists_, to_all_;
  windows lists_host_;             // [ranks][lists]
  windows border_host_;            // [ranks][lists]
  std::vector<offset> counts_;     // [ranks][lists], elements
  std::vector<offset> no_begins_;  // [ranks] of not_found
  std::vector<offset> begins_;     // [ranks][ranks], as in the arrays
};

}  // namespace plan
MGPU_NAMESPACE_END
