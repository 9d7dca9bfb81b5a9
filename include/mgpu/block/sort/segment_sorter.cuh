// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/slot.h>
#include <mgpu/tile/odd_even_network.h>
#include <mgpu/tile/sort_runs.h>
#include <mgpu/block/sort/pair_merger.cuh>
#include <mgpu/block/sort/warp_sorter.cuh>

#include <cuda/std/cstdint>
#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// A bit for each place of a tile, in shared memory. It is set if the element begins a segment, and for all places
/// behind the last element.
struct head_bits {
  unsigned* words;

  MGPU_DEVICE void clear(int word_count, int tile_count, int thread, int threads) const {
    for (int w = thread; w < word_count; w += threads) {
      const int left = tile_count - 32 * w;
      words[w] = (left >= 32 ? 0u : left <= 0 ? ~0u : ~0u << left) | (w == 0 ? 1u : 0u);
    }
  }

  MGPU_DEVICE void set(int begin, int end) const {
    for (int i = begin; i < end;) {
      const int in_word = i % 32, bits = base::min(end - i, 32 - in_word);
      atomicOr(words + i / 32, (bits == 32 ? ~0u : (1u << bits) - 1) << in_word);
      i += bits;
    }
  }

  /// `count` bits from bit i on. Requires: count < 32.
  MGPU_DEVICE unsigned at(int i, int count) const {
    return __funnelshift_r(words[i / 32], words[i / 32 + 1], i % 32) & ((1u << count) - 1);
  }
};

/// Sorts the segments of a tile. Each thread sorts `share` neighbouring elements in registers. Then runs of 1, 2, 4,
/// ... threads are merged through shared memory. A segment's runs are counted from the thread that it begins in. So the
/// tile takes as many levels as its longest segment does.
template <class Item, int threads, int share, class Compare>
class segment_sorter : pair_merger<Item, threads, share, Compare> {
  using merger = pair_merger<Item, threads, share, Compare>;
  using merger::begin_;
  using merger::compare_;
  using merger::merge_pairs;
  using merger::sorted_;

 public:
  using merger::put;

  MGPU_DEVICE segment_sorter(Item* sorted, const head_bits& heads, int tile_count, const Compare& compare)
      : merger(sorted, compare),
        thread_(static_cast<int>(threadIdx.x)),
        tile_count_(tile_count),
        heads_(heads.at(begin_, share)),
        next_is_head_(heads.at(begin_ + share, 1) != 0) {}

  /// Whether this thread's elements are in order, and its last one with the next thread's first one.
  template <class Load>
  MGPU_DEVICE bool is_in_order(const base::slot<Item> (&x)[share], const Load& load) const {
    bool in_order = true;
    MGPU_UNROLL
    for (int i = 0; i + 1 < share; ++i) {
      const bool together = (heads_ & tile::bits_after(i, i + 1)) == 0;
      if (together && compare_(x[i + 1].value, x[i].value)) in_order = false;
    }
    return in_order && (next_is_head_ || !compare_(load(begin_ + share), x[share - 1].value));
  }

  /// Whether each of this thread's elements belongs behind the next one.
  template <class Load>
  MGPU_DEVICE bool is_descending(const base::slot<Item> (&x)[share], const Load& load) const {
    bool descending = true;
    MGPU_UNROLL
    for (int i = 0; i + 1 < share; ++i) {
      if (begin_ + i + 1 < tile_count_ && !compare_(x[i + 1].value, x[i].value)) descending = false;
    }
    return descending && (begin_ + share >= tile_count_ || compare_(load(begin_ + share), x[share - 1].value));
  }

  MGPU_DEVICE void put_reversed(const base::slot<Item> (&x)[share]) const {
    MGPU_UNROLL
    for (int i = 0; i < share; ++i) {
      if (begin_ + i < tile_count_) base::construct(sorted_ + (tile_count_ - 1 - begin_ - i), x[i].value);
    }
  }

  /// has_one_segment: all elements are to be sorted, wherever segments begin. All threads call it with the same.
  /// expects_order: there is one segment, and it may need few merges.
  template <bool any_order_of_ties, bool expects_order>
  MGPU_DEVICE void sort(base::slot<Item> (&x)[share], bool has_one_segment) {
    const bool has_items = thread_ / 32 * 32 * share < tile_count_;  // warps without elements do nothing
    const bool sorts_warps = has_warp_sorts && !expects_order && has_one_segment;
    if (sorts_warps) {
      if (has_items) sort_warp(x);
      left_ = {0, tile_count_, share};
      has_left_ = begin_ < tile_count_;
      has_right_ = false;
      levels_ = has_left_ ? left_.levels() : 0;
    } else {
      if (has_items) {
        sort_share<any_order_of_ties, expects_order>(x);
        put(x);
      }
      find_segments();
    }
    for (int level = sorts_warps ? 5 : 0; __syncthreads_or(level < levels_); ++level) {
      if constexpr (expects_order) {
        if (merge_in_order(level, x)) return;
      } else {
        merge(level, x);
      }
    }
  }

