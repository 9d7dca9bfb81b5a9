// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/tile/interleaved_merge.h>
#include <mgpu/tile/range.h>
#include <mgpu/tile/serial_set_operation.h>

#include <cstddef>
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

  /// The number of pairs in a range of whole pairs.
  offset count_pairs(range r) const {
    offset pairs = 0;
    while (r.a_begin < r.a_end && r.b_begin < r.b_end) count_step(r, pairs);
    return pairs;
  }

  /// count_pairs of several ranges that take turns, as in host_merge::run_interleaved.
  template <std::size_t... Lanes>
  void count_pairs_interleaved(range (&r)[sizeof...(Lanes)], offset* pairs, std::index_sequence<Lanes...>) const {
    const auto free_steps = [](const range& x) { return base::min(x.a_end - x.a_begin, x.b_end - x.b_begin); };
    for (;;) {
      offset steps = free_steps(r[0]);
      ((steps = base::min(steps, free_steps(r[Lanes]))), ...);
      if (steps == 0) break;
      for (; steps > 0; --steps) (count_step(r[Lanes], pairs[Lanes]), ...);
    }
    ((pairs[Lanes] += count_pairs(r[Lanes])), ...);
  }

  /// Emits what the operation emits of one lane. On inputs that are not sorted, no more than there is room for.
  void run(set_lane l) const {
    range& r = l.rest;
    while (r.a_begin < r.a_end && r.b_begin < r.b_end && l.out < l.out_end) {
      if (compare(a[r.a_begin], b[r.b_begin])) {
        if constexpr (Operation::emits_a) emit(a, a_values, r.a_begin, l);
        ++r.a_begin;
      } else if (compare(b[r.b_begin], a[r.a_begin])) {
        if constexpr (Operation::emits_b) emit(b, b_values, r.b_begin, l);
        ++r.b_begin;
      } else {
        if constexpr (Operation::emits_pairs) emit(a, a_values, r.a_begin, l);
        ++r.a_begin;
        ++r.b_begin;
      }
    }
    if constexpr (Operation::emits_a) {
      for (; r.a_begin < r.a_end; ++r.a_begin) emit(a, a_values, r.a_begin, l);
    }
    if constexpr (Operation::emits_b) {
      for (; r.b_begin < r.b_end; ++r.b_begin) emit(b, b_values, r.b_begin, l);
    }
  }

  /// run of several lanes that take turns.
  template <std::size_t... Lanes>
  void run_interleaved(set_lane (&l)[sizeof...(Lanes)], std::index_sequence<Lanes...>) const {
    const auto free_steps = [](const set_lane& x) {
      return base::min(base::min(x.rest.a_end - x.rest.a_begin, x.rest.b_end - x.rest.b_begin), x.out_end - x.out);
    };
    for (;;) {
      offset steps = free_steps(l[0]);
      ((steps = base::min(steps, free_steps(l[Lanes]))), ...);
      if (steps == 0) break;
      for (; steps > 0; --steps) (step(l[Lanes]), ...);
    }
    (run(l[Lanes]), ...);
  }

 private:
  /// Takes a pair or an unpaired element, without a branch that the CPU could guess wrong.
  MGPU_FORCE_INLINE void count_step(range& r, offset& pairs) const {
    const bool a_first = static_cast<bool>(compare(a[r.a_begin], b[r.b_begin]));
    // A comparator that says yes to both must not stop us.
    const bool b_first = static_cast<bool>(compare(b[r.b_begin], a[r.a_begin])) & !a_first;
    r.a_begin += !b_first;
    r.b_begin += !a_first;
    pairs += !a_first & !b_first;
  }

  /// count_step that emits. An element that is not emitted is overwritten by the next one that is: requires room for one.
  MGPU_FORCE_INLINE void step(set_lane& l) const {
    const base::value_type<A> a_key = a[l.rest.a_begin];
    const base::value_type<B> b_key = b[l.rest.b_begin];
    const bool a_first = static_cast<bool>(compare(a_key, b_key));
    // In this order: g++ 12 miscompiles `!a_first & compare(...)`.
    const bool b_first = static_cast<bool>(compare(b_key, a_key)) & !a_first;
    const offset to = l.out;
    if constexpr (has_values) {
      const base::value_type<ValuesA> a_value = a_values[l.rest.a_begin];
      if constexpr (Operation::emits_b) {
        const base::value_type<ValuesB> b_value = b_values[l.rest.b_begin];
        values_out[to] = b_first ? b_value : a_value;
      } else {
        values_out[to] = a_value;
      }
    }
    l.rest.a_begin += 1 - b_first;
    l.rest.b_begin += 1 - a_first;
    l.out += (Operation::emits_pairs & !a_first & !b_first) | (Operation::emits_a & a_first) |
             (Operation::emits_b & b_first);
    // The key last: g++ else splits the step into paths and branches, as it does with host_merge's.
    if constexpr (Operation::emits_b) out[to] = b_first ? b_key : a_key;
    else out[to] = a_key;
  }

  template <class Keys, class Values>
  void emit(const Keys& keys, const Values& values, offset i, set_lane& l) const {
    if (l.out == l.out_end) return;
    out[l.out] = keys[i];
    if constexpr (has_values) values_out[l.out] = values[i];
    ++l.out;
  }
};

}  // namespace tile
MGPU_NAMESPACE_END
