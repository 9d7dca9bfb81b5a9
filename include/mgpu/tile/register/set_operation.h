// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/tile/range.h>
#include <mgpu/tile/read_ahead.h>
#include <mgpu/tile/register/merge.h>
#include <mgpu/tile/set_step.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// Takes the first `Items` elements of what a cursor leaves of a and b, along the balanced path. Unrolled, so that
/// `visit` can fill registers. Calls visit(i, step, key, index) for every i in [0, Items); index is the element's index
/// in its input. Past the last element the arguments have no meaning. The key is `nothing` if copies of keys run code.
/// `starred` says that the first element left of b closes a pair. `compare` is called for one element of a and one of
/// b.
/// Requires: `Items` elements after the end of each input can be read. They are not compared. A tile in shared memory
///   has that room.
MGPU_EXEC_CHECK_DISABLE
template <int Items, class A, class B, class Compare, class Visit>
MGPU_HOST_DEVICE MGPU_FORCE_INLINE void register_set_operation(const A* a, const B* b, cursor c, bool starred,
                                                               const Compare& compare, const Visit& visit) {
  read_ahead<A> a_key(a + c.a, a + c.a_end);
  read_ahead<B> b_key(b + c.b, b + c.b_end);
  // Byte positions. If both inputs hold one type, the positions of the two next elements have a known sum, so only one
  // of them is kept.
  const char* const memory = reinterpret_cast<const char*>(a);
  int a_at = c.a * int{sizeof(A)};
  const int both_at = a_at + static_cast<int>(reinterpret_cast<const char*>(b) - memory) + c.b * int{sizeof(B)};
  const auto take = [&](int i, const set_step& s) {
    visit(i, s, tile::choose_ahead(s.takes_b, b_key.value, a_key.value), s.takes_b ? c.b : c.a);
    starred = s.opens_pair;
    c.a += !s.takes_b;
    c.b += s.takes_b;
    if constexpr (cuda::std::is_same_v<A, B> && copies_bytes<A>) {
      // One load for both inputs: shared memory is as busy as the arithmetic.
      if (!s.takes_b) a_at += int{sizeof(A)};
      const int b_at = both_at + (i + 1) * int{sizeof(A)} - a_at;
      const A next = *reinterpret_cast<const A*>(memory + (s.takes_b ? b_at : a_at));
      a_key.set_if(!s.takes_b, next);
      b_key.set_if(s.takes_b, next);
    } else {
      if (s.takes_b) b_key.read(b + c.b, b + c.b_end);
      else a_key.read(a + c.a, a + c.a_end);
    }
  };
  if (c.a_end - c.a >= Items && c.b_end - c.b >= Items) {
    // Neither side can run out before its last comparison, so ranges are not checked.
    MGPU_UNROLL
    for (int i = 0; i < Items; ++i) {
      const bool takes_b = starred || compare(b_key.value, a_key.value);
      if constexpr (cuda::std::is_same_v<A, B> && base::equivalents_are_equal<Compare, A>) {
        take(i, {takes_b, !starred && a_key.value == b_key.value, starred});  // one instruction less
      } else {
        take(i, {takes_b, !takes_b && !compare(a_key.value, b_key.value), starred});
      }
    }
  } else {
    MGPU_UNROLL
    for (int i = 0; i < Items; ++i) {
      const bool has_a = c.a < c.a_end, has_b = c.b < c.b_end;
      const bool takes_b = starred || (has_b && (!has_a || compare(b_key.value, a_key.value)));
      take(i, {takes_b, !takes_b && has_a && has_b && !compare(a_key.value, b_key.value), starred});
    }
  }
}

}  // namespace detail::tile
MGPU_NAMESPACE_END
