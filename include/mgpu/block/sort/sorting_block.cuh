// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/slot.h>
#include <mgpu/tile/block_kinds.h>
#include <mgpu/tile/shared_layout.h>
#include <mgpu/block/block_of.cuh>
#include <mgpu/block/grid_dependency.cuh>
#include <mgpu/block/runs/way_merger.cuh>
#include <mgpu/block/search/search.cuh>
#include <mgpu/block/sort/digit_mover.cuh>
#include <mgpu/block/sort/digit_sorter.cuh>
#include <mgpu/block/sort/rank_sorter.cuh>
#include <mgpu/block/sort/segment_sorter.cuh>
#include <mgpu/block/stage/copying_block.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// A copying_block that sorts.
template <class Core>
class sorting_block : public copying_block<Core> {
  using base_block = copying_block<Core>;

 public:
  using base_block::base_block;

  MGPU_DEVICE void clear_bits(unsigned* words, int count) const {
    head_bits{words}.clear(tile::bit_bytes(base_block::shape) / 4, count, this->thread(), base_block::shape.threads);
  }
  MGPU_DEVICE void set_bits(unsigned* words, int begin, int end) const { head_bits{words}.set(begin, end); }

  MGPU_DEVICE void let_next_kernel_start() const { block::let_next_kernel_start(); }

  /// Whether x is true for any thread.
  MGPU_DEVICE bool any(bool x) const { return __syncthreads_or(x) != 0; }

  /// The sum of x over the threads of `group` neighbouring warps with the same place in their warps. For the first of
  /// these warps.
  MGPU_DEVICE int sum_of_warps(int x, int group) {
    constexpr int warps = base_block::shape.threads / 32;
    __shared__ int parts[warps][32];
    const int warp = this->thread() / 32, lane = this->thread() % 32;
    parts[warp][lane] = x;
    this->sync();
    if (warp % group != 0) return 0;
    MGPU_UNROLL
    for (int w = 1; w < warps; ++w) {
      if (w < group) x += parts[warp + w][lane];
    }
    return x;
  }

  /// x = find(0, search), y = find(1, search), each by a warp.
  template <class Find, class T>
  MGPU_DEVICE void find_two(const Find& find, T& x, T& y) {
    static_assert(base_block::shape.threads >= 64, "two warps search");
    __shared__ __align__(16) char memory[2 * sizeof(T)];
    T* const found = reinterpret_cast<T*>(memory);
    const int warp = this->thread() / 32;
    if (warp < 2) {
      const T result = find(warp, warp_search{});
      if (this->thread() % 32 == 0) found[warp] = result;
    }
    this->sync();
    x = found[0];
    y = found[1];
  }

  /// The sum of x over all threads before this one.
  MGPU_DEVICE int sum_of_threads_before(int x) {
    __shared__ digit_counts::word sums[base_block::shape.threads / 32];
    return static_cast<int>(count_before(static_cast<digit_counts::word>(x), sums));
  }

  /// Numbers in shared memory.
  struct number_list {
    const unsigned short* numbers;
    int count;
  };
  /// The numbers of [0, count) for which f is true, in order. Requires: count <= most.
  template <int most, class Function>
  MGPU_DEVICE number_list list(int count, const Function& f) {
    __shared__ unsigned short numbers[most];
    int listed = 0;
    MGPU_UNROLL_1
    for (int begin = 0; begin < count; begin += base_block::shape.threads) {
      const int i = begin + this->thread();
      const bool is_listed = i < count && f(i);
      const int before = sum_of_threads_before(is_listed ? 1 : 0);
      if (is_listed) numbers[listed + before] = static_cast<unsigned short>(i);
      listed += __syncthreads_count(is_listed);
    }
    return {numbers, listed};
  }

