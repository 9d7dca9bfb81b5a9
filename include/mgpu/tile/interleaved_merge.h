// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/tile/merge_path.h>
#include <mgpu/tile/range.h>

#include <cuda/std/type_traits>

#include <algorithm>
#include <cstddef>
#include <utility>

MGPU_NAMESPACE_BEGIN
namespace tile {

/// The inputs and outputs of a serial merge on the CPU. A range of the inputs goes to the same place of the outputs: its
/// elements of a and b start at out_begin(). Values are base::no_values where keys alone are merged.
template <class A, class B, class ValuesA, class ValuesB, class Out, class ValuesOut, class Compare>
struct host_merge {
  A a;
  B b;
  ValuesA a_values;
  ValuesB b_values;
  Out out;
  ValuesOut values_out;
  const Compare& compare;

  static constexpr bool has_values = base::has_values<ValuesA>;

  /// Emits one element of t, without a branch that the CPU could guess wrong. Requires elements left on both sides.
  MGPU_FORCE_INLINE void step(range& t) const {
    const base::value_type<A> a_key = a[t.a_begin];
    const base::value_type<B> b_key = b[t.b_begin];
    const bool from_b = compare(b_key, a_key);
    const offset to = t.out_begin();
    if constexpr (has_values) {
      const base::value_type<ValuesA> a_value = a_values[t.a_begin];
      const base::value_type<ValuesB> b_value = b_values[t.b_begin];
      values_out[to] = from_b ? b_value : a_value;
    }
    t.a_begin += 1 - from_b;
    t.b_begin += from_b;
    // The key last: g++ -O3 else splits the step into two paths and a branch (by key, 2 cores: 54 ms, so 32).
    out[to] = from_b ? b_key : a_key;
  }

  /// Merges all of t.
  void run(range t) const {
    while (t.a_begin < t.a_end && t.b_begin < t.b_end) {
      if (compare(b[t.b_begin], a[t.a_begin])) take_b(t);
      else take_a(t);
    }
    copy(a, a_values, t.a_begin, t.a_end, t.out_begin());
    copy(b, b_values, t.b_begin, t.b_end, t.out_begin() + (t.a_end - t.a_begin));
  }

  /// run() by steps, for short ranges.
  void run_branch_free(range t) const {
    for (;;) {
      offset steps = base::min(t.a_end - t.a_begin, t.b_end - t.b_begin);
      if (steps == 0) break;
      for (; steps > 0; --steps) step(t);
    }
    run(t);
  }

  /// Merges all of t in `Lanes` parts that take turns. A single merge waits for itself at every step: the next comparison
  /// needs the last one's outcome.
  ///   2 x 2^24 u32, 2 cores (Sapphire Rapids), ms: std::merge 117, 1 lane 66, 2 lanes 35, 3 lanes 25, 4 lanes 22,
  ///   6 lanes 24 (2026-11-20)
  template <std::size_t... Lanes>
  void run_interleaved(range t, std::index_sequence<Lanes...>) const {
    constexpr int lanes = sizeof...(Lanes);
    range lane[lanes];
    const offset begin = t.out_begin(), count = (t.a_end - t.a_begin) + (t.b_end - t.b_begin);
    offset split = t.a_begin;
    for (int k = 0; k < lanes; ++k) {
      const offset first = begin + count * k / lanes, last = begin + count * (k + 1) / lanes;
      const merge_path path{a + t.a_begin, b + t.b_begin, t.a_end - t.a_begin, t.b_end - t.b_begin, last - begin, compare};
      lane[k] = range::between(first, last, split, t.a_begin + path.split());
      split = lane[k].a_end;
    }
    const auto free_steps = [](const range& r) { return base::min(r.a_end - r.a_begin, r.b_end - r.b_begin); };
    for (;;) {
      offset steps = free_steps(lane[0]);
      ((steps = base::min(steps, free_steps(lane[Lanes]))), ...);
      if (steps < 8) break;
      for (; steps > 0; --steps) (step(lane[Lanes]), ...);
    }
    (run(lane[Lanes]), ...);
  }

 private:
  /// The rest of one input once the other is used up.
  template <class Keys, class Values>
  void copy(const Keys& keys, const Values& values, offset begin, offset end, offset to) const {
    std::copy(keys + begin, keys + end, out + to);
    if constexpr (has_values) std::copy(values + begin, values + end, values_out + to);
  }

  void take_a(range& t) const {
    out[t.out_begin()] = a[t.a_begin];
    if constexpr (has_values) values_out[t.out_begin()] = a_values[t.a_begin];
    ++t.a_begin;
  }
  void take_b(range& t) const {
    out[t.out_begin()] = b[t.b_begin];
    if constexpr (has_values) values_out[t.out_begin()] = b_values[t.b_begin];
    ++t.b_begin;
  }
};

/// True where a choice between an element of A and one of B is a choice of registers.
template <class A, class B>
inline constexpr bool is_register_choice =
    cuda::std::is_same_v<base::value_type<A>, base::value_type<B>> &&
    cuda::std::is_trivially_copyable_v<base::value_type<A>> && sizeof(base::value_type<A>) <= 16;

}  // namespace tile
MGPU_NAMESPACE_END
