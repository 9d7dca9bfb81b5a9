// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace tile {

/// One step of a multiset operation along the balanced path: an element is taken from one input, and it is paired or not.
/// Equal keys of equal rank form a pair; its element of a is taken first, and the next step takes its element of b.
struct set_step {
  bool takes_b;
  bool opens_pair;   // takes the element of a of a pair
  bool closes_pair;  // takes the element of b of a pair
};

// The four operations, by what they emit of a pair and of the elements that are in no pair. Where both elements of a pair
// could stand for it, a's does, as in std::.

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

}  // namespace tile
MGPU_NAMESPACE_END
