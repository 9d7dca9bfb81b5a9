// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/slot.h>
#include <mgpu/tile/merge_path.h>
#include <mgpu/tile/sort_runs.h>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// Merges neighbouring runs of a tile in shared memory, in place. Each thread merges the elements that go to its share
/// of the tile.
template <class Item, int threads, int share, class Compare>
class pair_merger {
 public:
  MGPU_DEVICE pair_merger(Item* sorted, const Compare& compare)
      : sorted_(sorted), compare_(compare), begin_(static_cast<int>(threadIdx.x) * share) {}

  MGPU_DEVICE void put(const base::slot<Item> (&x)[share]) const {
    MGPU_UNROLL
    for (int i = 0; i < share; ++i) base::construct(sorted_ + begin_ + i, x[i].value);
  }

  /// Merges this thread's share of the left pair, and of the right pair, which begins in the share.
  MGPU_DEVICE void merge_pairs(const tile::run_pair<int>& left, bool merges_left, const tile::run_pair<int>& right,
                               bool merges_right, base::slot<Item> (&x)[share]) {
    const bool merges = merges_left || merges_right;
    if (__any_sync(~0u, merges)) {
      // If there is no left pair to merge, elements stay where they are: they are a run b without a run a.
      int a = 0, a_end = 0, b = begin_, b_end = 0;
      if (merges_left) {
        const int diagonal = begin_ - left.begin;
        const tile::merge_path<int, const Item*, const Item*, Compare> path{sorted_ + left.begin,
                                                                            sorted_ + left.middle,
                                                                            left.middle - left.begin,
                                                                            left.end - left.middle,
                                                                            diagonal,
                                                                            compare_};
        const int split = path.split();
        a = left.begin + split;
        a_end = left.middle;
        b = left.middle + diagonal - split;
        b_end = left.end;
      }
      if (__any_sync(~0u, merges_right)) merge_both(cursor(a, a_end, b, b_end), merges_right, right, x);
      else merge_one(cursor(a, a_end, b, b_end), x);
    }
    __syncthreads();
    if (merges) put(x);
  }

 protected:
  Item* sorted_;  // [threads * share + 1]; places behind the elements may be read, but are not used
  const Compare& compare_;
  int begin_;  // of this thread's share

 private:
  /// Where the merge of two runs stands, with the next element of each.
  struct merge_cursor {
    int a, a_end, b, b_end;
    Item a_item, b_item;
  };

  MGPU_DEVICE merge_cursor cursor(int a, int a_end, int b, int b_end) const {
    return {a, a_end, b, b_end, sorted_[a], sorted_[b]};
  }

  /// Takes the next element. At the end of run a elements of run b follow, even those behind its end.
  MGPU_DEVICE MGPU_FORCE_INLINE void step(merge_cursor& c, base::slot<Item>& x) const {
    const bool from_b = c.a >= c.a_end || (c.b < c.b_end && compare_(c.b_item, c.a_item));
    x.put(from_b ? c.b_item : c.a_item);
    if (from_b) {
      ++c.b;
      c.b_item = sorted_[c.b];
    } else {
      ++c.a;
      c.a_item = sorted_[c.a];
    }
  }

  MGPU_DEVICE MGPU_FORCE_INLINE void merge_one(merge_cursor c, base::slot<Item> (&x)[share]) const {
    MGPU_UNROLL
    for (int i = 0; i < share; ++i) step(c, x[i]);
  }

  /// As merge_one, but where the right pair begins, its elements follow.
  MGPU_DEVICE MGPU_FORCE_INLINE void merge_both(merge_cursor c, bool merges_right, const tile::run_pair<int>& right,
                                                base::slot<Item> (&x)[share]) const {
    const int turn = merges_right ? right.begin - begin_ : share;
    const int middle = merges_right ? right.middle : begin_;
    const merge_cursor next = cursor(merges_right ? right.begin : begin_, middle, middle, right.end);
    MGPU_UNROLL
    for (int i = 0; i < share; ++i) {
      if (i == turn) c = next;
      step(c, x[i]);
    }
  }
};

}  // namespace detail::block
MGPU_NAMESPACE_END
