// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/slot.h>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// Sorts a tile of at most one element for each thread in shared memory, in place and stably. The place of an element
/// is the number of those that go before it: in 32 elements a warp counts them, then four runs at a time become one,
/// and an element searches in the three others. That takes more comparisons than merges of shares, and fewer steps one
/// after the other. A whole sort of 2^9 / 2^10 / 2^12 u32, us: 7.2 / 7.3 / 10.8, merged shares 9.4 / 10.4 / 12.9; of 16
/// bytes 9.6 / 9.8 / 13.8, merged 15.1 / 16.8 / 19.5. With five elements for each thread, and all that unrolled, 2^11
/// u32 took 27 instead of 12 (H200, 2026-11-26).
///   If compare is no strict weak ordering, several elements may get one place, and another one keeps what it has. If
/// is_guarded, one of the several is put there as a whole.
template <class Item, class Compare, bool is_guarded>
class rank_sorter {
 public:
  /// `claims`: [count] if is_guarded
  MGPU_DEVICE rank_sorter(Item* sorted, unsigned short* claims, int count, const Compare& compare)
      : sorted_(sorted), claims_(claims), count_(count), compare_(compare), i_(static_cast<int>(threadIdx.x)) {}

  /// All threads call it. x is sorted[thread], and is there already.
  MGPU_DEVICE void sort(base::slot<Item>& x) {
    const bool has_item = i_ < count_;
    int to = i_;
    if (has_item) to = place_in_window(x.value);
    claim(has_item, to);
    __syncthreads();  // a warp would do, but racecheck does not see it
    put(has_item, to, x);
    for (int log2_run = 5; 1 << log2_run < count_; log2_run += 2) {
      __syncthreads();
      if (has_item) {
        x.put(sorted_[i_]);
        to = place_in_runs(x.value, log2_run);
      }
      claim(has_item, to);
      __syncthreads();
      put(has_item, to, x);
    }
    __syncthreads();
  }

 private:
  /// The place of x among the 32 elements of its warp.
  MGPU_DEVICE int place_in_window(const Item& x) const {
    const int lane = i_ % 32, first = i_ - lane, count = base::min(32, count_ - first);
    unsigned smaller = 0, greater = 0;  // bit j: element j is smaller than x, or greater
    MGPU_UNROLL_4
    for (int j = 0; j < count; ++j) {
      const Item y = sorted_[first + j];
      smaller |= (compare_(y, x) ? 1u : 0u) << j;
      greater |= (compare_(x, y) ? 1u : 0u) << j;
    }
    const unsigned all = ~0u >> (32 - count), before = (1u << lane) - 1, behind = all & ~before & ~(1u << lane);
    return first + __popc((~greater & before) | (smaller & behind));
  }

  /// The place of x in the merge of four runs of 2^log2_run elements.
  MGPU_DEVICE int place_in_runs(const Item& x, int log2_run) const {
    const int run = 1 << log2_run, own = i_ >> log2_run, first = own & ~3;
    int begin[3], count[3], found[3];
    MGPU_UNROLL
    for (int o = 0; o < 3; ++o) {
      begin[o] = (first + o + (first + o >= own ? 1 : 0)) << log2_run;
      count[o] = base::min(count_ - begin[o], run);
      found[o] = 0;
    }
    MGPU_UNROLL_1
    for (int step = run; step > 0; step /= 2) {
      MGPU_UNROLL
      for (int o = 0; o < 3; ++o) {
        const int next = found[o] + step;
        const Item y = sorted_[base::min(begin[o] + next, count_) - 1];
        const bool y_first = compare_(y, x), x_first = compare_(x, y);
        const bool goes_before = first + o < own ? !x_first : y_first;
        found[o] = next <= count[o] && goes_before ? next : found[o];
      }
    }
    return (first << log2_run) + (i_ & (run - 1)) + found[0] + found[1] + found[2];
  }

  MGPU_DEVICE void claim(bool has_item, int to) const {
    if constexpr (is_guarded) {
      if (has_item) claims_[to] = static_cast<unsigned short>(i_);
    }
  }
  MGPU_DEVICE void put(bool has_item, int to, const base::slot<Item>& x) const {
    if constexpr (is_guarded) has_item = has_item && claims_[to] == i_;
    if (has_item) base::construct(sorted_ + to, x.value);
  }

  Item* sorted_;
  unsigned short* claims_;
  int count_;
  const Compare& compare_;
  int i_;  // the thread's element
};

}  // namespace detail::block
MGPU_NAMESPACE_END
