// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the merge and the set operations over ranks share: two sorted sequences, cut at exact splits; each rank gets its
// part of both.

#include <mgpu/base/check.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/exec/distributed/policy.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/plan/distributed/balance.h>
#include <mgpu/plan/distributed/call.h>
#include <mgpu/plan/distributed/memory.h>
#include <mgpu/plan/distributed/own_cuts.h>
#include <mgpu/plan/distributed/split.h>
#include <mgpu/plan/distributed/transfers.h>
#include <mgpu/tuning/distributed.h>

#include MGPU_INPUT_CHECKS_HEADER
#include MGPU_CUDA_VERB_HEADER(copy)
#include MGPU_CUDA_VERB_HEADER(each)

#include <cuda/std/type_traits>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Whether pairs of equal elements are to come to one rank, as set operations want it, or not.
enum class pairs { may_be_cut, stay_together };

/// Two inputs of a rank: pointers where the caller's iterators are contiguous.
template <class KeysA, class KeysB, class ValuesA, class ValuesB>
struct rank_inputs {
  using keys_a = KeysA;
  using keys_b = KeysB;
  using values_a = ValuesA;
  using values_b = ValuesB;

  KeysA a;
  KeysB b;
  offset a_count, b_count;
  ValuesA a_values;
  ValuesB b_values;

  offset count() const { return a_count + b_count; }
  void check() const {
    base::check_not_null(a, a_count, "a");
    base::check_not_null(b, b_count, "b");
    base::check_not_null(a_values, a_count, "the values of a");
    base::check_not_null(b_values, b_count, "the values of b");
  }
};
template <class KeysA, class KeysB, class ValuesA, class ValuesB>
rank_inputs(KeysA, KeysB, offset, offset, ValuesA, ValuesB) -> rank_inputs<KeysA, KeysB, ValuesA, ValuesB>;

/// Where a rank's part of the values is.
template <class Values>
using gathered_values =
    cuda::std::conditional_t<base::has_values<Values>, const base::value_type<Values>*, base::no_values>;

/// The steps that bring each rank its part of both inputs.
template <pairs Pairs, class Distributed, class Inputs, class Compare>
class distributed_inputs {
  using key = base::value_type<typename Inputs::keys_a>;
  using value = base::value_type<typename Inputs::values_a>;
  static constexpr bool has_a_values = base::has_values<typename Inputs::values_a>;
  static constexpr bool has_b_values = base::has_values<typename Inputs::values_b>;
  static constexpr bool is_balanced = Pairs == pairs::stay_together;

 public:
  distributed_inputs(const Distributed& d, const Inputs& in, const Compare& compare)
      : d_(d),
        in_(in),
        compare_(compare),
        a_(in.a, in.a_count),
        b_(in.b, in.b_count),
        a_values_(in.a_values, in.a_count),
        b_values_(in.b_values, in.b_count),
        split_(d, 2, compare),
        balance_(d, compare, split_.is_shared()),
        messages_(4 * offset{d.size()}),
        have_a_(borders()),
        have_b_(borders()),
        want_a_(borders()),
        want_b_(borders()),
        positions_(borders()),
        splits_(static_cast<std::size_t>(d.size())),
        cuts_run_(splits_.size()) {}

  /// All that can fail before the ranks agree.
  template <class HasDuplicates>
  void prepare(HasDuplicates has_duplicates) {
    in_.check();
    plan::check_sorted(policy(), in_.a, in_.a_count, compare_, has_duplicates, "a");
    plan::check_sorted(policy(), in_.b, in_.b_count, compare_, has_duplicates, "b");
    memory_.take(policy(), [this](scratch_layout& layout) {
      split_.place(layout);
      if constexpr (is_balanced) balance_.place(layout);
      cuts_ = layout.take<offset>(4);
      a_.place(layout);
      b_.place(layout);
      a_values_.place(layout);
      b_values_.place(layout);
      // A border that would cut a pair gives the rank before it one element more.
      keys_room_ = layout.take<key>(in_.count() + is_balanced);
      if constexpr (has_a_values) values_room_ = layout.take<value>(in_.count() + is_balanced);
    });
    a_.fill(policy());
    b_.fill(policy());
    a_values_.fill(policy());
    b_values_.fill(policy());
    split_.prepare(own_lists());
  }