  /// Gives x and y of the thread that has them to all others. If no thread has them, each keeps its own.
  template <class T>
  MGPU_DEVICE void share_one(bool has, T& x, T& y) {
    __shared__ __align__(16) char memory[2 * sizeof(T)];
    T* const shared = reinterpret_cast<T*>(memory);
    if (has) {
      shared[0] = x;
      shared[1] = y;
    }
    if (!any(has)) return;
    x = shared[0];
    y = shared[1];
  }

  /// Raises a number in global memory to at least x.
  MGPU_DEVICE void raise(int* number, int x) const { atomicMax(number, x); }

  /// Sorts the segments of a tile into `sorted`. x is this thread's share of the tile. load(i) reads element i: if
  /// is_in_place, from sorted[i]. If has_one_segment, the tile is one, whatever heads say. Returns false if the tile is
  /// in order already.
  template <bool any_order_of_ties, bool expects_order, bool is_in_place, class Item, int share, class Compare,
            class Load>
  MGPU_DEVICE bool sort_segments(base::slot<Item> (&x)[share], Item* sorted, unsigned* heads, int count,
                                 const Compare& compare, const Load& load, bool has_one_segment) {
    segment_sorter<Item, base_block::shape.threads, share, Compare> sorter(sorted, head_bits{heads}, count, compare);
    const bool in_order = __syncthreads_and(sorter.is_in_order(x, load));
    if constexpr (expects_order) {
      if (!in_order && __syncthreads_and(sorter.is_descending(x, load))) {
        sorter.put_reversed(x);
        this->sync();
        return true;
      }
    }
    if (!in_order) {
      sorter.template sort<any_order_of_ties, expects_order>(x, has_one_segment);
    } else if (!is_in_place) {
      sorter.put(x);
      this->sync();
    }
    return !in_order;
  }

  /// sort_segments of a tile that is one segment and has at most one element for each thread, by ranks. If is_guarded,
  /// `claims` has room for a number of each element.
  template <bool is_guarded, bool is_in_place, class Item, class Compare, class Load>
  MGPU_DEVICE bool sort_by_ranks(Item* sorted, unsigned short* claims, int count, const Compare& compare,
                                 const Load& load) {
    static_assert(base_block::shape.items_per_thread == 1, "a thread has one element at most");
    const int i = this->thread();
    base::slot<Item> x;
    if (i < count) x.put(load(i));
    if (__syncthreads_and(i + 1 >= count || !compare(load(i + 1), x.value))) {
      if (!is_in_place && i < count) base::construct(sorted + i, x.value);
      this->sync();
      return false;
    }
    if constexpr (!is_in_place) {
      if (i < count) base::construct(sorted + i, x.value);
      this->sync();
    }
    rank_sorter<Item, Compare, is_guarded>(sorted, claims, count, compare).sort(x);
    return true;
  }

  /// sort_segments of a tile that is one segment, by digits. `room` has digit_sorter_bytes of shared memory.
  template <bool is_in_place, class Item, class Compare, class Load>
  MGPU_DEVICE bool sort_by_digits(Item* sorted, char* room, int count, const Compare& compare, const Load& load) {
    constexpr int share = base_block::shape.items_per_thread;
    using sorter_type = digit_sorter<Item, base_block::shape.threads, share, Compare>;
    static_assert(sizeof(typename sorter_type::memory) <= tile::digit_sorter_bytes(base_block::shape));
    sorter_type sorter(*reinterpret_cast<typename sorter_type::memory*>(room), sorted, count);
    base::slot<Item> x[share];
    bool in_order = true;
    sorter.for_each([&](int u, int i) {
      x[u].put(load(i));
      if (i + 1 < count && compare(load(i + 1), x[u].value)) in_order = false;
    });
    if (!__syncthreads_and(in_order)) {
      sorter.sort(x, load);
      return true;
    }
    if (!is_in_place) {
      sorter.for_each([&](int u, int i) { base::construct(sorted + i, x[u].value); });
      this->sync();
    }
    return false;
  }

  /// Writes x to a number in global memory. Returns false if it was there already.
  MGPU_DEVICE bool takes(unsigned* number, unsigned x) const { return atomicExch(number, x) != x; }

