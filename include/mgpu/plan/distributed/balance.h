// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The balanced path across ranks. The splits of the merge path take all of a run of equal keys in a before one of b. A
// set operation wants both elements of a pair on one rank. So each border that cuts a run moves within it, as
// tile/balanced_path.h says: for that its rank must know how many elements of both sequences come before the run, and
// where b's run ends. The search for the border has found the last element of a before it, and the next one of b.
//   1. where a border is searched by one rank, that rank sends both to all;
//   2. each rank counts, in what it has, and tells those that search the border.

#include <mgpu/base/math.h>
#include <mgpu/exec/distributed/policy.h>
#include <mgpu/plan/distributed/split_windows.h>
#include <mgpu/plan/distributed/transfers.h>
#include <mgpu/plan/scratch_layout.h>
#include <mgpu/tile/balanced_path.h>

#include MGPU_CUDA_VERB_HEADER(copy)
#include MGPU_CUDA_VERB_HEADER(each)

#include <cstddef>
#include <cstdint>
#include <vector>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// What a rank counts of the run at a border.
struct run_counts {
  offset a_before;  // elements of a before the first of b behind the border
  offset b_before;  // elements of b before the last of a before the border
  offset b_until;   // elements of b that are not behind that one
};

/// Whether a border cuts a run. It does so elsewhere if another rank says so and this rank has not found it: then it
/// lacks the keys beside the border. Only comparators that answer at random bring that about.
inline constexpr std::int8_t no_run_is_cut = 0, run_is_cut = 1, run_is_cut_elsewhere = 2;

/// Counts the runs at borders: counts[3 * border] and the two behind it are its run_counts.
template <class Key, class Compare>
struct count_runs {
  const std::int8_t* cuts_run;  // [ranks]
  const Key* ends;              // [ranks][2]: the last of a, the next of b
  offset* counts;               // [ranks][3]
  const Key* a;                 // [a_count]
  const Key* b;                 // [b_count]
  offset a_count, b_count;
  Compare compare;

  MGPU_EXEC_CHECK_DISABLE
  template <class Search>
  MGPU_HOST_DEVICE offset find(offset i, const Search& search) const {
    const offset border = i / 3;
    if (cuts_run[border] != run_is_cut) return 0;
    const Key& last_a = ends[2 * border];
    const Key& next_b = ends[2 * border + 1];
    if (i % 3 == 0) return search.partition_point(offset{0}, a_count, [&](offset k) { return compare(a[k], next_b); });
    if (i % 3 == 1) return search.partition_point(offset{0}, b_count, [&](offset k) { return compare(b[k], last_a); });
    return search.partition_point(offset{0}, b_count, [&](offset k) { return !compare(last_a, b[k]); });
  }

  MGPU_HOST_DEVICE void store(offset i, offset found) const { counts[i] = found; }
};

/// The split of the balanced path at `border`, from that of the merge path and the counts of the run in all ranks.
inline tile::balanced_split<offset> balanced_split_at(offset border, offset a_end, const run_counts& run) {
  if (run.a_before >= a_end) return {a_end, false};  // the last of a is before the next of b: no run is cut
  const offset b_end = border - a_end;
  const offset b_begin = base::min(run.b_before, b_end);
  const offset a_run = a_end - run.a_before, all = a_run + (b_end - b_begin);
  // The merge path has taken `all` elements of the run, a's before b's. The balanced path takes half of them from each
  // side, as far as both have them.
  const offset b_wanted = base::max(all / 2, all - a_run), b_has = run.b_until - b_begin;
  const offset b_taken = base::min(b_wanted, b_has), a_taken = all - b_taken;
  return {run.a_before + a_taken, a_taken == b_taken + 1 && b_taken < b_has};
}

/// Where borders split two sequences: a before each border, and whether it is starred. [ranks]
using border_splits = std::vector<tile::balanced_split<offset>>;

