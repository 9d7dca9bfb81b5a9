// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Exact splits of sorted lists that lie on many ranks. Border b is a position in the sequence of all elements in the
// order of (key, list, index): which elements of each list come before it? A rank that searches it keeps a window of
// every list, in which the border lies, and narrows all of them in rounds:
//   1. each rank sends samples of its windows, at even distances, to the ranks that search the borders;
//   2. these count how many elements come before each sample, at least and at most: they know each list up to the
//      distance of its samples. What comes before the border for certain, and what comes after it, leaves the windows;
//   3. they send each rank the windows of that rank's lists.
// Where a window has no more elements than samples, all of them are samples. In the round in which this is true of all
// windows of a border its split is exact. With k samples of each window, windows of n elements in all have at most
// 4 n / k + 1 elements in the next round. So the number of rounds follows from the number of elements, and no rank asks
// whether it is enough.
//   Rank b searches border b. A few ranks all search all borders, from the same samples: then nobody sends windows. If
// the keys are numbers in natural order, all find the same, and nobody needs to be told what the others have found.

#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/exec/distributed/policy.h>
#include <mgpu/plan/distributed/split_windows.h>
#include <mgpu/plan/distributed/transfers.h>
#include <mgpu/plan/scratch_layout.h>
#include <mgpu/tuning/distributed.h>

#include MGPU_CUDA_VERB_HEADER(copy)
#include MGPU_CUDA_VERB_HEADER(each)

#include <cuda/std/type_traits>

#include <cstddef>
#include <vector>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Whether all ranks find the same splits of what they have received, and no comparator throws.
template <class Key, class Compare>
inline constexpr bool finds_alike = base::equivalents_are_equal<Compare, Key>;

/// What the ranks must have in common beside the size of their keys, in a call's variant.
template <class Key, class Compare>
constexpr offset variant_of_search() {
  return finds_alike<Key, Compare> ? 8 : 0;
}

/// The search for the splits of all ranks' lists at the borders between the ranks' shares.
template <class Distributed, class Key, class Compare>
class split_search {
 public:
  /// `lists` is how many lists a rank has. May throw; nothing has been sent then.
  split_search(const Distributed& d, int lists, const Compare& compare)
      : d_(d),
        compare_(compare),
        shape_(split_shape::of(d.size(), d.rank(), lists, most_samples(d.size()))),
        to_searchers_(d.size()),
        to_lists_(d.size()),
        to_all_(lists == 1 ? d.size() : 0),
        windows_host_(static_cast<std::size_t>(shape_.windows())),
        own_host_(static_cast<std::size_t>(shape_.is_shared ? 0 : shape_.own_windows())),
        counts_(static_cast<std::size_t>(shape_.ranks) * static_cast<std::size_t>(lists)),
        positions_(static_cast<std::size_t>(shape_.ranks)),
        no_begins_(lists == 1 ? counts_.size() : 0, split_arrays<Key>::not_found),
        begins_(no_begins_.size() * static_cast<std::size_t>(d.size())),
        found_(static_cast<std::size_t>(lists == 1 ? 0 : shape_.borders())) {}

  void place(scratch_layout& layout) { arrays_.place(shape_, layout); }

  /// All that can fail before the first round. Requires: the arrays have their places.
  void prepare(const rank_lists<Key>& own) {
    own_ = own;
    const offset samples = offset{shape_.borders()} * shape_.lists * shape_.most;
    for (int r = 0; r < shape_.ranks; ++r) {
      if (r == shape_.rank) continue;
      to_searchers_.send(r, arrays_.sent + (shape_.is_shared ? 0 : r * samples), samples);
      to_searchers_.receive(r, arrays_.received + r * samples, samples);
      if (!shape_.is_shared) {
        to_lists_.send(r, arrays_.windows + offset{r} * shape_.lists, shape_.lists);
        to_lists_.receive(r, arrays_.own_windows + offset{r} * shape_.lists, shape_.lists);
      }
      if (shape_.lists > 1) continue;
      to_all_.send(r, arrays_.begins_of(shape_, shape_.rank), shape_.ranks);
      to_all_.receive(r, arrays_.begins_of(shape_, r), shape_.ranks);
    }
    // Empty windows and no splits, for the others, if the true ones do not get here later.
    executor().copy(arrays_.windows, windows_host_.data(), bytes_of(windows_host_));
    for (std::size_t i = 0; i < own_host_.size(); ++i) {
      const offset count = own.counts[i % static_cast<std::size_t>(shape_.lists)];
      own_host_[i] = {0, count, count};
    }
    if (!own_host_.empty()) executor().copy(arrays_.own_windows, own_host_.data(), bytes_of(own_host_));
    if (shape_.lists == 1) hide_begins();
  }

