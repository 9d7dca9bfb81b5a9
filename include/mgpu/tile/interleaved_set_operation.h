// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/slot.h>
#include <mgpu/tile/branch_free.h>
#include <mgpu/tile/interleaved_merge.h>
#include <mgpu/tile/range.h>
#include <mgpu/tile/set_step.h>
#include <mgpu/tile/step_history.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

MGPU_NAMESPACE_BEGIN
namespace tile {

/// One part of a multiset operation on the CPU: what is left of its inputs, whole pairs only, and where its outputs go.
struct set_lane {
  range rest;
  offset out, out_end;
};

/// The inputs and outputs of a serial multiset operation on the CPU. Values are base::no_values where keys alone are
/// emitted, and b's where no operation asks for them.
template <class Operation, class A, class B, class ValuesA, class ValuesB, class Out, class ValuesOut, class Compare>
struct host_set_operation {
  A a;
  B b;
  ValuesA a_values;
  ValuesB b_values;
  Out out;
  ValuesOut values_out;
  const Compare& compare;

  static constexpr bool has_values = base::has_values<ValuesA>;

  /// The number of pairs in a range of whole pairs, by branches as run() takes them.
  offset count_pairs(range r) const { return count_by_branches(r, r.a_end + r.b_end); }

  /// count_pairs as long as the CPU guesses the branches; leaves the rest of r.
  offset count_predictable(range& r) const {
    offset pairs = 0;
    while (is_predictable(r)) pairs += count_by_branches(r, steps_per_sample);
    return pairs;
  }

  /// count_pairs of several ranges that take turns, as in host_merge::run_interleaved.
  template <std::size_t... Lanes>
  void count_pairs_interleaved(range (&r)[sizeof...(Lanes)], offset* pairs, std::index_sequence<Lanes...>) const {
    const auto free_steps = [](const range& x) { return base::min(x.a_end - x.a_begin, x.b_end - x.b_begin); };
    for (;;) {
      offset steps = free_steps(r[0]);
      ((steps = base::min(steps, free_steps(r[Lanes]))), ...);
      if (steps <= 0) break;
      ((pairs[Lanes] -= r[Lanes].out_begin() + steps), ...);
      for (offset i = 0; i < steps; ++i) (advance(r[Lanes]), ...);
      ((pairs[Lanes] += r[Lanes].out_begin()), ...);
    }
    ((pairs[Lanes] += count_pairs(r[Lanes])), ...);
  }

  /// Emits what the operation emits of one lane, with branches that the CPU guesses, and returns the end of its output. On inputs
  /// that are not sorted, no more is emitted than there is room for.
  offset run(set_lane l) const {
    run_by_branches(l, l.rest.a_end + l.rest.b_end);
    take_a(l, l.rest.a_end - l.rest.a_begin);
    take_b(l, l.rest.b_end - l.rest.b_begin);
    return l.out;
  }

  /// run as long as the CPU guesses the branches; leaves the rest of l.
  void run_predictable(set_lane& l) const {
    while (l.out < l.out_end && is_predictable(l.rest)) run_by_branches(l, steps_per_sample);
  }

  /// What a range that takes turns emits, until its place in the output is known.
  template <int Items>
  struct lane_results {
    base::slot<base::value_type<A>> keys[Items];
    base::slot<base::value_type<ValuesA>> values[has_values ? Items : 1];
  };

  /// run of several ranges that follow each other and take turns, from out_begin to at most out_end. What they emit waits in
  /// scratch memory, so that a step may write an element before it knows whether that is emitted. Returns the output's end.
  /// Requires: no range has more than Items elements.
  template <int Items, std::size_t... Lanes>
  offset run_interleaved(range (&r)[sizeof...(Lanes)], lane_results<Items>* results, offset out_begin, offset out_end,
                         std::index_sequence<Lanes...>) const {
    const auto free_steps = [](const range& x) { return base::min(x.a_end - x.a_begin, x.b_end - x.b_begin); };
    offset a_at[] = {r[Lanes].a_begin...}, b_at[] = {r[Lanes].b_begin...}, emitted[sizeof...(Lanes)] = {};
    offset prefetched = out_begin;
    for (;;) {
      offset steps = free_steps(r[0]);
      ((steps = base::min(steps, free_steps(r[Lanes]))), ...);
      if (steps <= 0) break;
      while (steps > 0) {
        prefetch(out, prefetched);
        if constexpr (has_values) prefetch(values_out, prefetched);
        prefetched += prefetch_steps * offset{sizeof...(Lanes)};
        const offset block = base::min(steps, prefetch_steps);
        for (offset i = 0; i < block; ++i) (step(a_at[Lanes], b_at[Lanes], results[Lanes], emitted[Lanes]), ...);
        steps -= block;
      }
      ((r[Lanes].a_begin = a_at[Lanes], r[Lanes].b_begin = b_at[Lanes]), ...);
    }
    (finish(r[Lanes], results[Lanes], emitted[Lanes]), ...);
    ((out_begin = place(results[Lanes], emitted[Lanes], {r[Lanes], out_begin, out_end})), ...);
    return out_begin;
  }