 private:
  using key_bits = typename Compare::key_bits;
  /// Whether warps sort their elements first if the tile is one segment, instead of merging five levels. us, by merges
  /// and by warps, segments of 0 to 2,000 elements: 2^16 pairs of u32 17.3, 16.0; of u64 and u64, with a key of 64 bits
  /// and a place in the network, 20.5, 23.6; 2^16 of u32 16.4, 13.8, with places 15.8 (H200, 2026-11-26).
  static constexpr bool has_warp_sorts = key_bits::are_words && share <= 5;

  /// Sorts the elements of a warp. Full warps call it.
  MGPU_DEVICE void sort_warp(base::slot<Item> (&x)[share]) {
    if constexpr (has_warp_sorts) {
      // Integers alone are what moves. Else a key moves with its place, so that no two are equal.
      constexpr bool are_integers = cuda::std::is_integral_v<Item>;
      using number = cuda::std::conditional_t<are_integers, cuda::std::uint32_t, cuda::std::uint64_t>;
      number numbers[share];
      MGPU_UNROLL
      for (int i = 0; i < share; ++i) {
        numbers[i] = begin_ + i < tile_count_ ? Compare::bits(x[i].value) : ~cuda::std::uint32_t{0};
        if constexpr (!are_integers) numbers[i] = numbers[i] << 32 | static_cast<unsigned>(begin_ + i);
      }
      if constexpr (!are_integers) put(x);
      warp_sorter<number, share>::sort(numbers, thread_ % 32);
      if constexpr (!are_integers) __syncwarp();
      MGPU_UNROLL
      for (int i = 0; i < share; ++i) {
        if constexpr (are_integers) x[i].put(key_bits::integer(numbers[i]));
        else x[i].put(sorted_[static_cast<unsigned>(numbers[i])]);
      }
      if constexpr (!are_integers) __syncwarp();
      put(x);
    }
  }

  /// Sorts the parts of segments in this thread's share. Few rounds suffice for short ones. Full warps call it.
  template <bool any_order_of_ties, bool expects_order>
  MGPU_DEVICE void sort_share(base::slot<Item> (&x)[share]) {
    constexpr int few = 4, some = 8;  // elements of a part: its head, and zeros behind it
    if constexpr (share > some && !expects_order && !any_order_of_ties) {
      if (!__any_sync(~0u, tile::has_zeros(heads_, share, some))) {
        tile::odd_even_transpositions<0, few>(x, heads_, compare_);
        if (__any_sync(~0u, tile::has_zeros(heads_, share, few)))
          tile::odd_even_transpositions<few, some>(x, heads_, compare_);
        return;
      }
    }
    if constexpr (any_order_of_ties && expects_order) {
      // One segment of numbers. With the last of all numbers behind its end no comparator asks where it ends.
      MGPU_UNROLL
      for (int i = 0; i < share; ++i) {
        if (begin_ + i >= tile_count_) x[i].put(Compare::template last<Item>());
      }
      tile::odd_even_merge_sort(x, 0, compare_);
    } else if constexpr (any_order_of_ties) tile::odd_even_merge_sort(x, heads_, compare_);
    else tile::odd_even_transposition_sort(x, heads_, compare_);
  }