  /// Adds to a number in shared or global memory.
  template <class T>
  MGPU_DEVICE void add(T* number, T x) const {
    atomicAdd(number, x);
  }

  /// The sum of the counts of all threads before this one.
  MGPU_DEVICE digit_counts::word count_before(digit_counts::word x, digit_counts::word* sums) const {
    const int lane = this->thread() % 32, warp = this->thread() / 32;
    digit_counts::word inclusive = x;
    for (int step = 1; step < 32; step *= 2) {
      const digit_counts::word other = __shfl_up_sync(~0u, inclusive, step);
      if (lane >= step) inclusive += other;
    }
    if (lane == 31) sums[warp] = inclusive;
    __syncthreads();
    digit_counts::word before = inclusive - x;
    for (int w = 0; w < warp; ++w) before += sums[w];
    return before;
  }

  /// Takes the number of the next task.
  MGPU_DEVICE digit_counts::word take_ticket(digit_counts::word* ticket) const { return atomicAdd(ticket, 1u); }

  /// Tells that the block has done so many tasks. Called by one thread, behind a barrier.
  MGPU_DEVICE void tell_done(digit_counts::word* done, digit_counts::word count) const {
    __threadfence();
    atomicAdd(done, count);
  }
  /// Waits until so many tasks are done. What they have written is visible behind the next barrier. Called by one
  /// thread.
  MGPU_DEVICE void wait_for_done(const digit_counts::word* done, digit_counts::word count) const {
    while (digit_counts::load(done) < count) __nanosleep(100);
    __threadfence();
  }

  /// Words that others may write and read at the same time.
  MGPU_DEVICE digit_counts::word load(const digit_counts::word* from) const { return digit_counts::load(from); }

  /// The last of ascending numbers in shared memory that is not above x. Requires: the first one is not.
  template <int count>
  MGPU_DEVICE int last_not_above(const digit_counts::word* numbers, digit_counts::word x) const {
    int last = -1;
    MGPU_UNROLL
    for (int k = 0; k < count; k += 32) last += __popc(__ballot_sync(~0u, numbers[k + this->thread() % 32] <= x));
    return last;
  }

  /// Moves a tile's elements to their places by one digit.
  template <class Order, bool has_values, class Value>
  MGPU_DEVICE void move_by_digit(const tile::digit_tile<typename Order::type, Value>& t) {
    using mover = digit_mover<Order, Value, has_values, base_block::shape.threads, base_block::shape.items_per_thread>;
    mover::run(*reinterpret_cast<typename mover::memory*>(this->take(sizeof(typename mover::memory))), t);
  }

  /// The ways of a tile, which lie one after the other in shared memory: of run r count[r] elements. Call sync() before
  /// they are merged.
  template <int most_ways, class Count>
  MGPU_DEVICE way_table<most_ways>& open_ways(const Count (&count)[most_ways]) {
    __shared__ way_table<most_ways> ways;
    if (this->thread() < 32) {
      const int items = this->thread() < most_ways ? int{count[this->thread()]} : 0;
      const int before = block::warp_sum_before(items);
      ways.put(items, before, before);
      ways.give_threads(base_block::shape.items_per_thread);
    }
    return ways;
  }

  /// Merges the ways of a tile in place.
  template <int most_ways, class Item, class Compare>
  MGPU_DEVICE void merge_ways(way_table<most_ways>& ways, Item* sorted, const Compare& compare) {
    constexpr int share = base_block::shape.items_per_thread;
    if (ways.count < 2) return;
    way_merger<moved_keys<Item>, most_ways, share, Compare> merger(ways, share, {sorted, sorted}, sorted, nullptr,
                                                                   compare);
    merger.template merge<false>();
  }
};

template <>
struct block_of_kind<tile::sorts> {
  template <class Core>
  using type = sorting_block<Core>;
};

}  // namespace detail::block
MGPU_NAMESPACE_END
