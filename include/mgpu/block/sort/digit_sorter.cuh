// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/slot.h>
#include <mgpu/block/sort/digit_ranker.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// Sorts a tile in shared memory stably by the digits of its numbers, and not by all of them: two digits tell most of
/// some thousand elements apart, if they are the first ones in which any two differ. Elements that share these are
/// neighbours then. Each finds its place among them by looking at all. How many digits that takes, a sample tells. If
/// there are many such neighbours all the same, all digits are sorted by.
///   Compare  bits(item): an unsigned integer that ascends in the order, and is equal for equal items
template <class Item, int threads, int share, class Compare>
class digit_sorter {
  using number = typename Compare::key_bits::type;
  static constexpr int digits = digit_counts::digits, digit_bits = 8, warps = threads / 32;
  /// The threads of all digits sum up the counts of so many warps. Other threads do so for other warps.
  static constexpr int warps_of_part = digits / 32, parts = threads / digits;
  static_assert(threads % digits == 0, "each digit has a thread in each part");
  static_assert(threads * share < 1 << 16, "a place has 16 bits");

 public:
  struct memory {
    int counts[warps][digits];
    int sums_of_parts[parts][digits];
    int sums[warps];
    number differences[warps];
  };

  MGPU_DEVICE digit_sorter(memory& m, Item* sorted, int count)
      : memory_(m),
        sorted_(sorted),
        count_(count),
        used_(base::ceil_div(count, threads)),
        thread_(static_cast<int>(threadIdx.x)),
        first_(thread_ / 32 * 32 * used_ + thread_ % 32),
        counts_(m.counts[thread_ / 32]) {}

  /// Calls f(u, i) for each of this thread's elements: its u-th one is the tile's i-th. A warp has neighbours.
  template <class Function>
  MGPU_DEVICE MGPU_FORCE_INLINE void for_each(const Function& f) const {
    const int first = first_element();
    MGPU_UNROLL
    for (int u = 0; u < share; ++u) {
      if (u >= used_) break;
      const int i = first + 32 * u;
      if (i < count_) f(u, i);
    }
  }

  /// x: this thread's elements. load(i): the tile's i-th one, until `sorted` is written to. All threads call it.
  template <class Load>
  MGPU_DEVICE void sort(base::slot<Item> (&x)[share], const Load& load) {
    clear_counts();
    const int end = differing_bits(x, Compare::bits(load(0)));
    MGPU_UNROLL_1
    for (int begin = first_bit(end, load);; begin = 0) {
      MGPU_UNROLL_1
      for (int bit = begin; bit < end; bit += digit_bits) {
        move_by_digit(x, bit);
        for_each([&](int u, int i) { x[u].put(sorted_[i]); });
      }
      if (begin == 0) return;
      packed_numbers<16, share> places;
      bool has_many_peers = false;
      for_each(
          [&](int u, int i) { places.set(u, place_among_peers(i, Compare::bits(x[u].value), begin, has_many_peers)); });
      if (__syncthreads_or(has_many_peers)) continue;
      for_each([&](int u, int i) {
        const int to = places.get(u);
        if (to != i) base::construct(sorted_ + to, x[u].value);
      });
      __syncthreads();
      return;
    }
  }

 private:
  /// The compiler takes it for another one in each loop. So it finds out again which elements there are, instead of
  /// keeping the answers: ptxas 13.0 fails where these do not fit into its seven predicates.
  MGPU_DEVICE MGPU_FORCE_INLINE int first_element() const {
    int first = first_;
    asm volatile("" : "+r"(first));
    return first;
  }

  MGPU_DEVICE void clear_counts() {
    MGPU_UNROLL
    for (int d = thread_ % 32; d < digits; d += 32) counts_[d] = 0;
  }

  /// The bits from the lowest one to the last in which elements differ.
  MGPU_DEVICE int differing_bits(const base::slot<Item> (&x)[share], number any) {
    number differences = 0;
    for_each([&](int u, int) { differences |= Compare::bits(x[u].value) ^ any; });
    MGPU_UNROLL
    for (int step = 1; step < 32; step *= 2) differences |= __shfl_xor_sync(~0u, differences, step);
    if (thread_ % 32 == 0) memory_.differences[thread_ / 32] = differences;
    __syncthreads();
    MGPU_UNROLL
    for (int w = 0; w < warps; ++w) differences |= memory_.differences[w];
    if constexpr (sizeof(number) == 8) return 64 - __clzll(static_cast<long long>(differences));
    else return 32 - __clz(static_cast<int>(differences));
  }

