// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/tile/digit_tile.h>

#include <cuda/std/cstdint>

MGPU_NAMESPACE_BEGIN
namespace block {

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
///   unit   of ranks: an element's size, say
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
        const unsigned peers = peers_of(digit(begin + k));
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
  /// The lanes of the warp with the same digit.
  static MGPU_DEVICE MGPU_FORCE_INLINE unsigned peers_of(int digit) {
    unsigned peers = ~0u;
    MGPU_UNROLL
    for (int bit = 1; bit < digits; bit *= 2) {
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
      peers &= same;
    }
    return peers;
  }

  memory& memory_;
  int thread_;
  int* counts_;  // of this warp
};

/// Moves a tile's elements to their places by one digit.
///   Order  what bits of keys mean: in(bits), digit(bits, pass), out(bits) and `last`, as in core/sort/number_bits.h
template <class Order, class Value, bool has_values, int threads, int share>
class digit_mover {
  using bits = typename Order::type;
  /// Of ranks: with bytes instead of elements, an element's place in the tile is one instruction less.
  /// 2^20 / 2^22 / 2^26 pairs of u32 83 / 231 / 2,385 instead of 89 / 240 / 2,437 us, 2^25 of u64 4,138 and 4,295, with
  /// both addresses of an output array and 2 tiles of a look-back below (H100, 2026-11-26).
  static constexpr int unit = has_values ? base::min(int{sizeof(bits)}, int{sizeof(Value)}) : int{sizeof(bits)};
  static_assert(threads * share * unit < 1 << 16, "a place has 16 bits");
  using ranker = digit_ranker<threads, share, unit>;
  using work = tile::digit_tile<bits, Value>;
  using word = digit_counts::word;
  static constexpr int digits = digit_counts::digits, tile_items = threads * share;
  /// Whether what is known of a tile lies in shared memory: where registers are scarce. us, so and in registers: 2^26
  /// pairs of u32 2,024 and 2,130 (H200); of f32 and u32 2,333 and 2,537, 2^25 of u64 2,070 and 2,154, pairs of u64
  /// 4,292 and 4,487; but 2^26 of u16 723 and 702 (H100, 2026-11-26).
  static constexpr bool shares_work = has_values || sizeof(bits) == 8;
  /// Tiles whose counts a look-back loads at a time: each step takes as long as a load from the device's memory. 2^26
  /// of u32 / 2^25 of u64 / 2^20 of u32, us: 4 tiles 1,465 / 2,021 / 65, 8 1,461 / 2,033 / 65, 2 1,498 / 2,055 / 67, 1
  /// 1,423 / 2,224 / 69 (H200, 2026-11-23). 2^26 pairs of u32 / 2^25 of u64, 4 tiles 2,451 / 4,163, 2 2,425 / 4,118, 1
  /// 2,475 for u32 (H100, 2026-11-26).
  static constexpr int look_back_tiles = has_values ? 2 : 4;

 public:
  union tile_memory {
    typename ranker::memory ranks;
    bits keys[tile_items];
    char values[has_values ? int{sizeof(Value)} * tile_items : 1];
  };
  struct memory {
    alignas(16) tile_memory tile;
    int begin[digits];  // where the tile's first element of a digit would go, less its rank
    alignas(work) char shared_work[shares_work ? sizeof(work) : 1];
  };

  static MGPU_DEVICE void run(memory& m, const work& w) {
    const bool is_full = w.count == tile_items;
    if constexpr (shares_work) {
      auto& shared = *reinterpret_cast<work*>(m.shared_work);
      if (threadIdx.x == 0) shared = w;
      __syncthreads();
      if (is_full) run_tile<true>(m, shared);
      else run_last_tile(m, shared);
    } else {
      if (is_full) run_tile<true>(m, w);
      else run_last_tile_of_keys(m, w);
    }
  }

 private:
  /// The element of a tile that ends at `end`.
  template <class T>
  static MGPU_DEVICE MGPU_FORCE_INLINE T& place(T* tile, int end) {
    constexpr int scale = int{sizeof(T)} / unit;
    return *reinterpret_cast<T*>(reinterpret_cast<char*>(tile) + end * scale - int{sizeof(T)});
  }

  struct digit_of_key {
    const bits (&key)[share];
    const work& w;
    int pass;

    MGPU_DEVICE digit_of_key(const bits (&of)[share], const work& tile) : key(of), w(tile), pass(tile.pass) {}
    MGPU_DEVICE MGPU_FORCE_INLINE int operator()(int u) const { return Order::digit(key[u], pass); }
    /// The compiler takes the digits for others than before. So it finds them again, instead of keeping them in
    /// registers that other elements need. An empty asm is nothing to ptxas, which finds the digits again only if the
    /// pass is loaded. Tiles of values gain by that: 2^25 of u64 and u32 take 2,717 instead of 2,829 us. Keys alone
    /// lose: 2^26 of u32 take 1,424 instead of 1,352 (H200, 2026-11-26).
    MGPU_DEVICE MGPU_FORCE_INLINE void forget() {
      if constexpr (has_values) pass = *static_cast<const volatile int*>(&w.pass);
      else asm volatile("" : "+r"(pass));
    }
  };

  /// Few tiles are not full. The registers that they need do not count for the others.
  static MGPU_DEVICE MGPU_NO_INLINE_IN_KERNELS void run_last_tile(memory& m, const work& w) { run_tile<false>(m, w); }
  /// The same. All comes by value: what is passed by its address would not stay in registers before the call, either.
  static MGPU_DEVICE MGPU_NO_INLINE_IN_KERNELS void run_last_tile_of_keys(memory& m, work w) { run_tile<false>(m, w); }

