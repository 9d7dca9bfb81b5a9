// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// One step of a multiset operation along the balanced path. It takes an element of one input. Equal keys of equal rank
/// form a pair: a step takes its element of a, and the next step its element of b.
struct set_step {
  bool takes_b;
  bool opens_pair;   // takes a pair's element of a
  bool closes_pair;  // takes a pair's element of b
};

// The four operations, by what they emit: of a pair, of elements of a without a partner, and of elements of b without a
// partner. If either element of a pair could be emitted, a's is, as in std::.

struct set_union {
  static constexpr bool emits_pairs = true, emits_a = true, emits_b = true;
  static MGPU_HOST_DEVICE bool emits(const set_step& s) { return !s.closes_pair; }
};
struct set_intersection {
  static constexpr bool emits_pairs = true, emits_a = false, emits_b = false;
  static MGPU_HOST_DEVICE bool emits(const set_step& s) { return s.opens_pair; }
};
struct set_difference {
  static constexpr bool emits_pairs = false, emits_a = true, emits_b = false;
  static MGPU_HOST_DEVICE bool emits(const set_step& s) { return !s.takes_b && !s.opens_pair; }
};
struct set_symmetric_difference {
  static constexpr bool emits_pairs = false, emits_a = true, emits_b = true;
  static MGPU_HOST_DEVICE bool emits(const set_step& s) { return !s.opens_pair && !s.closes_pair; }
};

/// The size of an operation's result, given the number of pairs.
template <class Operation>
MGPU_HOST_DEVICE offset set_operation_size(offset a_count, offset b_count, offset pairs) {
  return Operation::emits_pairs * pairs + Operation::emits_a * (a_count - pairs) +
         Operation::emits_b * (b_count - pairs);
}

/// The most elements that an operation can emit.
template <class Operation>
MGPU_HOST_DEVICE offset set_operation_max_size(offset a_count, offset b_count) {
  if (!Operation::emits_a) return base::min(a_count, b_count);
  return a_count + Operation::emits_b * b_count;
}

}  // namespace detail::tile
MGPU_NAMESPACE_END