  /// The first bit of the digits to sort by. Each warp takes a sample of 32 elements from the whole tile. Where few of
  /// them share these digits and are not equal, an element shares them with three others at most, on average.
  template <class Load>
  MGPU_DEVICE int first_bit(int end, const Load& load) const {
    constexpr int most_collisions = 3000 * warps;  // 3 * 2 * (32 * 31 / 2) for each warp, times the tile's elements
    const int i = thread_ % 32 * (count_ / 32) + thread_ / 32;
    number sample = 0;
    if (i < count_ && count_ >= threads) sample = Compare::bits(load(i));
    MGPU_UNROLL_1
    for (int bit = end - (count_ <= 1024 ? 1 : 2) * digit_bits; bit > 0; bit -= digit_bits) {
      const int peers = __popc(__match_any_sync(~0u, static_cast<number>(sample >> bit)));
      if (!__syncthreads_or(peers > 1)) return bit;
      const bool collides = peers > __popc(__match_any_sync(~0u, sample));
      if (__syncthreads_count(collides) * count_ <= most_collisions) return bit;
    }
    return 0;
  }

  /// The place of element i, whose number is `bits`, among its neighbours that have the same digits from `begin` on. If
  /// these are too many to look at, and not all equal, it tells so for one of them: for the nearest that differs from
  /// an element which sees only equal ones.
  MGPU_DEVICE int place_among_peers(int i, number bits, int begin, bool& has_many_peers) const {
    constexpr int most_peers = 16;  // before the element, and behind it
    const int first = base::max(i - most_peers, 0), last = base::min(i + most_peers, count_ - 1);
    int place = i, before = i - 1, behind = i + 1;
    bool differs = false;
    MGPU_UNROLL_1
    for (; before >= first; --before) {
      const number other = Compare::bits(sorted_[before]);
      if ((other ^ bits) >> begin != 0) break;
      if (other > bits) --place;
      differs = differs || other != bits;
    }
    MGPU_UNROLL_1
    for (; behind <= last; ++behind) {
      const number other = Compare::bits(sorted_[behind]);
      if ((other ^ bits) >> begin != 0) break;
      if (other < bits) ++place;
      differs = differs || other != bits;
    }
    const bool sees_all = (before >= first || first == 0) && (behind <= last || last == count_ - 1);
    has_many_peers = has_many_peers || (differs && !sees_all);
    return place;
  }

  MGPU_DEVICE MGPU_FORCE_INLINE void move_by_digit(const base::slot<Item> (&x)[share], int bit) {
    const int lane = thread_ % 32;
    const unsigned lanes_before = (1u << lane) - 1;
    packed_numbers<8, share> digit;
    packed_numbers<16, share> rank;  // in the warp
    const int first = first_element();
    MGPU_UNROLL
    for (int u = 0; u < share; ++u) {
      if (u >= used_) break;
      int d = digits - 1;  // what is behind the last element stays there
      if (first + 32 * u < count_) d = static_cast<int>(Compare::bits(x[u].value) >> bit) & (digits - 1);
      digit.set(u, d);
      const unsigned peers = block::lanes_with_digit(d);
      int* const count = counts_ + d;
      const int before = *count;
      __syncwarp();
      if (lane == 31 - __clz(static_cast<int>(peers))) *count = before + __popc(peers);
      rank.set(u, before + __popc(peers & lanes_before));
      __syncwarp();
    }
    __syncthreads();
    make_places();
    for_each([&](int u, int) { base::construct(sorted_ + (counts_[digit.get(u)] + rank.get(u)), x[u].value); });
    __syncwarp();
    clear_counts();
    __syncthreads();
  }

  /// Makes of each warp's counts the places where its elements of a digit begin.
  MGPU_DEVICE void make_places() {
    const int lane = thread_ % 32, warp = thread_ / 32, digit = thread_ % digits, part = thread_ / digits;
    const int first_warp = part * warps_of_part;
    int counts[warps_of_part], of_part = 0;
    MGPU_UNROLL
    for (int w = 0; w < warps_of_part; ++w) counts[w] = memory_.counts[first_warp + w][digit];
    MGPU_UNROLL
    for (int w = 0; w < warps_of_part; ++w) of_part += counts[w];
    memory_.sums_of_parts[part][digit] = of_part;
    __syncthreads();
    int of_digit = 0, begin = 0;
    MGPU_UNROLL
    for (int p = 0; p < parts; ++p) {
      const int sum = memory_.sums_of_parts[p][digit];
      if (p < part) begin += sum;
      of_digit += sum;
    }
    int inclusive = of_digit;
    MGPU_UNROLL
    for (int step = 1; step < 32; step *= 2) {
      const int other = __shfl_up_sync(~0u, inclusive, step);
      if (lane >= step) inclusive += other;
    }
    if (lane == 31) memory_.sums[warp] = inclusive;
    __syncthreads();
    begin += inclusive - of_digit;
    MGPU_UNROLL
    for (int w = 0; w < warps_of_part; ++w) {
      if (w < warp - first_warp) begin += memory_.sums[first_warp + w];
    }
    MGPU_UNROLL
    for (int w = 0; w < warps_of_part; ++w) {
      memory_.counts[first_warp + w][digit] = begin;
      begin += counts[w];
    }
    __syncthreads();
  }

  memory& memory_;
  Item* sorted_;
  int count_;
  int used_;  // elements of a thread, at most
  int thread_;
  int first_;    // element
  int* counts_;  // of this warp
};

}  // namespace detail::block
MGPU_NAMESPACE_END
