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
#include <mgpu/plan/distributed/split.h>
#include <mgpu/plan/distributed/transfers.h>

#include MGPU_INPUT_CHECKS_HEADER

#include <cuda/std/type_traits>

#include <cstddef>

MGPU_NAMESPACE_BEGIN
namespace plan {

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
        balance_(d, compare),
        messages_(4 * offset{d.size()}),
        have_a_(borders()),
        have_b_(borders()),
        want_a_(borders()),
        want_b_(borders()) {}

  /// All that can fail before the ranks agree.
  template <class HasDuplicates>
  void prepare(HasDuplicates has_duplicates) {
    in_.check();
    plan::check_sorted(policy(), in_.a, in_.a_count, compare_, has_duplicates, "a");
    plan::check_sorted(policy(), in_.b, in_.b_count, compare_, has_duplicates, "b");
    memory_.take(policy(), [this](scratch_layout& layout) {
      split_.place(layout);
      if constexpr (is_balanced) balance_.place(layout);
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
    split_.prepare({{a_.data(), b_.data()}, {in_.a_count, in_.b_count}});
  }

  /// Finds the splits. counts[r].values[1] and [2] are how many elements of a and b rank r has. Throws on every rank if
  /// one fails.
  void split(exec::rank_failure& failure, const exec::rank_report* counts) {
    for (int r = 0; r < d_.size(); ++r) {
      const auto i = static_cast<std::size_t>(r);
      have_a_[i + 1] = have_a_[i] + counts[r].values[1];
      have_b_[i + 1] = have_b_[i] + counts[r].values[2];
    }
    const auto own = static_cast<std::size_t>(d_.rank());
    split_.run(failure, have_a_[own] + have_b_[own], [this](int r, int l) {
      const rank_borders& have = l == 0 ? have_a_ : have_b_;
      return have[static_cast<std::size_t>(r) + 1] - have[static_cast<std::size_t>(r)];
    });
    set_borders(d_.agree(failure, split_.before_border(0)));
    if constexpr (is_balanced) {
      const auto split = balance_.find(failure, {a_.data(), b_.data(), have_a_, have_b_, want_a_, want_b_});
      set_borders(d_.agree(failure, split.a, split.starred));
    }
  }

  /// Sends what belongs to others, and receives what belongs here. Whatever has failed, the others get their messages.
  void exchange(exec::rank_failure& failure) {
    const redistribution a(have_a_, want_a_, d_.rank()), b(have_b_, want_b_, d_.rank());
    a.list(messages_, a_.data(), keys_room_);
    b.list(messages_, b_.data(), keys_room_ + a.count());
    if constexpr (has_a_values) a.list(messages_, a_values_.data(), values_room_);
    if constexpr (has_b_values) b.list(messages_, b_values_.data(), values_room_ + a.count());
    messages_.run(d_);
    failure.run([&] {
      part_.a_count = a.count();
      part_.b_count = b.count();
      part_.a = a.gather(policy(), a_.data(), keys_room_);
      part_.b = b.gather(policy(), b_.data(), keys_room_ + a.count());
      if constexpr (has_a_values) part_.a_values = a.gather(policy(), a_values_.data(), values_room_);
      if constexpr (has_b_values) part_.b_values = b.gather(policy(), b_values_.data(), values_room_ + a.count());
    });
  }

  /// This rank's part of both inputs, after the exchange.
  const auto& part() const { return part_; }

  auto& policy() const { return exec::mutable_policy(d_.local()); }

 private:
  rank_borders borders() const { return rank_borders(static_cast<std::size_t>(d_.size()) + 1); }

  /// reports[r].values: how many elements of a come before border r, and whether the border is starred. Inputs that are
  /// not sorted may give splits that contradict each other; all ranks see that.
  void set_borders(const exec::rank_report* reports) {
    for (int r = 0; r < d_.size(); ++r) {
      const auto i = static_cast<std::size_t>(r);
      want_a_[i] = reports[r].values[0];
      want_b_[i] = base::min(have_a_[i] + have_b_[i] - want_a_[i] + reports[r].values[1], have_b_.back());
    }
    want_a_.back() = have_a_.back();
    want_b_.back() = have_b_.back();
    bool is_path = want_a_[0] == 0 && want_b_[0] == 0;
    for (std::size_t i = 1; i < want_a_.size(); ++i)
      is_path = is_path && want_a_[i - 1] <= want_a_[i] && want_b_[i - 1] <= want_b_[i];
    if (!is_path) throw exec::no_split();
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
  rank_memory<typename Distributed::local_policy> memory_;
  key* keys_room_ = nullptr;  // [count() + is_balanced]: a's, then b's
  value* values_room_ = nullptr;
  rank_inputs<const key*, const key*, gathered_values<typename Inputs::values_a>,
              gathered_values<typename Inputs::values_b>>
      part_{};
};

}  // namespace plan
MGPU_NAMESPACE_END
