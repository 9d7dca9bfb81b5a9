// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A rank's part of two inputs consists of what it had and of what it has received, in other memory. Nothing need be
// copied where only the ends of the part were received: keys up to the last one received before its own are a part for
// themselves, so are keys from the first one on that was received behind its own. What lies between is the rank's own,
// in both inputs. Equal keys stay together.

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

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

/// Searches the ends of both cuts: cuts[2 * which] is the head of input `which`, the next one its tail. If the tail is
/// not behind the head, nothing lies between.
template <class Key, class Compare>
struct find_own_cuts {
  own_elements<Key> inputs[2];
  offset* cuts;  // [2][2]
  Compare compare;

  MGPU_EXEC_CHECK_DISABLE
  template <class Search>
  MGPU_HOST_DEVICE offset find(offset i, const Search& search) const {
    const Key *last = nullptr, *first = nullptr;  // received before the rank's own, and behind
    for (const own_elements<Key>& x : inputs) {
      const Key *const end = x.room + x.before - 1, *const begin = x.room + x.before + x.count;
      if (x.before > 0 && (last == nullptr || compare(*last, *end))) last = end;
      if (x.after > 0 && (first == nullptr || compare(*begin, *first))) first = begin;
    }
    const own_elements<Key>& own = inputs[i / 2];
    if (last != nullptr && first != nullptr) {
      const bool is_nothing_between = search.which(1, [&](int) { return !compare(*last, *first); }) != 0;
      if (is_nothing_between) return own.count;
    }
    if (i % 2 == 0) {
      if (last == nullptr) return 0;
      return search.partition_point(offset{0}, own.count, [&](offset k) { return !compare(*last, own.keys[k]); });
    }
    if (first == nullptr) return own.count;
    return search.partition_point(offset{0}, own.count, [&](offset k) { return compare(own.keys[k], *first); });
  }

  MGPU_HOST_DEVICE void store(offset i, offset found) const { cuts[i] = found; }
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