 private:
  static constexpr offset stretch = 64, longest_steps = 1 << 14, prefetch_steps = 16;

  template <class To>
  static MGPU_FORCE_INLINE void prefetch(const To& to, offset begin) {
    if constexpr (cuda::std::is_pointer_v<To>) {
      constexpr offset line = 64;
      const char* const first = reinterpret_cast<const char*>(to + begin);
      for (offset i = 0; i < 4 * prefetch_steps * offset{sizeof(*to)}; i += line) MGPU_PREFETCH(first + i);
    }
  }

  /// True where both sides are left and the first steps show that the CPU guesses the branches.
  bool is_predictable(range r) const {
    if (r.a_begin >= r.a_end || r.b_begin >= r.b_end) return false;
    step_history history;
    for (int i = 0; i < step_history::max_steps && r.a_begin < r.a_end && r.b_begin < r.b_end; ++i)
      history.note(static_cast<unsigned>(advance(r)));
    return tile::is_predictable(history.surprises());
  }

  /// Counts pairs until one side is used up or so many steps are taken. Where one input has the next elements for a stretch, a
  /// comparison with the last of them takes them all; where it has not, that is tried again after twice as many steps.
  offset count_by_branches(range& r, offset steps_left) const {
    offset pairs = 0;
    for (offset steps = stretch; steps_left > 0;) {
      const offset a_left = r.a_end - r.a_begin, b_left = r.b_end - r.b_begin;
      if (a_left <= 0 || b_left <= 0) break;
      if (is_a_first(r, a_left)) {
        r.a_begin += stretch;
        steps = stretch;
      } else if (is_b_first(r, b_left)) {
        r.b_begin += stretch;
        steps = stretch;
      } else {
        const offset taken = base::min(base::min(a_left, b_left), steps);
        pairs += count_steps(r, taken);
        steps_left -= taken;
        steps = base::min(2 * steps, longest_steps);
      }
    }
    return pairs;
  }

  /// count_by_branches that emits.
  void run_by_branches(set_lane& l, offset steps_left) const {
    range& r = l.rest;
    for (offset steps = stretch; steps_left > 0;) {
      const offset a_left = r.a_end - r.a_begin, b_left = r.b_end - r.b_begin, room = l.out_end - l.out;
      if (a_left <= 0 || b_left <= 0 || room <= 0) break;
      if (is_a_first(r, a_left)) {
        take_a(l, stretch);
        steps = stretch;
      } else if (is_b_first(r, b_left)) {
        take_b(l, stretch);
        steps = stretch;
      } else {
        const offset taken = base::min(base::min(base::min(a_left, b_left), room), steps);
        emit_steps(l, taken);
        steps_left -= taken;
        steps = base::min(2 * steps, longest_steps);
      }
    }
  }

  bool is_a_first(const range& r, offset a_left) const {
    return a_left >= stretch && compare(a[r.a_begin + stretch - 1], b[r.b_begin]);
  }
  bool is_b_first(const range& r, offset b_left) const {
    return b_left >= stretch && compare(b[r.b_begin + stretch - 1], a[r.a_begin]);
  }

  /// Which of two keys is first: -1 and 0, 0 and -1, or for a pair 0 and 0.
  struct order {
    offset a_first, b_first;
  };
  template <class KeyA, class KeyB>
  MGPU_FORCE_INLINE order order_of(const KeyA& a_key, const KeyB& b_key) const {
    const offset a_first = tile::as_mask(static_cast<bool>(compare(a_key, b_key)));
    const offset b_first = tile::as_mask(static_cast<bool>(compare(b_key, a_key)));
    return {a_first, b_first & ~a_first};  // a comparator that says yes to both must not stop us
  }

  /// Takes a pair or an unpaired element, without a branch that the CPU could guess wrong. Returns 0 for an element of a, 1 for
  /// one of b, 2 for a pair.
  MGPU_FORCE_INLINE offset advance(range& r) const {
    const order o = order_of(a[r.a_begin], b[r.b_begin]);
    r.a_begin += 1 + o.b_first;
    r.b_begin += 1 + o.a_first;
    return 2 + 2 * o.a_first + o.b_first;
  }

  /// advance that emits. An element that is not emitted is overwritten by the next one that is: requires room for one.
  template <class Results>
  MGPU_FORCE_INLINE void step(offset& a_at, offset& b_at, Results& to, offset& emitted) const {
    const base::value_type<A> a_key = a[a_at];
    const base::value_type<B> b_key = b[b_at];
    const order o = order_of(a_key, b_key);
    if constexpr (Operation::emits_b) to.keys[emitted].put(tile::choose_bits(o.b_first, a_key, b_key));
    else to.keys[emitted].put(a_key);
    if constexpr (has_values) {
      const base::value_type<ValuesA> a_value = a_values[a_at];
      if constexpr (Operation::emits_b) {
        const base::value_type<ValuesB> b_value = b_values[b_at];
        to.values[emitted].put(tile::choose_bits(o.b_first, a_value, b_value));
      } else {
        to.values[emitted].put(a_value);
      }
    }
    a_at += 1 + o.b_first;
    b_at += 1 + o.a_first;
    constexpr offset pair = Operation::emits_pairs, a_alone = Operation::emits_a, b_alone = Operation::emits_b;
    emitted += pair + (pair - a_alone) * o.a_first + (pair - b_alone) * o.b_first;
  }

