// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/slot.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// The last layers of a group of Batcher's network: those whose stride is shorter than a word of `items` neighbours.
/// They compare neighbours in a word, and a half of a word with a half of the next one. A lane of a warp has a word of
/// keys, and one of values, in registers. It asks its neighbours for their halves, and makes the comparisons across
/// both its borders: each of those is made twice. A warp has words that lie one behind the other. On the GPU.
///   int32, 2^20 / 2^24 / 10^9, ms: 0.27 / 2.43 / 209; by layers 0.30 / 2.67 / 227; words of eight elements, so three
///   layers, 0.38 / 4.19 / 314. Keys of 8 bytes take longer so, 2^24 5.4 instead of 5.0, and those of 2, 3.5 instead of
///   2.2 (H200, 2026-11-23).
template <int items, class Key, class Value, bool has_values>
struct odd_even_last_layers {
  static constexpr int half = items / 2;

  template <class T>
  static constexpr bool is_none = cuda::std::is_same_v<T, Value> && !has_values;
  template <class T>
  struct alignas(base::min<int>(16, items * sizeof(T))) word {
    T of[items];
  };
  /// A word between a half of the word before it and a half of the word behind it.
  template <class T>
  using neighbours = base::slot<T>[2 * items];

  Key* keys;      // [words * items]
  Value* values;  // the same
  int words;      // a multiple of the block's threads
  int group_log;  // no comparison crosses a border of such groups

  template <class Block, class Compare>
  MGPU_DEVICE void run(Block& block, const Compare& compare) const {
    const int own_words = words / (Block::shape.threads / 32), lane = block.thread() % 32;
    const int begin = block.thread() / 32 * own_words, end = begin + own_words;
    // What other warps write is read before.
    border<Key> key(keys, begin, end, words);
    border<Value> value(values, begin, end, words);
    block.sync();
    for (int i = begin + lane; i < end; i += 32) {
      neighbours<Key> k;
      neighbours<Value> v;
      key.load(block, keys, i, end, k);
      if constexpr (has_values) value.load(block, values, i, end, v);
      merge(k, v, goes_on(i), goes_on(i + 1), compare);
      store(keys, i, k);
      if constexpr (has_values) store(values, i, v);
    }
    block.sync();
  }

 private:
  /// Whether a group goes on at the begin of a word.
  MGPU_DEVICE bool goes_on(int i) const { return (i * items & ((1 << group_log) - 1)) != 0; }

  /// The halves of words that other warps write.
  template <class T>
  struct border {
    base::slot<T> before[half];  // before the warp's first word; then before the lane's word, in the first lane only
    base::slot<T> behind[half];  // behind the warp's last word

    MGPU_DEVICE MGPU_FORCE_INLINE border(const T* x, int begin, int end, int words) {
      if constexpr (!is_none<T>) {
        MGPU_UNROLL
        for (int k = 0; k < half; ++k) {
          before[k].put(x[begin > 0 ? begin * items - half + k : k]);
          behind[k].put(x[end < words ? end * items + k : k]);
        }
      }
    }

    /// Puts word i between its neighbours' halves.
    template <class Block>
    MGPU_DEVICE MGPU_FORCE_INLINE void load(Block& block, const T* x, int i, int end, neighbours<T>& to) {
      const int lane = block.thread() % 32;
      const word<T> own = reinterpret_cast<const word<T>*>(x)[i];
      // The first lane gives what the last one needs: of the word behind that one's.
      const bool gives_next = lane == 0 && i + 32 < end, gives_behind = lane == 0 && i + 32 >= end;
      MGPU_UNROLL
      for (int k = 0; k < half; ++k) {
        const T from_before = block.of_lane(own.of[half + k], (lane + 31) % 32);
        to[k].put(lane == 0 ? before[k].value : from_before);
        before[k].put(from_before);
        const T given = gives_next ? x[(i + 32) * items + k] : gives_behind ? behind[k].value : own.of[k];
        to[half + items + k].put(block.of_lane(given, (lane + 1) % 32));
      }
      MGPU_UNROLL
      for (int k = 0; k < items; ++k) to[half + k].put(own.of[k]);
    }
  };

  /// All layers. What lies further from the word than a stride does not count any more.
  template <class Compare>
  static MGPU_DEVICE MGPU_FORCE_INLINE void merge(neighbours<Key>& k, neighbours<Value>& v, bool goes_on_before,
                                                  bool goes_on_behind, const Compare& compare) {
    MGPU_UNROLL
    for (int stride = half; stride > 0; stride /= 2) {
      MGPU_UNROLL
      for (int i = half - stride; i < half + items; ++i) {
        const int at = i - half + items;  // not negative
        if (at / stride % 2 == 0) continue;
        const bool is_real = i < half ? goes_on_before : i + stride < half + items || goes_on_behind;
        if (!is_real || !compare(k[i + stride].value, k[i].value)) continue;
        exchange(k[i], k[i + stride]);
        if constexpr (has_values) exchange(v[i], v[i + stride]);
      }
    }
  }
  template <class T>
  static MGPU_DEVICE MGPU_FORCE_INLINE void exchange(base::slot<T>& x, base::slot<T>& y) {
    const T kept = x.value;
    x.put(y.value);
    y.put(kept);
  }

  template <class T>
  static MGPU_DEVICE void store(T* x, int i, const neighbours<T>& e) {
    word<T> own = reinterpret_cast<const word<T>*>(x)[i];
    MGPU_UNROLL
    for (int k = 0; k < items; ++k) own.of[k] = e[half + k].value;
    reinterpret_cast<word<T>*>(x)[i] = own;
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