  /// Finds the splits. counts[r].values[1] and [2] are how many elements of a and b rank r has. Throws on every rank if
  /// one fails.
  void split(exec::rank_failure& failure, const exec::rank_report* counts) {
    for (int r = 0; r < d_.size(); ++r) {
      const auto i = static_cast<std::size_t>(r);
      have_a_[i + 1] = have_a_[i] + counts[r].values[1];
      have_b_[i + 1] = have_b_[i] + counts[r].values[2];
    }
    for (std::size_t i = 0; i < positions_.size(); ++i) positions_[i] = have_a_[i] + have_b_[i];
    split_.run(failure, [this](int r, int l) {
      const rank_borders& have = l == 0 ? have_a_ : have_b_;
      return have[static_cast<std::size_t>(r) + 1] - have[static_cast<std::size_t>(r)];
    });
    for (int r = 0; r < d_.size(); ++r) {
      if (!split_.searches(r)) continue;
      const found_border found = split_.found(r);
      splits_[static_cast<std::size_t>(r)] = {found.a_before, false};
      cuts_run_[static_cast<std::size_t>(r)] = found.cuts_run ? run_is_cut : no_run_is_cut;
    }
    agree_on_borders(failure);
    if constexpr (is_balanced) {
      if (std::count(cuts_run_.begin(), cuts_run_.end(), no_run_is_cut) == d_.size()) return;
      balance_.move(failure, own_lists(), split_.ends(), cuts_run_, positions_, splits_);
      agree_on_borders(failure);
    }
  }

  /// Sends what belongs to others, and receives what belongs here. Whatever has failed, the others get their messages.
  void exchange(exec::rank_failure& failure) {
    const redistribution a(have_a_, want_a_, d_.rank()), b(have_b_, want_b_, d_.rank());
    a.list(messages_, a_.data(), keys_room_);
    b.list(messages_, b_.data(), keys_room_ + a.count());
    if constexpr (has_a_values) a.list(messages_, a_values_.data(), values_room_);
    if constexpr (has_b_values) b.list(messages_, b_values_.data(), values_room_ + a.count());
    constexpr offset a_bytes = sizeof(key) + (has_a_values ? sizeof(value) : 0);
    constexpr offset b_bytes = sizeof(key) + (has_b_values ? sizeof(value) : 0);
    messages_.run_or_copy(
        d_, plan::most_received(have_a_, want_a_) * a_bytes + plan::most_received(have_b_, want_b_) * b_bytes);
    failure.run([&] { find_parts(a, b); });
    d_.await_messages();
  }

  /// Calls f(inputs) for each part of this rank's inputs, one behind the other, after the exchange. No key is in two
  /// parts.
  template <class F>
  void for_each_part(const F& f) const {
    for (int i = 0; i < part_count_; ++i)
      if (parts_[i].count() > 0) f(parts_[i]);
  }

  auto& policy() const { return exec::mutable_policy(d_.local()); }

 private:
  using local_policy = typename Distributed::local_policy;
  using part = rank_inputs<const key*, const key*, gathered_values<typename Inputs::values_a>,
                           gathered_values<typename Inputs::values_b>>;

  rank_borders borders() const { return rank_borders(static_cast<std::size_t>(d_.size()) + 1); }

  rank_lists<key> own_lists() const { return {{a_.data(), b_.data()}, {in_.a_count, in_.b_count}}; }

  /// Takes each border's split from the rank of its number, unless all ranks have found the same. Inputs that are not
  /// sorted may give splits that contradict each other; all ranks see that.
  void agree_on_borders(exec::rank_failure& failure) {
    if (split_.is_alike()) {
      split_.rethrow_alike(failure);
    } else {
      const auto own = static_cast<std::size_t>(d_.rank());
      const auto* const reports = d_.agree(failure, splits_[own].a, splits_[own].starred, cuts_run_[own]);
      for (int r = 0; r < d_.size(); ++r) {
        splits_[static_cast<std::size_t>(r)] = {reports[r].values[0], reports[r].values[1] != 0};
        std::int8_t& cuts = cuts_run_[static_cast<std::size_t>(r)];
        const bool has_keys = cuts == run_is_cut || !split_.searches(r);
        cuts = reports[r].values[2] == 0 ? no_run_is_cut : has_keys ? run_is_cut : run_is_cut_elsewhere;
      }
    }
    for (std::size_t i = 0; i < splits_.size(); ++i) {
      want_a_[i] = splits_[i].a;
      want_b_[i] = base::min(positions_[i] - want_a_[i] + (splits_[i].starred ? 1 : 0), have_b_.back());
    }
    want_a_.back() = have_a_.back();
    want_b_.back() = have_b_.back();
    bool is_path = want_a_[0] == 0 && want_b_[0] == 0;
    for (std::size_t i = 1; i < want_a_.size(); ++i)
      is_path = is_path && want_a_[i - 1] <= want_a_[i] && want_b_[i - 1] <= want_b_[i];
    if (is_path) return;
    failure.run([] { throw exec::no_split(); });
    d_.agree(failure);
  }

