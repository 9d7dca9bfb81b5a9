// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

#include <cuda/std/cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// How many elements with each digit a tile has, or it and all tiles of its segment before it. A word each: nothing yet
/// (zero), the tile's own count, or the sum. It is one word, so that a reader needs no fence between kind and count.
struct digit_counts {
  using word = cuda::std::uint32_t;
  static constexpr int digits = 256;
  static constexpr word own = word{1} << 30, sum = word{1} << 31, count = own - 1;

  static MGPU_DEVICE void store(word* to, word x) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(to)), "r"(x) : "memory");
  }
  static MGPU_DEVICE word load(const word* from) {
    word x;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(__cvta_generic_to_global(from)) : "memory");
    return x;
  }
};

/// The lanes of the warp with the same digit.
MGPU_DEVICE MGPU_FORCE_INLINE unsigned lanes_with_digit(int digit) {
  unsigned lanes = ~0u;
  MGPU_UNROLL
  for (int bit = 1; bit < digit_counts::digits; bit *= 2) {
    unsigned same;
    asm("{\n"
        "  .reg .pred p;\n"
        "  and.b32 %0, %1, %2;\n"
        "  setp.ne.u32 p, %0, 0;\n"
        "  vote.ballot.sync.b32 %0, p, 0xffffffff;\n"
        "  @!p not.b32 %0, %0;\n"
        "}"
        : "=r"(same)
        : "r"(digit), "r"(bit));
    lanes &= same;
  }
  return lanes;
}

/// Small numbers of a thread, several to a register. Their indices are constants once loops are unrolled.
template <int bits, int count>
class packed_numbers {
  static constexpr int per_word = 32 / bits;
  unsigned words_[(count + per_word - 1) / per_word];

 public:
  MGPU_DEVICE MGPU_FORCE_INLINE void set(int i, int x) {
    const int shift = bits * (i % per_word);
    words_[i / per_word] =
        shift == 0 ? static_cast<unsigned>(x) : words_[i / per_word] | static_cast<unsigned>(x) << shift;
  }
  MGPU_DEVICE MGPU_FORCE_INLINE int get(int i) const {
    return static_cast<int>(words_[i / per_word] >> bits * (i % per_word) & ((1u << bits) - 1));
  }
  /// The compiler takes the numbers for others than before. So it keeps no number, and no address made of one, in a
  /// register of its own from before to after.
  MGPU_DEVICE MGPU_FORCE_INLINE void forget() {
    MGPU_UNROLL
    for (unsigned& word : words_) asm volatile("" : "+r"(word));
  }
};

/// Ranks the elements of a tile by a digit, and keeps the order of equal digits. A warp has 32 * share neighbouring
/// elements, a lane every 32nd of them.
/// Source: A. Adinets, D. Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs" (2022).
///   unit   what an element counts in a place: its bytes, say
template <int threads, int share, int unit>
class digit_ranker {
 public:
  static constexpr int digits = digit_counts::digits, warps = threads / 32;
  /// Elements of a lane that are ranked at a time: their peers are found before the first of them takes its place.
  static constexpr int batch = 3;
  static_assert(threads >= digits && threads % 32 == 0, "each digit has a thread");

  struct memory {
    int counts[warps][digits];
    int sums[digits / 32];
  };

  MGPU_DEVICE explicit digit_ranker(memory& m)
      : memory_(m), thread_(static_cast<int>(threadIdx.x)), counts_(m.counts[threadIdx.x / 32]) {}

  /// ends[u] = where element u ends in the tile, in units. Calls publish(count) in the thread of each digit as soon as
  /// the digit's elements are counted. Returns how many elements have a digit less than the thread's.
  template <class Digit, class Publish>
  MGPU_DEVICE int rank(Digit digit, packed_numbers<16, share>& ends, const Publish& publish) {
    const int lane = thread_ % 32;
    for (int d = lane; d < digits; d += 32) counts_[d] = 0;
    __syncwarp();
    MGPU_UNROLL
    for (int u = 0; u < share; ++u) atomicAdd(counts_ + digit(u), 1);
    __syncthreads();
    int count = 0, inclusive = 0;
    if (thread_ < digits) {
      MGPU_UNROLL
      for (int w = 0; w < warps; ++w) {
        const int of_warp = memory_.counts[w][thread_];
        memory_.counts[w][thread_] = count;
        count += of_warp;
      }
      publish(count);
      inclusive = count;
      MGPU_UNROLL
      for (int step = 1; step < 32; step *= 2) {
        const int other = __shfl_up_sync(~0u, inclusive, step);
        if (lane >= step) inclusive += other;
      }
      if (lane == 31) memory_.sums[thread_ / 32] = inclusive;
    }
    __syncthreads();
    int less = inclusive - count;
    if (thread_ < digits) {
      MGPU_UNROLL
      for (int w = 0; w + 1 < digits / 32; ++w) {
        if (w < thread_ / 32) less += memory_.sums[w];
      }
      MGPU_UNROLL
      for (int w = 0; w < warps; ++w) memory_.counts[w][thread_] = (memory_.counts[w][thread_] + less) * unit;
    }
    __syncthreads();
    digit.forget();
    const unsigned lanes_to_here = ~0u >> (31 - lane);
    MGPU_UNROLL
    for (int begin = 0; begin < share; begin += batch) {
      int leader[batch], number[batch];
      MGPU_UNROLL
      for (int k = 0; k < batch; ++k) {
        if (begin + k >= share) break;
        const unsigned peers = block::lanes_with_digit(digit(begin + k));
        leader[k] = 31 - __clz(static_cast<int>(peers));
        number[k] = __popc(peers & lanes_to_here);
      }
      // Only this warp uses these counts, and peers have one leader. So no atomic is needed: all lanes read before a
      // leader writes, and leaders write before any lane reads for the next element. Atomics, one element at a time,
      // take 2,176 instead of 2,154 us: 2^26 pairs of u32, 384 x 23 (H200, 2026-11-26).
      MGPU_UNROLL
      for (int k = 0; k < batch; ++k) {
        if (begin + k >= share) break;
        int* const next = counts_ + digit(begin + k);
        const int first = *next;
        __syncwarp();
        const int end = first + number[k] * unit;
        if (lane == leader[k]) *next = end;
        __syncwarp();
        ends.set(begin + k, end);
      }
    }
    return less;
  }

 private:
  memory& memory_;
  int thread_;
  int* counts_;  // of this warp
};

}  // namespace detail::block
MGPU_NAMESPACE_END
