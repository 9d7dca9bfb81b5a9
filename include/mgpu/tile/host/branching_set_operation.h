// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/tile/branch_free.h>
#include <mgpu/tile/host/copy_range.h>
#include <mgpu/tile/host/prefetch.h>
#include <mgpu/tile/host/step_history.h>
#include <mgpu/tile/range.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// A part of a multiset operation on the CPU: what is left of its inputs, in whole pairs, and where its output goes.
struct set_lane {
  range rest;
  offset out, out_end;
};

/// A multiset operation by one CPU thread, by branches that the CPU predicts: its inputs and outputs. Without values
/// they are base::no_values. So are b's values if the operation emits none of them.
template <class Operation, class A, class B, class ValuesA, class ValuesB, class Out, class ValuesOut, class Compare>
struct branching_set_operation {
  A a;
  B b;
  ValuesA a_values;
  ValuesB b_values;
  Out out;
  ValuesOut values_out;
  const Compare& compare;
  offset output_bytes = 0;  // at most, of the whole output, if they are known: see copy_range

  static constexpr bool has_values = base::has_values<ValuesA>;

  /// The number of pairs in a range of whole pairs. Takes the same branches as run().
  offset count_pairs(range r) const { return count_by_branches(r, r.a_end + r.b_end); }

  /// count_pairs while the CPU predicts the branches. Leaves the rest in r.
  offset count_predictable(range& r) const {
    offset pairs = 0;
    while (is_predictable(r)) pairs += count_by_branches(r, steps_per_sample);
    return pairs;
  }

  /// Writes what the operation emits of one lane, by branches that the CPU predicts. Returns the end of its output. If
  /// the inputs are not sorted, no more is written than there is room for.
  offset run(set_lane l) const {
    run_by_branches(l, l.rest.a_end + l.rest.b_end);
    take_a(l, l.rest.a_end - l.rest.a_begin);
    take_b(l, l.rest.b_end - l.rest.b_begin);
    return l.out;
  }

  /// run while the CPU predicts the branches. Leaves the rest in l.
  void run_predictable(set_lane& l) const {
    while (l.out < l.out_end && is_predictable(l.rest)) run_by_branches(l, steps_per_sample);
  }

 protected:
  /// Which of two keys is first. a's: {-1, 0}; b's: {0, -1}; a pair: {0, 0}.
  struct order {
    offset a_first, b_first;
  };
  template <class KeyA, class KeyB>
  MGPU_FORCE_INLINE order order_of(const KeyA& a_key, const KeyB& b_key) const {
    const offset a_first = tile::as_mask(static_cast<bool>(compare(a_key, b_key)));
    const offset b_first = tile::as_mask(static_cast<bool>(compare(b_key, a_key)));
    return {a_first, b_first & ~a_first};  // a comparator that answers yes to both must not stop the loop
  }

  /// Takes a pair or an unpaired element, without a branch that the CPU could mispredict. Returns 0 for an element of
  /// a, 1 for one of b, 2 for a pair.
  MGPU_FORCE_INLINE offset advance(range& r) const {
    const order o = order_of(a[r.a_begin], b[r.b_begin]);
    r.a_begin += 1 + o.b_first;
    r.b_begin += 1 + o.a_first;
    return 2 + 2 * o.a_first + o.b_first;
  }

  /// True if both sides have elements left and the first steps show that the CPU will predict the branches.
  bool is_predictable(range r) const {
    if (r.a_begin >= r.a_end || r.b_begin >= r.b_end) return false;
    step_history history;
    for (int i = 0; i < step_history::max_steps && r.a_begin < r.a_end && r.b_begin < r.b_end; ++i)
      history.note(static_cast<unsigned>(advance(r)));
    return tile::is_predictable(history.surprises());
  }