  /// Finds the segments that this thread shares with threads before it, and with threads behind it.
  MGPU_DEVICE void find_segments() {
    constexpr int warps = threads / 32;
    __shared__ int first_heads[warps], last_heads[warps];  // of a warp's threads, or `none`
    constexpr int none = -1;
    const int lane = thread_ % 32, warp = thread_ / 32;
    const int own_first = begin_ + __ffs(static_cast<int>(heads_)) - 1;
    const int own_last = begin_ + 31 - __clz(static_cast<int>(heads_));
    const unsigned with_heads = __ballot_sync(~0u, heads_ != 0);
    const unsigned before = with_heads & ((1u << lane) - 1), after = with_heads & ~((2u << lane) - 1);
    int last_before = __shfl_sync(~0u, own_last, before != 0 ? 31 - __clz(static_cast<int>(before)) : 0);
    int first_after = __shfl_sync(~0u, own_first, after != 0 ? __ffs(static_cast<int>(after)) - 1 : 0);
    const int first_of_warp =
        __shfl_sync(~0u, own_first, with_heads != 0 ? __ffs(static_cast<int>(with_heads)) - 1 : 0);
    const int last_of_warp = __shfl_sync(~0u, own_last, with_heads != 0 ? 31 - __clz(static_cast<int>(with_heads)) : 0);
    if (lane == 0) {
      first_heads[warp] = with_heads != 0 ? first_of_warp : none;
      last_heads[warp] = with_heads != 0 ? last_of_warp : none;
    }
    __syncthreads();
    const int of_warp = lane < warps ? first_heads[lane] : none;
    const unsigned warps_with_heads = __ballot_sync(~0u, of_warp != none);
    if (before == 0) {
      const unsigned w = warps_with_heads & ((1u << warp) - 1);
      last_before = w != 0 ? last_heads[31 - __clz(static_cast<int>(w))] : 0;
    }
    if (after == 0) {
      const unsigned w = warps_with_heads & ~((2u << warp) - 1);
      first_after = w != 0 ? first_heads[__ffs(static_cast<int>(w)) - 1] : threads * share;
    }
    left_ = {last_before, heads_ != 0 ? own_first : first_after, share};
    right_ = {heads_ != 0 ? own_last : last_before, first_after, share};
    has_left_ = (heads_ & 1) == 0;
    has_right_ = heads_ != 0 && !next_is_head_ && begin_ + share < threads * share;
    if (heads_ == 1) {  // merging one pair is faster than two, also for all others of the warp
      left_ = right_;
      has_left_ = has_right_;
      has_right_ = false;
    }
    const int left_levels = has_left_ ? left_.levels() : 0;
    levels_ = base::max(left_levels, has_right_ ? right_.levels() : 0);
  }

  /// The tile is one segment, and pairs of threads are sorted. Whether each element belongs to its pair or to the
  /// thread next to it, so that merging each pair's second thread with the next pair's first sorts the tile. Tells it
  /// for the pair that begins here.
  MGPU_DEVICE bool is_near() const {
    if (thread_ % 2 != 0 || thread_ == 0 || begin_ >= tile_count_) return true;
    const Item last = sorted_[begin_ - 1];
    const auto is_behind_last = [&](int i) { return i >= tile_count_ || !compare_(sorted_[i], last); };
    return !compare_(sorted_[begin_], sorted_[begin_ - share - 1]) && is_behind_last(begin_ + share) &&
           is_behind_last(begin_ + 2 * share);
  }

  /// Whether the merge of a pair may move elements of this thread.
  MGPU_DEVICE bool moves(const tile::run_pair<int>& pair) const {
    const bool is_first = begin_ < pair.middle;
    return compare_(sorted_[is_first ? pair.middle : begin_], sorted_[(is_first ? begin_ + share : pair.middle) - 1]);
  }

  MGPU_DEVICE void merge(int level, base::slot<Item> (&x)[share]) {
    tile::run_pair<int> left{0, 0, 0}, right{0, 0, 0};
    if (has_left_) left = left_.pair_of(thread_, level);
    if (has_right_) right = right_.pair_of(thread_, level);
    merge_pairs(left, left.exists(), right, right.exists(), x);
  }

  /// A level of a tile that is one segment: no thread has a right pair. If pairs of threads are sorted and near to
  /// their places, this is the last merge: of the second thread of each pair with the first one of the next. Returns
  /// whether it was.
  MGPU_DEVICE bool merge_in_order(int level, base::slot<Item> (&x)[share]) {
    const bool is_last = level == 1 && __syncthreads_and(is_near());
    tile::run_pair<int> pair{0, 0, 0};
    if (is_last) {
      const int begin = begin_ - (thread_ % 2 == 0 ? share : 0);
      pair = {begin, begin + share, base::min(begin + 2 * share, tile_count_)};
    } else if (has_left_) {
      pair = left_.pair_of(thread_, level);
    }
    merge_pairs(pair, pair.begin >= 0 && pair.exists() && moves(pair), {}, false, x);
    if (is_last) __syncthreads();
    return is_last;
  }

  int thread_, tile_count_;
  unsigned heads_;  // bit i: element begin_ + i begins a segment
  bool next_is_head_;
  tile::sort_runs<int> left_;   // of the segment that begins before this thread
  tile::sort_runs<int> right_;  // of the segment that begins in this thread and goes on behind it
  bool has_left_, has_right_;
  int levels_;
};

}  // namespace detail::block
MGPU_NAMESPACE_END
