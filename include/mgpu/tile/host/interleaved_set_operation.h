// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/slot.h>
#include <mgpu/tile/branch_free.h>
#include <mgpu/tile/host/branching_set_operation.h>
#include <mgpu/tile/host/interleaved_merge.h>
#include <mgpu/tile/host/prefetch.h>
#include <mgpu/tile/range.h>
#include <mgpu/tile/set_step.h>

#include MGPU_STD_COPY_HEADER

#include <cstddef>
#include <memory>
#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// A multiset operation by one CPU thread: by branches, or by parts that take turns without branches.
template <class Operation, class A, class B, class ValuesA, class ValuesB, class Out, class ValuesOut, class Compare>
struct host_set_operation : branching_set_operation<Operation, A, B, ValuesA, ValuesB, Out, ValuesOut, Compare> {
  using branching = branching_set_operation<Operation, A, B, ValuesA, ValuesB, Out, ValuesOut, Compare>;
  using branching::a;
  using branching::a_values;
  using branching::b;
  using branching::b_values;
  using branching::has_values;
  using branching::out;
  using branching::values_out;

  /// count_pairs of several ranges that take turns, as in host_merge::run_interleaved.
  template <std::size_t... Lanes>
  void count_pairs_interleaved(range (&r)[sizeof...(Lanes)], offset* pairs, std::index_sequence<Lanes...>) const {
    for (;;) {
      offset steps = r[0].free_steps();
      ((steps = base::min(steps, r[Lanes].free_steps())), ...);
      if (steps <= 0) break;
      ((pairs[Lanes] -= r[Lanes].out_begin() + steps), ...);
      for (offset i = 0; i < steps; ++i) (this->advance(r[Lanes]), ...);
      ((pairs[Lanes] += r[Lanes].out_begin()), ...);
    }
    ((pairs[Lanes] += this->count_pairs(r[Lanes])), ...);
  }

  /// What a range that takes turns emits. It is kept until its place in the output is known.
  template <int Items>
  struct lane_results {
    base::slot<base::value_type<A>> keys[Items];
    base::slot<base::value_type<ValuesA>> values[has_values ? Items : 1];
  };

  /// run of several ranges that follow each other and take turns, from out_begin to at most out_end. Their results wait
  /// in scratch memory, so that a step may write an element before it knows whether that element is emitted. Returns
  /// the end of the output.
  /// Requires: no range has more than Items elements.
  /// Compiled by itself, because inlined it may lose registers: 2 x 2^22 u32 random, one thread, ms, symmetric
  /// difference 16.4, like this 14.4; union 12.0 to 13.7, like this 12.0 (2026-11-22).
  template <int Items, std::size_t... Lanes>
  MGPU_LOOP offset run_interleaved(range (&r)[sizeof...(Lanes)], lane_results<Items>* results, offset out_begin,
                                   offset out_end, std::index_sequence<Lanes...>) const {
    offset a_at[] = {r[Lanes].a_begin...}, b_at[] = {r[Lanes].b_begin...}, emitted[sizeof...(Lanes)] = {};
    offset prefetched = out_begin;
    for (;;) {
      offset steps = r[0].free_steps();
      ((steps = base::min(steps, r[Lanes].free_steps())), ...);
      if (steps <= 0) break;
      while (steps > 0) {
        tile::prefetch(out, prefetched, 4 * prefetch_steps);
        tile::prefetch(values_out, prefetched, 4 * prefetch_steps);
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
  static constexpr offset prefetch_steps = 16;

  /// advance that also emits. The next element that is emitted overwrites one that is not.
  /// Requires: room for one element.
  template <class Results>
  MGPU_FORCE_INLINE void step(offset& a_at, offset& b_at, Results& to, offset& emitted) const {
    const base::value_type<A> a_key = a[a_at];
    const base::value_type<B> b_key = b[b_at];
    const auto o = this->order_of(a_key, b_key);
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

  /// Writes what a lane has emitted to its place, then emits the rest of the lane. Returns the end of the output.
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
    return this->run(rest);
  }
};

}  // namespace detail::tile
MGPU_NAMESPACE_END