  /// Counts pairs until one side is used up or `steps_left` steps are taken. If the next elements of one input fill a
  /// stretch, one comparison with the last of them takes them all; if not, it looks again after twice as many steps.
  offset count_by_branches(range& r, offset steps_left) const {
    offset pairs = 0;
    for (offset steps = stretch_items; steps_left > 0;) {
      const offset a_left = r.a_end - r.a_begin, b_left = r.b_end - r.b_begin;
      if (a_left <= 0 || b_left <= 0) break;
      if (const offset from_a = unpaired_of_a(r)) {
        r.a_begin += from_a;
        steps = stretch_items;
      } else if (const offset from_b = unpaired_of_b(r)) {
        r.b_begin += from_b;
        steps = stretch_items;
      } else if (const offset paired = count_pairs_in_a_row(r)) {
        r.a_begin += paired;
        r.b_begin += paired;
        pairs += paired;
        steps = stretch_items;
      } else if (const offset taken = base::min(base::min(a_left - 1, b_left), steps)) {
        pairs += count_steps(r, taken);
        steps_left -= taken;
        steps = base::min(2 * steps, steps_to_look::longest);
      } else {
        pairs += advance(r) == 2;
      }
    }
    return pairs;
  }

  /// count_by_branches that also emits.
  void run_by_branches(set_lane& l, offset steps_left) const {
    const range& r = l.rest;
    for (offset steps = stretch_items; steps_left > 0;) {
      const offset a_left = r.a_end - r.a_begin, b_left = r.b_end - r.b_begin, room = l.out_end - l.out;
      if (a_left <= 0 || b_left <= 0 || room <= 0) break;
      if (const offset from_a = Operation::emits_a ? stretch_of_a(r) : unpaired_of_a(r)) {
        take_a(l, from_a);
        steps = stretch_items;
      } else if (const offset from_b = Operation::emits_b ? stretch_of_b(r) : unpaired_of_b(r)) {
        take_b(l, from_b);
        steps = stretch_items;
      } else if (emit_pairs_in_a_row(l) > 0) {
        steps = stretch_items;
      } else if (const offset taken = base::min(base::min(base::min(a_left - 1, b_left), room / 2), steps)) {
        emit_steps(l, taken);
        steps_left -= taken;
        steps = base::min(2 * steps, steps_to_look::longest);
      } else {
        emit_step(l);
      }
    }
  }

  /// How many next elements of one input are in no pair, in whole stretches.
  offset unpaired_of_a(const range& r) const {
    return tile::whole_stretches(r.a_end - r.a_begin,
                                 [&](offset count) { return compare(a[r.a_begin + count - 1], b[r.b_begin]); });
  }
  offset unpaired_of_b(const range& r) const {
    return tile::whole_stretches(r.b_end - r.b_begin,
                                 [&](offset count) { return compare(b[r.b_begin + count - 1], a[r.a_begin]); });
  }

  /// The same for elements that are emitted: one stretch at most.
  offset stretch_of_a(const range& r) const {
    constexpr offset items = copied_stretch_items<A>;
    return r.a_end - r.a_begin >= items && compare(a[r.a_begin + items - 1], b[r.b_begin]) ? items : 0;
  }
  offset stretch_of_b(const range& r) const {
    constexpr offset items = copied_stretch_items<B>;
    return r.b_end - r.b_begin >= items && compare(b[r.b_begin + items - 1], a[r.a_begin]) ? items : 0;
  }

  struct emit_nothing {
    void operator()(offset) const {}
  };

