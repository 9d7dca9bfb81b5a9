// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/tile/digit_tile.h>
#include <mgpu/block/sort/digit_ranker.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// Moves a tile's elements to their places by one digit.
///   Order  what bits of keys mean: in(bits), digit(bits, pass), out(bits) and `last`, as in core/sort/number_bits.h
template <class Order, class Value, bool has_values, int threads, int share>
class digit_mover {
  using bits = typename Order::type;
  /// Of ranks. In bytes, not elements, an element's place in the tile takes one instruction less. 2^20 / 2^22 / 2^26
  /// pairs of u32 83 / 231 / 2,385 instead of 89 / 240 / 2,437 us, 2^25 pairs of u64 4,138 instead of 4,295, together
  /// with the addresses of output below and look_back_tiles (H100, 2026-11-26).
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
  /// 1,423 / 2,224 / 69 (H200, 2026-11-23). 2^26 pairs of u32 / 2^25 pairs of u64, 4 tiles 2,451 / 4,163, 2 tiles 2,425
  /// / 4,118, 1 tile 2,475 for u32 (H100, 2026-11-26).
  static constexpr int look_back_tiles = has_values ? 2 : 4;
  /// The values of a thread that are loaded before its keys are stored, and so are on their way while tiles before this
  /// one are waited for. Others are loaded when keys are stored: these are then not followed by all values at once. us,
  /// all / half / none: 2^26 pairs of u32 1,960 / 1,926 / 1,944, 2^20 72 / 72 / 75; 2^25 of u32 and u64 1,393 / 1,368 /
  /// 1,353; of u64 and u32 2,525 / 2,568 / 2,534; of u64 3,180 / 3,134 / 3,211, but 2^20 155 / 159 / 162. With half of
  /// them 2^26 / 2^20 pairs of u32: 384 x 27 1,911 / 74, 384 x 31 1,883 / 77, 512 x 21 1,920 / 75, 512 x 23 1,896 / 76
  /// (H200, 2026-11-26).
  static constexpr int early_values = sizeof(bits) == 8 ? share : sizeof(Value) == 8 ? 0 : share / 2;

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
    [[maybe_unused]] const auto load_values = [&](int begin, int end) {
      const Value* const values = w.values + first;
      MGPU_UNROLL
      for (int u = 0; u < share; ++u) {
        if (begin <= u && u < end && (is_full || first + 32 * u < w.count)) value[u] = values[32 * u];
      }
    };
    // Values copied by cp.async from global memory to their places in the tile, behind the keys, which saves registers
    // and two barriers: 2^26 pairs of u32 2,335 instead of 2,151; 384 x 27 2,259, 256 x 27 with 3 blocks 2,364 (H200,
    // 2026-11-26). Prefetched into the L2 cache, which then has less room for the lines that neighbouring tiles store
    // to: 2,484 instead of 2,428, those of the tile 132 tiles on, with its keys, 2,723 (H100, 2026-11-26).
    if constexpr (has_values) {
      ends.forget();
      __syncwarp();  // no value is loaded before the keys are in the tile: values get the keys' registers
      load_values(0, early_values);
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
      if constexpr (early_values < share) {
        asm volatile("" ::: "memory");  // the compiler loads none before the keys are stored
        load_values(early_values, share);
      }
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

}  // namespace detail::block
MGPU_NAMESPACE_END
