// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/tile/read_ahead.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// What is left of a tile's two inputs.
template <class A, class B>
struct merge_inputs {
  A a, a_end;
  B b, b_end;
};

/// What moves along with the two inputs: positions, or iterators over values. `nothing` if keys alone are merged.
template <class A, class B>
struct companions {
  A a;
  B b;
};

struct nothing {
  MGPU_HOST_DEVICE void operator++() {}
};

/// The element chosen from one of two sides. `nothing` if the sides differ in type; the caller then goes by position.
template <class B, class A>
MGPU_HOST_DEVICE MGPU_FORCE_INLINE auto choose(bool from_b, const B& b, const A& a) {
  if constexpr (cuda::std::is_same_v<A, B>) return from_b ? b : a;
  else return nothing{};
}

/// choose for elements that may not exist. `nothing` also if copies of them run code.
template <class B, class A>
MGPU_HOST_DEVICE MGPU_FORCE_INLINE auto choose_ahead(bool from_b, const B& b, const A& a) {
  if constexpr (copies_bytes<A> && copies_bytes<B>) return tile::choose(from_b, b, a);
  else return nothing{};
}

/// Merges the first `Items` elements of what is left of the inputs, or all if fewer are left. Unrolled, so that `emit`
/// can fill registers. Calls emit(i, key, companion) for every i in [0, Items). Past the last element the arguments
/// have no meaning. The key is `nothing` if copies of keys run code.
/// Stable. `compare` is called for elements of the inputs only, whatever it answers.
/// Requires: `Items` elements after the end of each input can be read. They are not compared. A tile in shared memory
///   has that room.
MGPU_EXEC_CHECK_DISABLE
template <int Items, class A, class B, class MoveA, class MoveB, class Compare, class Emit>
MGPU_HOST_DEVICE MGPU_FORCE_INLINE void register_merge(merge_inputs<A, B> in, companions<MoveA, MoveB> with,
                                                       const Compare& compare, const Emit& emit) {
  using key_a = cuda::std::remove_cv_t<cuda::std::remove_reference_t<decltype(*in.a)>>;
  using key_b = cuda::std::remove_cv_t<cuda::std::remove_reference_t<decltype(*in.b)>>;
  read_ahead<key_a> a_key(in.a, in.a_end);
  read_ahead<key_b> b_key(in.b, in.b_end);
  const auto step = [&](int i, bool from_b) {
    emit(i, tile::choose_ahead(from_b, b_key.value, a_key.value), tile::choose(from_b, with.b, with.a));
    if (from_b) {
      ++with.b;
      ++in.b;
      b_key.read(in.b, in.b_end);
    } else {
      ++with.a;
      ++in.a;
      a_key.read(in.a, in.a_end);
    }
  };
  // Where the ends are subtracted, nvcc 13 forgets that the inputs are in shared memory, and makes generic loads. For
  // comparators of one instruction that is no slower. 2^28 u32 H200, us, subtracted / compared: rows compared by
  // reading a table 1,011 / 952, but transform iterators 650 / 680, arrays 547.4 / 549.0 (2026-11-22).
  const bool has_all = base::is_natural_order<Compare> ? in.a_end - in.a >= Items && in.b_end - in.b >= Items
                                                       : in.a + Items <= in.a_end && in.b + Items <= in.b_end;
  if (has_all) {
    // Neither side can run out before its last comparison, so ranges are not checked.
    MGPU_UNROLL
    for (int i = 0; i < Items; ++i) step(i, compare(b_key.value, a_key.value));
  } else {
    MGPU_UNROLL
    for (int i = 0; i < Items; ++i) {
      step(i, in.b < in.b_end && (in.a >= in.a_end || compare(b_key.value, a_key.value)));
    }
  }
}

}  // namespace detail::tile
MGPU_NAMESPACE_END
