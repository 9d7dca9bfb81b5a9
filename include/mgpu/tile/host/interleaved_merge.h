// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/tile/branch_free.h>
#include <mgpu/tile/divide.h>
#include <mgpu/tile/host/copy_range.h>
#include <mgpu/tile/host/prefetch.h>
#include <mgpu/tile/host/step_history.h>
#include <mgpu/tile/host/streamed_stage.h>
#include <mgpu/tile/range.h>

#include <cuda/std/type_traits>

#include <cstddef>
#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// A merge by one CPU thread: its inputs and outputs. A range of the inputs goes to the same place of the outputs: its
/// elements start at out_begin(). Without values they are base::no_values.
template <class A, class B, class ValuesA, class ValuesB, class Out, class ValuesOut, class Compare>
struct host_merge {
  A a;
  B b;
  ValuesA a_values;
  ValuesB b_values;
  Out out;
  ValuesOut values_out;
  const Compare& compare;
  offset output_bytes = 0;  // of the whole output, if they are known: see copy_range

  static constexpr bool has_values = base::has_values<ValuesA>;

  /// Merges all of t by branches, which the CPU predicts.
  void run(range t) const {
    run_by_branches(t, t.a_end + t.b_end);
    take_a(t, t.a_end - t.a_begin);
    take_b(t, t.b_end - t.b_begin);
  }

  /// run() by steps without branches, for short ranges.
  void run_branch_free(range t) const {
    for (;;) {
      const offset steps = t.free_steps();
      if (steps == 0) break;
      const offset to = t.out_begin();
      for (offset i = 0; i < steps; ++i) step(to + i, t.a_begin);
      t.b_begin = to + steps - t.a_begin;
    }
    run(t);
  }

  /// run_branch_free() from both ends at once: two steps that do not wait for each other.
  /// Requires: both inputs are as long, or one has one element more.
  void run_from_both_ends(range t) const {
    const offset begin = t.out_begin(), count = t.a_end + t.b_end - begin;
    offset a_at = t.a_begin, a_left = t.a_end;
    for (offset i = 0; i < count / 2; ++i) {
      step(begin + i, a_at);
      step_back(begin + count - i, a_left);
    }
    if (count % 2 == 1) {
      t.a_begin = a_at;
      t.b_begin = begin + count / 2 - a_at;
      step_if_left(t);
    }
  }

  /// Merges all of t in `Lanes` parts that take turns. A single merge waits for itself: each comparison needs the
  /// outcome of the one before it.
  ///   2 x 2^24 u32, 2 cores (Sapphire Rapids), ms: std::merge 117, 1 lane 66, 2 lanes 35, 3 lanes 25, 4 lanes 22,
  ///   6 lanes 24 (2026-11-20)
  template <std::size_t... Lanes>
  void run_interleaved(range t, std::index_sequence<Lanes...> all) const {
    range lane[sizeof...(Lanes)];
    tile::divide(t, a, b, compare, lane);
    take_turns(lane, all);
  }

  /// Merges all of t: by copies if one input ends before the other begins, by predictable branches, then in parts.
  template <std::size_t... Lanes>
  void run_adaptively(range t, std::index_sequence<Lanes...> all) const {
    if (t.a_begin < t.a_end && t.b_begin < t.b_end) {
      if (is_a_first(t, t.a_end - t.a_begin)) take_a(t, t.a_end - t.a_begin);
      else if (is_b_first(t, t.b_end - t.b_begin)) take_b(t, t.b_end - t.b_begin);
    }
    while (t.a_begin < t.a_end && t.b_begin < t.b_end) {
      if (!is_predictable(surprises(t))) return run_interleaved(t, all);
      run_predictable(t);
    }
    run(t);
  }

 private:
  /// True if the next elements, so many of one input, go before the next one of the other input.
  bool is_a_first(const range& t, offset count) const { return !compare(b[t.b_begin], a[t.a_begin + count - 1]); }
  bool is_b_first(const range& t, offset count) const { return compare(b[t.b_begin + count - 1], a[t.a_begin]); }

  static constexpr bool can_stage =
      is_staged_output<A, B, Out> && (!has_values || is_byte_output<ValuesA, ValuesB, ValuesOut>);

  /// Merges the next elements of t, which the CPU is expected to predict.
  void run_predictable(range& t) const {
    const offset a_left = t.a_end - t.a_begin, b_left = t.b_end - t.b_begin;
    const bool is_even = a_left < staged_ratio * b_left && b_left < staged_ratio * a_left;
    const bool is_staged =
        can_stage && output_bytes >= staged_output_bytes &&
        !(is_even && tile::begins_with_stretch(a + t.a_begin, a_left, b + t.b_begin, b_left, compare));
    return is_staged ? run_staged(t) : run_by_branches(t, steps_per_sample);
  }

