// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// What a tile has published for the tiles after it: nothing yet, its own size, or the size of all tiles up to it. Sums
/// saturate at base::max_offset. It is one word, so that a reader needs no fence between the state and the size.
/// Relaxed accesses suffice: before a tile's size is known, what the tile has read is in its block's registers or
/// shared memory, behind a barrier of the block. So a later tile may write over it.
/// Source: D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back" (2016).
class tile_state {
 public:
  MGPU_DEVICE void clear() { word_ = 0; }
  /// A cleared state, used as a counter.
  MGPU_DEVICE unsigned long long* counter() { return reinterpret_cast<unsigned long long*>(&word_); }

  /// What publish_sum has published, for later kernels.
  MGPU_DEVICE offset sum() const { return ~word_; }

  /// Requires: size is less than base::max_offset.
  MGPU_DEVICE void publish_own(offset size) { store(size + 1); }
  MGPU_DEVICE void publish_sum(offset size) { store(~size); }

 private:
  // The word is 0 for nothing, size + 1 for a tile's own size, and ~sum, which is negative, for a sum. So a sum may
  // have 63 bits.
  static constexpr offset nothing_before = ~offset{0};  // the sum of no tiles
  static MGPU_DEVICE bool is_sum(offset word) { return word < 0; }
  static MGPU_DEVICE offset size_of(offset word) { return is_sum(word) ? ~word : word - 1; }

  MGPU_DEVICE void store(offset word) {
    asm volatile("st.relaxed.gpu.global.s64 [%0], %1;" ::"l"(__cvta_generic_to_global(&word_)), "l"(word) : "memory");
  }
  MGPU_DEVICE offset load() const {
    offset word;
    asm volatile("ld.relaxed.gpu.global.s64 %0, [%1];" : "=l"(word) : "l"(__cvta_generic_to_global(&word_)) : "memory");
    return word;
  }

  /// The size that a tile has published, or -1 if that is not known yet.
  friend MGPU_DEVICE offset size_if_known(const tile_state* states, offset tile) {
    const offset word = states[tile].load(), before = tile > 0 ? states[tile - 1].load() : nothing_before;
    if (!is_sum(word)) return size_of(word);
    return is_sum(before) ? size_of(word) - size_of(before) : -1;
  }

  /// The size of all tiles before `tile`. Called by a whole warp. Waits for tiles that have published nothing yet.
  /// Requires: a running block is at work on each of those.
  friend MGPU_DEVICE offset look_back(const tile_state* states, offset tile) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    offset size = 0;
    for (offset index = tile - 1 - lane;; index -= 32) {
      offset word;
      unsigned nothing, sums;
      do {
        word = index >= 0 ? states[index].load() : nothing_before;
        nothing = __ballot_sync(~0u, word == 0);
        sums = __ballot_sync(~0u, is_sum(word));
      } while (nothing != 0 &&
               (nothing & -nothing) <= (sums & -sums) - 1);  // again while one before the nearest sum is missing
      if (lane <= __ffs(static_cast<int>(sums)) - 1 || sums == 0) size = base::saturated_sum(size, size_of(word));
      if (sums != 0) break;
    }
    for (int step = 16; step > 0; step /= 2) size = base::saturated_sum(size, __shfl_xor_sync(~0u, size, step));
    return size;
  }

  offset word_;
};

}  // namespace detail::block
MGPU_NAMESPACE_END