  /// Finds parts of which the largest is where the caller has it. If there are none, all is brought together.
  void find_parts(const redistribution& a, const redistribution& b) {
    own_cut ca, cb;
    if (cut_own(a, b, ca, cb)) {
      const stretch rests[2][2] = {{{0, ca.head}, {ca.tail, a.own_count()}}, {{0, cb.head}, {cb.tail, b.own_count()}}};
      for (const stretch& rest : rests[0]) {
        a.copy_own(policy(), a_.data(), keys_room_, rest);
        if constexpr (has_a_values) a.copy_own(policy(), a_values_.data(), values_room_, rest);
      }
      for (const stretch& rest : rests[1]) {
        b.copy_own(policy(), b_.data(), keys_room_ + a.count(), rest);
        if constexpr (has_b_values) b.copy_own(policy(), b_values_.data(), values_room_ + a.count(), rest);
      }
      const offset a_tail = a.own_place() + ca.tail, b_tail = b.own_place() + cb.tail;
      parts_[0] = part_of_room(a, {0, a.own_place() + ca.head}, {0, b.own_place() + cb.head});
      const offset a_head = a.own_begin() + ca.head, b_head = b.own_begin() + cb.head;
      parts_[1] = {a_.data() + a_head, b_.data() + b_head, ca.tail - ca.head, cb.tail - cb.head, {}, {}};
      if constexpr (has_a_values) parts_[1].a_values = a_values_.data() + a_head;
      if constexpr (has_b_values) parts_[1].b_values = b_values_.data() + b_head;
      parts_[2] = part_of_room(a, {a_tail, a.count()}, {b_tail, b.count()});
      part_count_ = 3;
      return;
    }
    part_count_ = 1;
    part& p = parts_[0];
    p.a_count = a.count();
    p.b_count = b.count();
    p.a = a.gather(policy(), a_.data(), keys_room_);
    p.b = b.gather(policy(), b_.data(), keys_room_ + a.count());
    if constexpr (has_a_values) p.a_values = a.gather(policy(), a_values_.data(), values_room_);
    if constexpr (has_b_values) p.b_values = b.gather(policy(), b_values_.data(), values_room_ + a.count());
  }

  /// Finds how much of what the rank had can stay where it is. False if that is not most of it.
  bool cut_own(const redistribution& a, const redistribution& b, own_cut& of_a, own_cut& of_b) {
    constexpr offset least = exec::executor_of<local_policy>::has_shared_memory
                                 ? tuning::least_elements_left_in_place
                                 : tuning::least_host_elements_left_in_place;
    const offset own_count = a.own_count() + b.own_count();
    if (own_count < least || (a.is_here() && b.is_here())) return false;
    // Where nothing is the rank's own, nobody knows what comes before it.
    if ((a.own_count() == 0 && a.count() > 0) || (b.own_count() == 0 && b.count() > 0)) return false;
    const auto own = [](const redistribution& x, const key* keys, const key* room) {
      return own_elements<key>{keys + x.own_begin(), x.own_count(), room, x.own_place(),
                               x.count() - x.own_place() - x.own_count()};
    };
    exec::executor(policy()).search_each(
        4, find_own_cuts<key, Compare>{
               {own(a, a_.data(), keys_room_), own(b, b_.data(), keys_room_ + a.count())}, cuts_, compare_});
    offset cuts[4];
    d_.fetch(cuts, cuts_, offset{sizeof(cuts)});
    of_a = {cuts[0], base::max(cuts[0], cuts[1])};
    of_b = {cuts[2], base::max(cuts[2], cuts[3])};
    const offset left = of_a.tail - of_a.head + of_b.tail - of_b.head;
    return left > own_count / 2;
  }

  part part_of_room(const redistribution& a, const stretch& of_a, const stretch& of_b) const {
    part p{keys_room_ + of_a.begin, keys_room_ + a.count() + of_b.begin, of_a.count(), of_b.count(), {}, {}};
    if constexpr (has_a_values) p.a_values = values_room_ + of_a.begin;
    if constexpr (has_b_values) p.b_values = values_room_ + a.count() + of_b.begin;
    return p;
  }

  const Distributed& d_;
  Inputs in_;
  Compare compare_;
  sendable<typename Inputs::keys_a> a_;
  sendable<typename Inputs::keys_b> b_;
  sendable<typename Inputs::values_a> a_values_;
  sendable<typename Inputs::values_b> b_values_;
  split_search<Distributed, key, Compare> split_;
  border_balance<Distributed, key, Compare> balance_;
  transfers messages_;
  rank_borders have_a_, have_b_, want_a_, want_b_;
  rank_borders positions_;             // of a and b together
  border_splits splits_;               // [ranks]
  std::vector<std::int8_t> cuts_run_;  // [ranks]: whether a border is to be moved
  rank_memory<local_policy> memory_{d_.are_ranks_lost()};
  key* keys_room_ = nullptr;  // [count() + is_balanced]: a's, then b's
  value* values_room_ = nullptr;
  offset* cuts_ = nullptr;  // [2][2]
  part parts_[3] = {};
  int part_count_ = 0;
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