  /// run_predictable, whose results wait in stages.
  MGPU_LOOP void run_staged(range& t) const {
    if constexpr (can_stage) {
      streamed_stage<Out, stage_room<A>> keys(out + t.out_begin());
      streamed_stage<ValuesOut, stage_room<A>> values(values_out + t.out_begin());
      steps_to_look steps;
      const offset end = t.out_begin() + 2 * steps_per_sample;
      while (t.a_begin < t.a_end && t.b_begin < t.b_end && t.out_begin() < end) {
        const host_merge part{a + t.a_begin, b + t.b_begin, a_values + t.a_begin, b_values + t.b_begin, keys.next(),
                              values.next(), compare};
        range r{0, t.a_end - t.a_begin, 0, t.b_end - t.b_begin};
        part.run_by_branches(r, steps_per_stage<A>, steps);
        keys.take(r.out_begin());
        values.take(r.out_begin());
        t.a_begin += r.a_begin;
        t.b_begin += r.b_begin;
      }
      keys.end();
      values.end();
    }
  }

  /// Takes the next elements of one input.
  void take_a(range& t, offset count) const {
    copy(a, a_values, t.a_begin, t.a_begin + count, t.out_begin());
    t.a_begin += count;
  }
  void take_b(range& t, offset count) const {
    copy(b, b_values, t.b_begin, t.b_begin + count, t.out_begin());
    t.b_begin += count;
  }

  /// Merges t by branches until one side is used up or `steps_left` steps are taken. If the next elements of one input
  /// fill a stretch, one comparison takes them all. A step writes at most two elements, the last one a stretch.
  void run_by_branches(range& t, offset most) const {
    steps_to_look steps;
    run_by_branches(t, most, steps);
  }
  void run_by_branches(range& t, offset steps_left, steps_to_look& steps) const {
    constexpr offset a_stretch = copied_stretch_items<A>, b_stretch = copied_stretch_items<B>;
    while (steps_left > 0 && t.a_begin < t.a_end && t.b_begin < t.b_end) {
      const offset a_left = t.a_end - t.a_begin, b_left = t.b_end - t.b_begin;
      if (steps.left == 0) {
        if (a_left >= a_stretch && is_a_first(t, a_stretch)) {
          take_a(t, a_stretch);
          steps.found();
          steps_left -= (a_stretch + 1) / 2;
          continue;
        }
        if (b_left >= b_stretch && is_b_first(t, b_stretch)) {
          take_b(t, b_stretch);
          steps.found();
          steps_left -= (b_stretch + 1) / 2;
          continue;
        }
        steps.found_none();
      }
      if (a_left == 1) {
        steps_left -= end_by_branches(t, steps_left);
        steps.left = 0;
      } else {
        const offset most = base::min(base::min(a_left - 1, b_left), base::min(steps.left, steps_left));
        step_by_branches(t, most);
        steps_left -= most;
        steps.left = a_left - most == 1 ? 0 : steps.left - most;
      }
    }
  }

  /// Writes the element that belongs to out[to], without a branch that the CPU could mispredict. `a_at` elements of a
  /// are before it.
  /// Requires: both sides have elements left.
  MGPU_FORCE_INLINE void step(offset to, offset& a_at) const {
    const offset b_at = to - a_at;
    const base::value_type<A> a_key = a[a_at];
    const base::value_type<B> b_key = b[b_at];
    const offset takes_b = tile::as_mask(static_cast<bool>(compare(b_key, a_key)));
    if constexpr (has_values) {
      const base::value_type<ValuesA> a_value = a_values[a_at];
      const base::value_type<ValuesB> b_value = b_values[b_at];
      values_out[to] = tile::choose_bits(takes_b, a_value, b_value);
    }
    a_at += 1 + takes_b;
    out[to] = tile::choose_bits(takes_b, a_key, b_key);
  }

  /// Writes the element that belongs to out[end - 1], like step(). The first `a_left` elements of a are left, and
  /// `end` - `a_left` of b, at least one of each.
  MGPU_FORCE_INLINE void step_back(offset end, offset& a_left) const {
    const offset b_left = end - a_left;
    const base::value_type<A> a_key = a[a_left - 1];
    const base::value_type<B> b_key = b[b_left - 1];
    const offset takes_b = tile::as_mask(!static_cast<bool>(compare(b_key, a_key)));
    if constexpr (has_values) {
      const base::value_type<ValuesA> a_value = a_values[a_left - 1];
      const base::value_type<ValuesB> b_value = b_values[b_left - 1];
      values_out[end - 1] = tile::choose_bits(takes_b, a_value, b_value);
    }
    a_left -= 1 + takes_b;
    out[end - 1] = tile::choose_bits(takes_b, a_key, b_key);
  }