  /// Calls emit(i) for the next pairs that follow each other, if they seem to fill a stretch. Returns their number, at
  /// most as many as the nearest cache holds if the operation emits them.
  ///   set_difference_by_key, one thread, ms (EPYC 9004, 2026-11-27): f64 or u64, 2^22, a branch for each comparison /
  ///   for four pairs / Thrust: 16 values 4.2 / 3.2 / 2.9, equal inputs 3.9 / 2.8 / 2.9; slower for 16 pairs. 16-byte
  ///   keys, 2^21, 1,024 pairs at a time / all / Thrust: 16 values 2.3 / 2.1 / 2.0, equal inputs 2.2 / 2.0 / 1.9.
  template <class Emit>
  MGPU_FORCE_INLINE offset each_pair(const range& r, offset most, const Emit& emit) const {
    const A next_a = a + r.a_begin;
    const B next_b = b + r.b_begin;
    most = base::min(most, base::min(r.a_end - r.a_begin, r.b_end - r.b_begin));
    if constexpr (Operation::emits_pairs) most = base::min<offset>(most, 1024);
    const auto is_pair = [&](offset i) { return !compare(next_a[i], next_b[i]) && !compare(next_b[i], next_a[i]); };
    if (most < stretch_items || !is_pair(stretch_items - 1)) return 0;
    offset pairs = 0;
    if constexpr (are_compared_at_once<A, B>) {
      for (; pairs + stretch_items <= most; pairs += stretch_items) {
        int unlike = 0;
        for (offset i = pairs; i < pairs + stretch_items; ++i) unlike |= static_cast<int>(!is_pair(i));
        if (unlike != 0) break;
      }
    } else if constexpr (are_arithmetic<A, B> && cuda::std::is_same_v<Emit, emit_nothing>) {
      const auto unlike = [&](offset i) {  // not 0 if they are no pair
        const bool a_first = static_cast<bool>(compare(next_a[i], next_b[i]));
        const bool b_first = static_cast<bool>(compare(next_b[i], next_a[i]));
        return static_cast<int>(a_first) | static_cast<int>(b_first);
      };
      const auto four_unlike = [&](offset i) { return unlike(i) | unlike(i + 1) | unlike(i + 2) | unlike(i + 3); };
      while (pairs + 4 <= most && four_unlike(pairs) == 0) pairs += 4;
    } else {
      constexpr int unrolled = 4;
      for (int taken = unrolled; taken == unrolled && pairs + unrolled <= most; pairs += taken)
        for (taken = 0; taken < unrolled && is_pair(pairs + taken); ++taken) emit(pairs + taken);
    }
    return pairs;
  }

  MGPU_LOOP offset count_pairs_in_a_row(const range& r) const {
    return each_pair(r, r.a_end - r.a_begin, emit_nothing{});
  }

  MGPU_LOOP offset emit_pairs_in_a_row(set_lane& l) const {
    const offset room = l.out_end - l.out;
    if constexpr (!Operation::emits_pairs) {
      const offset pairs = count_pairs_in_a_row(l.rest);
      take_pairs(l, pairs);
      return pairs;
    } else if constexpr (are_compared_at_once<A, B>) {
      const offset pairs = each_pair(l.rest, room, emit_nothing{});
      take_pairs(l, pairs);
      return pairs;
    } else {
      const A from = a + l.rest.a_begin;
      const Out to = out + l.out;
      const offset pairs = each_pair(l.rest, room, [&](offset i) { *(to + i) = from[i]; });
      if constexpr (has_values) {
        const ValuesA values = a_values + l.rest.a_begin;
        tile::copy_range(values, pairs, values_out + l.out, output_bytes);
      }
      l.rest.a_begin += pairs;
      l.rest.b_begin += pairs;
      l.out += pairs;
      return pairs;
    }
  }

  /// Takes `steps` steps and returns the number of pairs. A step takes a pair or an unpaired element; if that is of a
  /// and the next one is of b, it takes that one too.
  /// Requires: b has `steps` elements left, and a one more.
  MGPU_LOOP offset count_steps(range& r, offset steps) const {
    A next_a = a + r.a_begin;
    B next_b = b + r.b_begin;
    offset pairs = 0;
    for (; steps > 0; --steps) {
      if (compare(*next_a, *next_b)) {
        ++next_a;
        MGPU_HIDE_VALUE(steps);  // a branch must remain
        if (compare(*next_b, *next_a)) {
          ++next_b;
          MGPU_HIDE_VALUE(steps);
        }
      } else if (compare(*next_b, *next_a)) {
        ++next_b;
        MGPU_HIDE_VALUE(steps);
      } else {
        ++next_a;
        ++next_b;
        ++pairs;
        MGPU_HIDE_VALUE(pairs);
      }
    }
    r.a_begin = static_cast<offset>(next_a - a);
    r.b_begin = static_cast<offset>(next_b - b);
    return pairs;
  }