  template <bool is_full>
  static MGPU_DEVICE MGPU_FORCE_INLINE void run_tile(memory& m, const work& w) {
    const int thread = static_cast<int>(threadIdx.x);
    const int first = thread / 32 * 32 * share + thread % 32;
    bits key[share];
    const bits* const keys = w.keys + first;
    MGPU_UNROLL
    for (int u = 0; u < share; ++u)
      key[u] = is_full || first + 32 * u < w.count ? Order::in(keys[32 * u]) : Order::last;
    packed_numbers<16, share> ends;
    int count = 0;
    const auto publish = [&](int n) {
      count = n;
      if (w.number > 0) digit_counts::store(w.counts + thread, digit_counts::own | static_cast<word>(n));
    };
    const int less = ranker(m.tile.ranks).rank(digit_of_key(key, w), ends, publish);
    __syncthreads();
    word begin = 0;
    if (has_values && thread < digits) begin = w.begins[thread];
    MGPU_UNROLL
    for (int u = 0; u < share; ++u) place(m.tile.keys, ends.get(u)) = key[u];
    Value value[has_values ? share : 1];
    // Values are on their way while tiles before this one are waited for: 2^26 pairs of u32, 2,112 instead of 2,200 us.
    // Copied by cp.async from global memory to their places in the tile, behind the keys, which saves registers and two
    // barriers: 2,335 instead of 2,151; 384 x 27 2,259, 256 x 27 with 3 blocks 2,364 (H200, 2026-11-26). Loaded when
    // the keys are stored: 1,972 instead of 2,024, but 2^20 81 instead of 75 (H200), and 2^25 pairs of u64 4,640
    // instead of 4,328. Prefetched into the L2 cache, which then has less room for the lines that neighbouring tiles
    // store to: 2,484 instead of 2,428, those of the tile 132 tiles on, with its keys, 2,723 (H100, 2026-11-26).
    if constexpr (has_values) {
      ends.forget();
      __syncwarp();  // no value is loaded before the keys are stored: values get the keys' registers
      const Value* const values = w.values + first;
      MGPU_UNROLL
      for (int u = 0; u < share; ++u) {
        if (is_full || first + 32 * u < w.count) value[u] = values[32 * u];
      }
    }
    if (thread < digits) {
      const word before = look_back(w, thread, static_cast<word>(count));
      if (!has_values) begin = w.begins[thread];
      m.begin[thread] = static_cast<int>(begin + before) - less;
      w.counts_to_clear[thread] = 0;
    }
    __syncthreads();
    packed_numbers<8, has_values ? share : 1> digit_of;
    // The compiler does not know that these arrays lie in global memory. Told so, it stores faster, and loses: more of
    // the lines that neighbouring tiles share leave the L2 cache half written. 2^26 pairs of u32 take 2,425 instead of
    // 2,385 us, 2^25 of u32 and u64 1,894 instead of 1,845, 2^25 of u64 2,154 instead of 2,088. Nor does it help to
    // begin the next tile early: its ticket taken when this one has looked back 2,491, its keys copied in bulk, too,
    // 2,534. Neighbouring lines stored by one warp: 2,515 (H100, 2026-11-26).
    [[maybe_unused]] bits* const keys_out = w.keys_out + thread;
    const int pass = w.pass;
    MGPU_UNROLL
    for (int u = 0; u < share; ++u) {
      const int i = thread + threads * u;
      const bits k = m.tile.keys[i];
      const int d = Order::digit(k, pass);
      if constexpr (has_values) digit_of.set(u, d);
      if (is_full || i < w.count) {
        // Keys alone: 2^26 of f32 1,454 instead of 1,527 us, of u32 1,454 instead of 1,438 (H100, 2026-11-26).
        if constexpr (has_values) keys_out[offset{m.begin[d]} + threads * u] = Order::out(k);
        else w.keys_out[static_cast<word>(m.begin[d] + i)] = Order::out(k);
      }
    }
    if constexpr (has_values) {
      digit_of.forget();
      Value* const staged = reinterpret_cast<Value*>(m.tile.values);
      __syncthreads();
      MGPU_UNROLL
      for (int u = 0; u < share; ++u) {
        if (is_full || first + 32 * u < w.count) place(staged, ends.get(u)) = value[u];
      }
      __syncthreads();
      Value* const values_out = w.values_out + thread;
      MGPU_UNROLL
      for (int u = 0; u < share; ++u) {
        const int i = thread + threads * u;
        if (is_full || i < w.count) values_out[offset{m.begin[digit_of.get(u)]} + threads * u] = staged[i];
      }
    }
  }

  /// How many elements with this digit the tiles of the segment before this one have. Publishes the sum of both.
  static MGPU_DEVICE word look_back(const work& w, int digit, word count) {
    word before = 0;
    const word* at = w.counts + digit;
    for (int tiles = w.number; tiles > 0;) {
      word x[look_back_tiles];
      MGPU_UNROLL
      for (int k = 0; k < look_back_tiles; ++k)
        x[k] = tiles > k ? digit_counts::load(at - (k + 1) * digits) : digit_counts::sum;
      int read = 0;
      MGPU_UNROLL
      for (int k = 0; k < look_back_tiles; ++k) {
        if (read == k && x[k] != 0) {
          before += x[k] & digit_counts::count;
          read = (x[k] & digit_counts::sum) != 0 ? tiles + look_back_tiles : k + 1;
        }
      }
      tiles -= read;
      at -= read * digits;
    }
    digit_counts::store(w.counts + digit, digit_counts::sum | (before + count));
    return before;
  }
};

}  // namespace block
MGPU_NAMESPACE_END
