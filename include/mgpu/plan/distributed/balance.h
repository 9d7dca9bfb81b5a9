// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The balanced path across ranks. The splits of the merge path take all of a run of equal keys in a before one of b. A
// set operation wants both elements of a pair on one rank. So each border moves within its run, as tile/balanced_path.h
// says: for that its rank must know how many elements of both sequences come before the run, and where b's run ends.
//   1. the ranks that hold the last element of a before a border, and the first of b behind it, send both to the
//      border's rank;
//   2. that rank sends them to all;
//   3. each rank counts, in what it has, and tells the border's rank.

#include <mgpu/base/math.h>
#include <mgpu/exec/distributed/policy.h>
#include <mgpu/plan/distributed/memory.h>
#include <mgpu/plan/distributed/transfers.h>
#include <mgpu/tile/balanced_path.h>
#include <mgpu/tile/binary_search.h>

#include MGPU_CUDA_VERB_HEADER(copy)
#include MGPU_CUDA_VERB_HEADER(each)

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

MGPU_NAMESPACE_BEGIN
namespace plan {

/// Two sorted sequences over ranks, and the merge path's splits of them.
template <class Key>
struct split_sequences {
  const Key* a;  // this rank's elements
  const Key* b;
  const rank_borders& have_a;
  const rank_borders& have_b;
  const rank_borders& want_a;  // [r]: the elements of a before border r
  const rank_borders& want_b;

  /// A border needs no balance where a has no element before it, or b has none behind it.
  bool cuts_a_run(int border) const {
    const auto i = static_cast<std::size_t>(border);
    return want_a[i] > 0 && want_b[i] < have_b.back();
  }
  int rank_of_last_a(int border) const { return rank_of(have_a, want_a[static_cast<std::size_t>(border)] - 1); }
  int rank_of_next_b(int border) const { return rank_of(have_b, want_b[static_cast<std::size_t>(border)]); }
  const Key* last_a(int border, int rank) const {
    return a + (want_a[static_cast<std::size_t>(border)] - 1 - have_a[static_cast<std::size_t>(rank)]);
  }
  const Key* next_b(int border, int rank) const {
    return b + (want_b[static_cast<std::size_t>(border)] - have_b[static_cast<std::size_t>(rank)]);
  }

 private:
  static int rank_of(const rank_borders& have, offset position) {
    return static_cast<int>(std::upper_bound(have.begin(), have.end(), position) - have.begin()) - 1;
  }
};

/// What a rank counts of the run at a border.
struct run_counts {
  offset a_before;  // elements of a before the first of b behind the border
  offset b_before;  // elements of b before the last of a before the border
  offset b_until;   // elements of b that are not behind that one
};

/// Counts the run at border i.
template <class Key, class Compare>
struct count_runs {
  const std::int8_t* is_wanted;  // [ranks]
  const Key* ends;               // [ranks][2]: the last of a, the next of b
  run_counts* counts;            // [ranks]
  const Key* a;                  // [a_count]
  const Key* b;                  // [b_count]
  offset a_count, b_count;
  Compare compare;

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void operator()(offset i) const {
    if (is_wanted[i] == 0) return;
    const Key& last_a = ends[2 * i];
    const Key& next_b = ends[2 * i + 1];
    counts[i] = {
        tile::partition_point(offset{0}, a_count, [&](offset k) { return compare(a[k], next_b); }),
        tile::partition_point(offset{0}, b_count, [&](offset k) { return compare(b[k], last_a); }),
        tile::partition_point(offset{0}, b_count, [&](offset k) { return !compare(last_a, b[k]); }),
    };
  }
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

/// Moves the borders from the merge path to the balanced path.
template <class Distributed, class Key, class Compare>
class border_balance {
 public:
  border_balance(const Distributed& d, const Compare& compare)
      : d_(d),
        compare_(compare),
        to_border_(2 * offset{d.size()}),
        to_all_(d.size()),
        to_counts_(d.size()),
        is_wanted_host_(static_cast<std::size_t>(d.size())),
        counts_host_(static_cast<std::size_t>(d.size())) {}