  /// count_steps that also emits.
  /// Requires: room for two elements per step.
  MGPU_LOOP void emit_steps(set_lane& l, offset steps) const {
    A next_a = a + l.rest.a_begin;
    B next_b = b + l.rest.b_begin;
    Out to = out + l.out;
    [[maybe_unused]] ValuesA a_value = a_values + l.rest.a_begin;
    [[maybe_unused]] ValuesB b_value = b_values + l.rest.b_begin;
    ValuesOut value_to = values_out + l.out;
    const auto emit = [&](const auto& key, [[maybe_unused]] const auto& value) {
      *to = *key;
      ++to;
      if constexpr (has_values) {
        *value_to = *value;
        ++value_to;
      }
    };
    const auto take_b = [&] {
      if constexpr (Operation::emits_b) emit(next_b, b_value);
      ++next_b;
      if constexpr (has_values && Operation::emits_b) ++b_value;
      MGPU_HIDE_VALUE(steps);  // a branch must remain
    };
    for (; steps > 0; --steps) {
      tile::prefetch_ahead(to);
      tile::prefetch_ahead(value_to);
      if (compare(*next_a, *next_b)) {
        if constexpr (Operation::emits_a) emit(next_a, a_value);
        ++next_a;
        if constexpr (has_values) ++a_value;
        MGPU_HIDE_VALUE(steps);
        if (compare(*next_b, *next_a)) take_b();
      } else if (compare(*next_b, *next_a)) {
        take_b();
      } else {
        if constexpr (Operation::emits_pairs) emit(next_a, a_value);
        ++next_a;
        ++next_b;
        if constexpr (has_values) ++a_value;
        if constexpr (has_values && Operation::emits_b) ++b_value;
        MGPU_HIDE_VALUE(steps);
      }
    }
    l.rest.a_begin = static_cast<offset>(next_a - a);
    l.rest.b_begin = static_cast<offset>(next_b - b);
    l.out = static_cast<offset>(to - out);
  }

  /// Takes and emits a pair or an unpaired element.
  /// Requires: room for one element.
  void emit_step(set_lane& l) const {
    range next = l.rest;
    const offset taken = advance(next);
    if (taken == 0) take_a(l, 1);
    else if (taken == 1) take_b(l, 1);
    else take_pairs(l, 1);
    l.rest = next;
  }

  /// Takes elements of one input that are in no pair, and emits them if the operation does.
  void take_a(set_lane& l, offset count) const {
    if constexpr (Operation::emits_a) copy(a, a_values, l.rest.a_begin, count, l);
    l.rest.a_begin += count;
  }
  void take_b(set_lane& l, offset count) const {
    if constexpr (Operation::emits_b) copy(b, b_values, l.rest.b_begin, count, l);
    l.rest.b_begin += count;
  }

  void take_pairs(set_lane& l, offset count) const {
    if constexpr (Operation::emits_pairs) copy(a, a_values, l.rest.a_begin, count, l);
    l.rest.a_begin += count;
    l.rest.b_begin += count;
  }

  template <class Keys, class Values>
  void copy(const Keys& keys, const Values& values, offset begin, offset count, set_lane& l) const {
    const offset copied = base::min(count, l.out_end - l.out);
    tile::copy_range(keys + begin, copied, out + l.out, output_bytes);
    if constexpr (has_values) tile::copy_range(values + begin, copied, values_out + l.out, output_bytes);
    l.out += copied;
  }
};

}  // namespace detail::tile
MGPU_NAMESPACE_END