  /// Searches the borders, and helps the others to search theirs. count_of(r, l) is the number of elements of list l of
  /// rank r; border r comes behind as many elements as the ranks before r have. If a rank fails, the others go through
  /// their rounds as always.
  template <class CountOf>
  void run(exec::rank_failure& failure, const CountOf& count_of) {
    const offset total = set_counts(count_of);
    judge_samples<Key, Compare> judge{shape_, arrays_, {}, compare_};
    for (int b = 0; b < shape_.borders(); ++b)
      judge.positions[b] = positions_[static_cast<std::size_t>(offset{b} + shape_.first_border())];
    failure.run([&] { executor().copy(arrays_.windows, windows_host_.data(), bytes_of(windows_host_)); });
    for (int rounds = shape_.rounds(total); rounds > 0; --rounds) {
      failure.run_anyway([&] {
        executor().each(offset{shape_.own_windows()} * shape_.most, take_samples<Key>{own_, shape_, arrays_});
      });
      to_searchers_.run(d_);
      failure.run([&] {
        if constexpr (is_gpu) {
          executor().each(offset{shape_.windows()} * shape_.most, judge);
        } else {
          executor().each(shape_.windows(), judge_windows<Key, Compare>{judge});
        }
        executor().search_each(shape_.windows(), narrow_windows<Key>{shape_, arrays_});
      });
      if (rounds > 1 && !shape_.is_shared) to_lists_.run(d_);
    }
    if (shape_.lists == 1) return;
    failure.run([&] {
      executor().each(shape_.borders(), sum_up_border<Key, Compare>{shape_, arrays_, compare_});
      d_.fetch(found_.data(), arrays_.found, static_cast<offset>(found_.size() * sizeof(found_border)));
      check_borders();
    });
  }

  /// Whether every rank searches all borders and finds the same. No comparator throws then.
  bool is_alike() const { return finds_alike<Key, Compare> && shape_.is_shared; }
  /// After run(), if is_alike(): throws what this rank has kept. That there is no split all ranks find, or a rank has
  /// failed and left. Of what else has failed here the others do not hear.
  void rethrow_alike(const exec::rank_failure& failure) const {
    if (failure.state() == exec::rank_state::finds_no_split) d_.agree(failure);
    d_.succeed_or_leave([&] { failure.rethrow(); });
  }

  /// After run(), where a rank has one list: unless they have found the same, the ranks tell each other where their
  /// borders split the lists. Every rank then knows what it gets of each list, and where it sends its own. Throws on
  /// every rank if a comparator has thrown on one: all see that its border is missing.
  void find_ends(exec::rank_failure& failure) {
    if (is_alike()) {
      rethrow_alike(failure);
    } else {
      if (failure.state() != exec::rank_state::works) failure.run_anyway([&] { hide_begins(); });
      to_all_.run(d_);
    }
    d_.succeed_or_leave(
        [&] { d_.fetch(begins_.data(), arrays_.begins, static_cast<offset>(begins_.size() * sizeof(offset))); });
    if (is_split()) return;
    failure.run([] { throw exec::no_split(); });
    d_.agree(failure);
  }