  void place(scratch_layout& layout) {
    ends_ = layout.take<Key>(2 * offset{d_.size()});
    own_ = layout.take<run_counts>(d_.size());
    all_ = layout.take<run_counts>(d_.size());
    is_wanted_ = layout.take<std::int8_t>(d_.size());
  }

  /// The split at this rank's border. All ranks call it; one that has failed goes on with the messages.
  tile::balanced_split<offset> find(exec::rank_failure& failure, const split_sequences<Key>& s) {
    const int rank = d_.rank();
    const auto own = static_cast<std::size_t>(rank);
    const offset a_count = s.have_a[own + 1] - s.have_a[own], b_count = s.have_b[own + 1] - s.have_b[own];
    for (int r = 0; r < d_.size(); ++r) list(s, r);
    failure.run([&] {
      executor().copy(is_wanted_, is_wanted_host_.data(), d_.size());
      if (s.cuts_a_run(rank)) keep_own_ends(s);
    });
    to_border_.run(d_);
    to_all_.run(d_);
    failure.run([&] {
      executor().each(d_.size(),
                      count_runs<Key, Compare>{is_wanted_, ends_, own_, s.a, s.b, a_count, b_count, compare_});
    });
    to_counts_.run(d_);
    tile::balanced_split<offset> result{s.want_a[own], false};
    if (!s.cuts_a_run(rank)) return result;
    failure.run([&] {
      executor().copy(all_ + rank, own_ + rank, sizeof(run_counts));
      d_.fetch(counts_host_.data(), all_, d_.size() * offset{sizeof(run_counts)});
      run_counts sum{0, 0, 0};
      for (const run_counts& c : counts_host_)
        sum = {sum.a_before + c.a_before, sum.b_before + c.b_before, sum.b_until + c.b_until};
      result = plan::balanced_split_at(s.want_a[own] + s.want_b[own], s.want_a[own], sum);
    });
    return result;
  }

 private:
  auto executor() const { return exec::executor(d_.local()); }

  /// Lists the messages of a border, all that this rank sends or receives.
  void list(const split_sequences<Key>& s, int border) {
    const int rank = d_.rank();
    const bool is_wanted = s.cuts_a_run(border);
    is_wanted_host_[static_cast<std::size_t>(border)] = is_wanted;
    if (!is_wanted) return;
    Key* const ends = ends_ + 2 * border;
    const int with_a = s.rank_of_last_a(border), with_b = s.rank_of_next_b(border);
    if (border == rank) {
      if (with_a != rank) to_border_.receive(with_a, ends, 1);
      if (with_b != rank) to_border_.receive(with_b, ends + 1, 1);
      for (int r = 0; r < d_.size(); ++r) {
        if (r == rank) continue;
        to_all_.send(r, ends, 2);
        to_counts_.receive(r, all_ + r, 1);
      }
    } else {
      if (with_a == rank) to_border_.send(border, s.last_a(border, rank), 1);
      if (with_b == rank) to_border_.send(border, s.next_b(border, rank), 1);
      to_all_.receive(border, ends, 2);
      to_counts_.send(border, own_ + border, 1);
    }
  }

  /// The elements at this rank's border that it has itself.
  void keep_own_ends(const split_sequences<Key>& s) const {
    const int rank = d_.rank();
    if (s.rank_of_last_a(rank) == rank) executor().copy(ends_ + 2 * rank, s.last_a(rank, rank), sizeof(Key));
    if (s.rank_of_next_b(rank) == rank) executor().copy(ends_ + 2 * rank + 1, s.next_b(rank, rank), sizeof(Key));
  }

  const Distributed& d_;
  Compare compare_;
  transfers to_border_, to_all_, to_counts_;
  std::vector<std::int8_t> is_wanted_host_;
  std::vector<run_counts> counts_host_;
  Key* ends_ = nullptr;        // [ranks][2]
  run_counts* own_ = nullptr;  // [ranks]: of this rank's elements, for each border
  run_counts* all_ = nullptr;  // [ranks]: of each rank's elements, for this border
  std::int8_t* is_wanted_ = nullptr;
};

}  // namespace plan
MGPU_NAMESPACE_END