  /// Writes the next element of t, one of whose sides may be used up.
  void step_if_left(range t) const {
    const bool takes_a = t.b_begin >= t.b_end || (t.a_begin < t.a_end && !compare(b[t.b_begin], a[t.a_begin]));
    if (takes_a) take_a(t, 1);
    else take_b(t, 1);
  }

  /// The surprises in the first steps of t: see step_history.
  int surprises(range t) const {
    step_history history;
    for (int i = 0; i < step_history::max_steps && t.a_begin < t.a_end && t.b_begin < t.b_end; ++i) {
      const offset takes_b = tile::as_mask(static_cast<bool>(compare(b[t.b_begin], a[t.a_begin])));
      history.note(static_cast<unsigned>(-takes_b));
      t.a_begin += 1 + takes_b;
      t.b_begin -= takes_b;
    }
    return history.surprises();
  }

  template <std::size_t... Lanes>
  MGPU_LOOP void take_turns(range (&lane)[sizeof...(Lanes)], std::index_sequence<Lanes...>) const {
    for (;;) {
      offset steps = lane[0].free_steps();
      ((steps = base::min(steps, lane[Lanes].free_steps())), ...);
      if (steps < 8) break;
      offset to[] = {lane[Lanes].out_begin() + steps...};
      offset a_at[] = {lane[Lanes].a_begin...};
      for (offset i = -steps; i < 0; ++i) (step(to[Lanes] + i, a_at[Lanes]), ...);
      ((lane[Lanes].a_begin = a_at[Lanes], lane[Lanes].b_begin = to[Lanes] - a_at[Lanes]), ...);
    }
    (run_branch_free(lane[Lanes]), ...);
  }

  /// Copies the rest of one input after the other is used up.
  template <class Keys, class Values>
  void copy(const Keys& keys, const Values& values, offset begin, offset end, offset to) const {
    tile::copy_range(keys + begin, end - begin, out + to, output_bytes);
    if constexpr (has_values) tile::copy_range(values + begin, end - begin, values_out + to, output_bytes);
  }

  /// Takes `steps` steps. A step takes one element; if that is of a and the next one is of b, it takes that one too.
  /// Requires: b has `steps` elements left, and a one more.
  MGPU_LOOP void step_by_branches(range& t, offset steps) const {
    cursors c(*this, t);
    for (; steps > 0; --steps) {
      if constexpr (!can_stage) {
        tile::prefetch_ahead(c.to);
        tile::prefetch_ahead(c.value_to);
      }
      if (compare(*c.b, *c.a)) {
        c.emit_b();
        MGPU_HIDE_VALUE(steps);  // a branch must remain
      } else {
        c.emit_a();
        MGPU_HIDE_VALUE(steps);
        if (compare(*c.b, *c.a)) {
          c.emit_b();
          MGPU_HIDE_VALUE(steps);
        }
      }
    }
    c.leave(*this, t);
  }

  /// Writes the last element of a and the elements of b before it, but at most `most` of these. Returns their number.
  MGPU_LOOP offset end_by_branches(range& t, offset most) const {
    cursors c(*this, t);
    const offset b_left = t.b_end - t.b_begin;
    offset taken = 0;
    while (taken < b_left && taken < most && compare(*c.b, *c.a)) {
      c.emit_b();
      ++taken;
    }
    if (taken == b_left || taken < most) c.emit_a();
    c.leave(*this, t);
    return taken;
  }

  /// The next elements of a range, and where they go.
  struct cursors {
    A a;
    B b;
    Out to;
    ValuesA a_value;
    ValuesB b_value;
    ValuesOut value_to;

    cursors(const host_merge& m, const range& t)
        : a(m.a + t.a_begin),
          b(m.b + t.b_begin),
          to(m.out + t.out_begin()),
          a_value(m.a_values + t.a_begin),
          b_value(m.b_values + t.b_begin),
          value_to(m.values_out + t.out_begin()) {}
    void leave(const host_merge& m, range& t) const {
      t.a_begin = static_cast<offset>(a - m.a);
      t.b_begin = static_cast<offset>(b - m.b);
    }
    MGPU_FORCE_INLINE void emit_a() { emit(a, a_value); }
    MGPU_FORCE_INLINE void emit_b() { emit(b, b_value); }

    template <class Key, class Value>
    MGPU_FORCE_INLINE void emit(Key& key, Value& value) {
      *to = *key;
      ++to;
      ++key;
      if constexpr (has_values) {
        *value_to = *value;
        ++value_to;
        ++value;
      }
    }
  };
};

/// True if a choice between an element of A and one of B can be a choice between registers.
template <class A, class B>
inline constexpr bool is_register_choice =
    sizeof(base::value_type<A>) <= 16 &&
    cuda::std::conjunction_v<cuda::std::is_same<base::value_type<A>, base::value_type<B>>,
                             cuda::std::bool_constant<base::can_be_kept<base::value_type<A>>>>;

}  // namespace detail::tile
MGPU_NAMESPACE_END
