// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A rank's part of two inputs consists of what it had and of what it has received, in other memory. Nothing need be
// copied where only the ends of the part were received: keys up to the last one received before its own are a part for
// themselves, so are keys from the first one on that was received behind its own. What lies between is the rank's own,
// in both inputs. Equal keys stay together.

#include <mgpu/base/math.h>
#include <mgpu/tile/binary_search.h>

MGPU_NAMESPACE_BEGIN
namespace plan {

/// What a rank has of one input, and what it has received of it: `before` elements at room[0, before), and others from
/// room[before + count] on.
template <class Key>
struct own_elements {
  const Key* keys;  // [count]
  offset count;
  const Key* room;
  offset before, after;
};

/// The elements [head, tail) of the rank's own are those between.
struct own_cut {
  offset head, tail;
};

/// Cuts input `which` of two. cuts[which] is empty if nothing lies between.
template <class Key, class Compare>
struct find_own_cuts {
  own_elements<Key> inputs[2];
  own_cut* cuts;  // [2]
  Compare compare;

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void operator()(offset which) const {
    const Key *last = nullptr, *first = nullptr;  // received before the rank's own, and behind
    for (const own_elements<Key>& x : inputs) {
      const Key *const end = x.room + x.before - 1, *const begin = x.room + x.before + x.count;
      if (x.before > 0 && (last == nullptr || compare(*last, *end))) last = end;
      if (x.after > 0 && (first == nullptr || compare(*begin, *first))) first = begin;
    }
    const own_elements<Key>& own = inputs[which];
    own_cut cut{0, own.count};
    if (last != nullptr)
      cut.head = tile::partition_point(offset{0}, own.count, [&](offset i) { return !compare(*last, own.keys[i]); });
    if (first != nullptr)
      cut.tail = tile::partition_point(offset{0}, own.count, [&](offset i) { return compare(own.keys[i], *first); });
    if (last != nullptr && first != nullptr && !compare(*last, *first)) cut = {own.count, own.count};
    cuts[which] = {cut.head, base::max(cut.head, cut.tail)};
  }
};

}  // namespace plan
MGPU_NAMESPACE_END