  /// Takes steps until one side of a lane is used up.
  template <class Results>
  void finish(range& r, Results& to, offset& emitted) const {
    offset a_at = r.a_begin, b_at = r.b_begin, end = emitted;
    while (a_at < r.a_end && b_at < r.b_end) {
      for (offset steps = base::min(r.a_end - a_at, r.b_end - b_at); steps > 0; --steps) step(a_at, b_at, to, end);
    }
    r.a_begin = a_at;
    r.b_begin = b_at;
    emitted = end;
  }

  /// Writes what a lane has emitted to its place, and emits the rest of it. Returns the end.
  template <class Results>
  offset place(const Results& from, offset emitted, set_lane rest) const {
    const offset count = base::min(emitted, rest.out_end - rest.out);
    const auto* const keys = std::addressof(from.keys[0].value);
    std::copy(keys, keys + count, out + rest.out);
    if constexpr (has_values) {
      const auto* const values = std::addressof(from.values[0].value);
      std::copy(values, values + count, values_out + rest.out);
    }
    rest.out += count;
    return run(rest);
  }

  /// Takes so many times a pair or an unpaired element and returns the number of pairs. Requires as many elements on both sides.
  offset count_steps(range& r, offset steps) const {
    const offset unpaired_end = r.out_begin() + steps;
    A next_a = a + r.a_begin;
    B next_b = b + r.b_begin;
    for (; steps > 0; --steps) {
      if (compare(*next_a, *next_b)) {
        ++next_a;
        MGPU_HIDE_VALUE(steps);  // a branch must remain
      } else if (compare(*next_b, *next_a)) {
        ++next_b;
        MGPU_HIDE_VALUE(steps);
      } else {
        ++next_a;
        ++next_b;
      }
    }
    r.a_begin = static_cast<offset>(next_a - a);
    r.b_begin = static_cast<offset>(next_b - b);
    return r.out_begin() - unpaired_end;
  }

  /// count_steps that emits. Requires room for as many elements, too.
  void emit_steps(set_lane& l, offset steps) const {
    A next_a = a + l.rest.a_begin;
    B next_b = b + l.rest.b_begin;
    Out to = out + l.out;
    [[maybe_unused]] ValuesA a_value = a_values + l.rest.a_begin;
    [[maybe_unused]] ValuesB b_value = b_values + l.rest.b_begin;
    [[maybe_unused]] ValuesOut value_to = values_out + l.out;
    const auto emit = [&](const auto& key, [[maybe_unused]] const auto& value) {
      *to = *key;
      ++to;
      if constexpr (has_values) {
        *value_to = *value;
        ++value_to;
      }
    };
    for (; steps > 0; --steps) {
      if (compare(*next_a, *next_b)) {
        if constexpr (Operation::emits_a) emit(next_a, a_value);
        else MGPU_HIDE_VALUE(steps);  // a branch must remain
        ++next_a;
        if constexpr (has_values) ++a_value;
      } else if (compare(*next_b, *next_a)) {
        if constexpr (Operation::emits_b) emit(next_b, b_value);
        else MGPU_HIDE_VALUE(steps);
        ++next_b;
        if constexpr (has_values && Operation::emits_b) ++b_value;
      } else {
        if constexpr (Operation::emits_pairs) emit(next_a, a_value);
        else MGPU_HIDE_VALUE(steps);
        ++next_a;
        ++next_b;
        if constexpr (has_values) ++a_value;
        if constexpr (has_values && Operation::emits_b) ++b_value;
      }
    }
    l.rest.a_begin = static_cast<offset>(next_a - a);
    l.rest.b_begin = static_cast<offset>(next_b - b);
    l.out = static_cast<offset>(to - out);
  }

  /// Takes elements of one input that are in no pair.
  void take_a(set_lane& l, offset count) const {
    if constexpr (Operation::emits_a) copy(a, a_values, l.rest.a_begin, count, l);
    l.rest.a_begin += count;
  }
  void take_b(set_lane& l, offset count) const {
    if constexpr (Operation::emits_b) copy(b, b_values, l.rest.b_begin, count, l);
    l.rest.b_begin += count;
  }

  template <class Keys, class Values>
  void copy(const Keys& keys, const Values& values, offset begin, offset count, set_lane& l) const {
    const offset copied = base::min(count, l.out_end - l.out);
    std::copy(keys + begin, keys + (begin + copied), out + l.out);
    if constexpr (has_values) std::copy(values + begin, values + (begin + copied), values_out + l.out);
    l.out += copied;
  }
};

}  // namespace tile
MGPU_NAMESPACE_END