  bool is_shared() const { return shape_.is_shared; }
  bool searches(int border) const { return shape_.is_shared || border == shape_.rank; }
  /// After run(), where a rank has two lists: what was found of a border that this rank searches.
  found_border found(int border) const {
    if (border == 0) return {0, 0, false};
    return found_[static_cast<std::size_t>(offset{border} - shape_.first_border())];
  }
  /// The keys beside the borders that cut a run, [ranks][2], as far as this rank has searched them.
  Key* ends() const { return arrays_.ends; }

  /// After find_ends(): what rank `to` gets of the list of rank `from`.
  stretch part(int from, int to) const { return {begin_of(to, from), begin_of(to + 1, from)}; }

 private:
  using windows = std::vector<split_window>;

  static constexpr bool is_gpu = exec::executor_of<typename Distributed::local_policy>::has_shared_memory;

  static int most_samples(int ranks) {
    return is_gpu && ranks <= tuning::most_ranks_that_search_all ? tuning::split_samples_of_gpus
                                                                 : tuning::split_samples;
  }

  auto executor() const { return exec::executor(d_.local()); }

  static offset bytes_of(const windows& w) { return static_cast<offset>(w.size() * sizeof(split_window)); }
  std::size_t place_of(int r, int l) const {
    return static_cast<std::size_t>(r) * static_cast<std::size_t>(shape_.lists) + static_cast<std::size_t>(l);
  }

  /// Notes how many elements the lists have: every window is a whole list. Returns how many they are in all.
  template <class CountOf>
  offset set_counts(const CountOf& count_of) {
    offset total = 0;
    for (int r = 0; r < shape_.ranks; ++r) {
      positions_[static_cast<std::size_t>(r)] = total;
      for (int l = 0; l < shape_.lists; ++l) {
        const offset count = counts_[place_of(r, l)] = count_of(r, l);
        for (int b = 0; b < shape_.borders(); ++b)
          windows_host_[static_cast<std::size_t>(shape_.window_of(r, b, l))] = {0, count, count};
        total += count;
      }
    }
    return total;
  }

  /// The elements of rank r's list that come before a border. Behind the last rank there is a border, too.
  offset begin_of(int border, int r) const {
    if (border == shape_.ranks) return counts_[place_of(r, 0)];
    return begins_[static_cast<std::size_t>(border) * no_begins_.size() + place_of(r, 0)];
  }

  void hide_begins() const {
    executor().copy(arrays_.begins_of(shape_, shape_.rank), no_begins_.data(), shape_.ranks * offset{sizeof(offset)});
  }

  /// Whether each border has as many elements before it as the ranks before it have, and borders follow each other.
  bool is_split() const {
    for (int border = 0; border < shape_.ranks; ++border) {
      offset sum = 0;
      for (int r = 0; r < shape_.ranks; ++r) {
        const offset begin = begin_of(border, r);
        if (begin < 0 || begin > begin_of(border + 1, r)) return false;
        sum += begin;
      }
      if (sum != positions_[static_cast<std::size_t>(border)]) return false;
    }
    return true;
  }

  /// With lists that are sorted every window is empty now, and the windows begin at the border.
  void check_borders() const {
    for (std::size_t b = 0; b < found_.size(); ++b)
      if (found_[b].all_before != positions_[static_cast<std::size_t>(shape_.first_border()) + b])
        throw exec::no_split();
  }

  const Distributed& d_;
  Compare compare_;
  split_shape shape_;
  split_arrays<Key> arrays_{};
  rank_lists<Key> own_{};
  transfers to_searchers_, to_lists_, to_all_;
  windows windows_host_;             // as in the arrays
  windows own_host_;                 // as in the arrays, if these are of their own
  std::vector<offset> counts_;       // [ranks][lists], elements
  std::vector<offset> positions_;    // [ranks], elements before each border
  std::vector<offset> no_begins_;    // [ranks] of not_found
  std::vector<offset> begins_;       // [ranks][ranks], as in the arrays
  std::vector<found_border> found_;  // as in the arrays
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