/// Moves the borders that cut a run from the merge path to the balanced path.
template <class Distributed, class Key, class Compare>
class border_balance {
 public:
  /// `is_shared` says that every rank searches all borders.
  border_balance(const Distributed& d, const Compare& compare, bool is_shared)
      : d_(d),
        compare_(compare),
        first_(is_shared ? 0 : d.rank()),
        borders_(is_shared ? d.size() : 1),
        to_all_(d.size()),
        to_searchers_(d.size()),
        all_host_(static_cast<std::size_t>(borders_) * static_cast<std::size_t>(d.size())) {}

  void place(scratch_layout& layout) {
    own_ = layout.take<offset>(3 * offset{d_.size()});
    all_ = layout.take<run_counts>(offset{borders_} * d_.size());
    cuts_run_ = layout.take<std::int8_t>(d_.size());
  }

  /// Replaces the splits of the borders that cut runs, as far as this rank searches them; border r comes behind
  /// positions[r] elements, and ends[r] are the keys beside it. All ranks call it, with the same borders; one that has
  /// failed goes on with the messages.
  void move(exec::rank_failure& failure, const rank_lists<Key>& own, Key* ends,
            const std::vector<std::int8_t>& cuts_run, const rank_borders& positions, border_splits& splits) {
    list_messages(ends, cuts_run);
    failure.run([&] { executor().copy(cuts_run_, cuts_run.data(), d_.size()); });
    if (borders_ == 1) to_all_.run(d_);
    failure.run([&] {
      executor().search_each(3 * offset{d_.size()},
                             count_runs<Key, Compare>{cuts_run_, ends, own_, own.keys[0], own.keys[1], own.counts[0],
                                                      own.counts[1], compare_});
    });
    to_searchers_.run(d_);
    failure.run([&] {
      constexpr offset bytes = sizeof(run_counts);
      executor().copy(all_ + offset{d_.rank()} * borders_, own_ + offset{3} * first_, borders_ * bytes);
      d_.fetch(all_host_.data(), all_, offset{borders_} * d_.size() * bytes);
      for (int b = 0; b < borders_; ++b) {
        const auto border = static_cast<std::size_t>(offset{first_} + b);
        if (cuts_run[border] != no_run_is_cut)
          splits[border] = plan::balanced_split_at(positions[border], splits[border].a, sum_of(b));
      }
    });
  }

 private:
  auto executor() const { return exec::executor(d_.local()); }

  /// Lists all that this rank sends or receives.
  void list_messages(Key* ends, const std::vector<std::int8_t>& cuts_run) {
    const int rank = d_.rank();
    for (int r = 0; r < d_.size(); ++r) {
      if (r == rank) continue;
      if (borders_ > 1) {
        to_searchers_.send(r, own_, 3 * offset{borders_});
        to_searchers_.receive(r, all_ + offset{r} * borders_, borders_);
        continue;
      }
      if (cuts_run[static_cast<std::size_t>(rank)] != no_run_is_cut) {
        to_all_.send(r, ends + offset{2} * rank, 2);
        to_searchers_.receive(r, all_ + r, 1);
      }
      if (cuts_run[static_cast<std::size_t>(r)] != no_run_is_cut) {
        to_all_.receive(r, ends + offset{2} * r, 2);
        to_searchers_.send(r, own_ + offset{3} * r, 3);
      }
    }
  }

  /// What all ranks have counted of a border.
  run_counts sum_of(int border) const {
    run_counts sum{0, 0, 0};
    for (int r = 0; r < d_.size(); ++r) {
      const run_counts& c = all_host_[static_cast<std::size_t>(offset{r} * borders_ + border)];
      sum = {sum.a_before + c.a_before, sum.b_before + c.b_before, sum.b_until + c.b_until};
    }
    return sum;
  }

  const Distributed& d_;
  Compare compare_;
  int first_, borders_;  // that are searched here
  transfers to_all_, to_searchers_;
  offset* own_ = nullptr;            // [ranks][3], this rank's counts for every border
  run_counts* all_ = nullptr;        // [ranks][borders_], every rank's counts
  std::int8_t* cuts_run_ = nullptr;  // [ranks]
  std::vector<run_counts> all_host_;
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
