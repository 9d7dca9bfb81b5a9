// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/address.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/last_number.h>
#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/base/slot.h>
#include <mgpu/core/odd_even/exchange.h>
#include <mgpu/core/odd_even/last_layers.h>
#include <mgpu/core/odd_even/pass.h>
#include <mgpu/core/odd_even/step_pass.h>
#include <mgpu/core/odd_even/step_tile.h>
#include <mgpu/tile/block_kinds.h>
#include <mgpu/tile/odd_even_network.h>
#include <mgpu/tile/range.h>
#include <mgpu/tuning/odd_even_merge_sort.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// One pass of an odd-even merge sort.
template <class Keys, class Values, class Compare>
struct odd_even_merge_sort {
  using key = base::value_type<Keys>;
  using value = base::value_type<Values>;
  static constexpr bool has_values = base::has_values<Values>;
  static constexpr int element_bytes = sizeof(key) + (has_values ? int{sizeof(value)} : 0);

  /// Whether tiles take the elements: they copy them as bytes, and those over 1 KiB would be too few.
  static constexpr bool fits_tile = base::can_be_kept<key> && base::can_be_kept<value> && element_bytes <= 1024;

  /// Whether tiles on the GPU run by steps. Keys of 8 bytes and values would take twice the registers. Steps have the
  /// comparator some thousand times: ptxas takes half a minute for one with a loop. So only less and greater have them.
  static constexpr bool has_steps =
      !has_values && sizeof(key) == 4 && base::is_byte_range<Keys> && base::equivalents_are_equal<Compare, key>;
  using pass_type = cuda::std::conditional_t<has_steps, odd_even_step_pass, odd_even_pass>;

  Keys keys;      // [count]
  Values values;  // [count]
  offset count;
  pass_type pass;
  Compare compare;

  static constexpr const char* name = "odd-even merge sort";  // in a profiler
  using block_kind = tile::copies_elements;

  static MGPU_HOST_DEVICE constexpr base::tile_shape shape(int cc) {
    if constexpr (has_steps) return tuning::odd_even_steps(cc, element_bytes);
    else return tuning::odd_even_merge_sort(cc, element_bytes);
  }
  static constexpr int shared_bytes(const base::tile_shape& shape) {
    const int items = shape.items_per_tile();
    if constexpr (has_steps) return room_bytes<key>(odd_even_step_tile<key, Compare>::room(items));
    else return room_bytes<key>(items) + (has_values ? room_bytes<value>(items) : 0);
  }
  static constexpr offset host_items_per_tile =
      offset{1} << tuning::odd_even_tile_log(element_bytes, tuning::odd_even_host_tile_bytes);

  void run(tile::host_thread, offset tile) const {
    host_block block;
    run_tile(block, tile);
  }
  template <class Block>
  MGPU_DEVICE void run(Block& block, offset tile) const {
    if (false) base::must_compare_on_device<key, key>(compare);
    run_tile(block, tile);
  }

 private:
  MGPU_EXEC_CHECK_DISABLE
  template <class Block>
  MGPU_HOST_DEVICE void run_tile(Block& block, offset tile) const {
    static_assert(fits_tile, "others are sorted by their positions");
    if constexpr (has_steps && Block::shape.threads > 1) {
      constexpr int items = Block::shape.items_per_tile();
      static_assert(items >= 2 << odd_even_step_job::least_size_log, "steps run the tiles of every pass");
      const odd_even_step_tile<key, Compare> steps{keys, count, pass, compare, base::last_number<key, Compare>()};
      steps.run(block, tile, room<key>(block, steps.room(items)));
    } else {
      run_by_layers(block, tile);
    }
  }

  MGPU_EXEC_CHECK_DISABLE
  template <class Block>
  MGPU_HOST_DEVICE void run_by_layers(Block& block, offset tile) const {
    const int part_log = pass.last_stride_log - pass.row_log, size_log = pass.size_log(), size = 1 << size_log;
    const offset part = tile & ((offset{1} << part_log) - 1);
    const placement at{pass.begin() + (tile >> part_log << pass.span_log()) + (part << pass.row_log),
                       pass.last_stride_log, pass.row_log};
    elements x{nullptr, nullptr, at, at.before(0, size), at.before(count, size)};
    if (x.begin >= x.end) return;
    x.keys = room<key>(block, size);
    if constexpr (has_values) x.values = room<value>(block, size);
    load(block, x);
    if (pass.kind == odd_even_pass::part::groups) {
      for (tile::odd_even_layer layer = tile::first_odd_even_layer; layer.group_log <= size_log; layer = layer.next()) {
        const int stride = 1 << layer.stride_log;
        if (!layer.is_first() && run_last_layers(block, x, layer.stride_log, layer.group_log)) layer.stride_log = 0;
        else if (layer.is_first()) run_layer<false>(block, x, layer, 0, size);
        else run_layer<true>(block, x, layer, stride, size - stride);
      }
    } else {
      const bool has_two_groups =
          pass.kind == odd_even_pass::part::between_borders && begins_group(at.position(size / 2));
      for (int stride_log = pass.first_stride_log; stride_log >= pass.last_stride_log; --stride_log) {
        const int log = stride_log - part_log, stride = 1 << log;
        if (pass.kind == odd_even_pass::part::around_borders) {
          run_layer<false>(block, x, {size_log + 1, log}, size / 2 - stride, size / 2 + stride);
        } else if (pass.kind == odd_even_pass::part::whole_groups && stride_log == pass.first_stride_log) {
          run_layer<false>(block, x, {size_log, log}, 0, size);
        } else if (run_last_layers(block, x, log, has_two_groups ? size_log - 1 : size_log)) {
          break;
        } else if (has_two_groups) {
          run_layer<true>(block, x, {size_log - 1, log}, stride, size - stride);
        } else {
          run_layer<false>(block, x, {size_log, log}, stride, size - stride);
        }
      }
    }
    store(block, x);
  }

  /// Where the elements of a tile lie in the array.
  struct placement {
    offset begin;
    int last_stride_log, row_log;

    MGPU_HOST_DEVICE offset position(int i) const {
      return begin + (offset{i >> row_log} << last_stride_log) + (i & ((1 << row_log) - 1));
    }
    /// How many of the tile's elements lie before a position. Their positions ascend.
    MGPU_HOST_DEVICE int before(offset position, int size) const {
      const offset distance = base::max<offset>(0, position - begin), rows = distance >> last_stride_log;
      const offset in_row = base::min(distance - (rows << last_stride_log), offset{1} << row_log);
      return static_cast<int>(base::min<offset>(size, (rows << row_log) + in_row));
    }
  };

  /// A tile. Its places before the array and behind the array have no elements.
  struct elements {
    key* keys;
    value* values;
    placement at;
    int begin, end;  // the places that have elements
  };

  /// Stands for a block on one CPU thread. The tile lies on the thread's stack.
  struct host_block {
    static constexpr base::tile_shape shape{1, 1, 1, 0};
    static int thread() { return 0; }
    static void sync() {}
    static void wait_for_copies() {}

    char* take(int bytes) {
      char* const begin = memory + taken;
      taken += bytes;
      return begin;
    }
    template <class T>
    static void start_copy(T* to, const T* from) {
      base::construct(to, *from);
    }

    static constexpr int alignment = base::max<int>(64, base::max<int>(alignof(key), alignof(value)));
    alignas(alignment) char memory[tuning::odd_even_host_tile_bytes + 2 * alignment];
    int taken = 0;
  };

  template <class T>
  static MGPU_HOST_DEVICE constexpr int room_bytes(int items) {
    return base::align_up(items * int{sizeof(T)}, base::max<int>(16, alignof(T))) +
           (alignof(T) > 16 ? int{alignof(T)} : 0);
  }
  MGPU_EXEC_CHECK_DISABLE
  template <class T, class Block>
  static MGPU_HOST_DEVICE T* room(Block& block, int items) {
    return base::aligned<T>(block.take(room_bytes<T>(items)));
  }

  /// Whether a group of the array begins in the row of a position.
  MGPU_HOST_DEVICE bool begins_group(offset position) const {
    return (position & ((offset{1} << pass.group_log) - 1)) >> pass.last_stride_log == 0;
  }

  /// Calls f(i, position) for this thread's elements of a tile.
  MGPU_EXEC_CHECK_DISABLE
  template <class Block, class Function>
  MGPU_HOST_DEVICE void for_each_element(const Block& block, const elements& x, const Function& f) const {
    if constexpr (Block::shape.threads == 1) {
      for (int i = x.begin; i < x.end; ++i) f(i, x.at.position(i));
    } else {
      // In each step the block takes whole rows.
      const offset step = offset{Block::shape.threads >> x.at.row_log} << x.at.last_stride_log;
      offset position = x.at.position(block.thread());
      for (int i = block.thread(); i < x.end; i += Block::shape.threads, position += step) {
        if (i >= x.begin) f(i, position);
      }
    }
  }

  MGPU_EXEC_CHECK_DISABLE
  template <class Block, class T, class Iterator>
  static MGPU_HOST_DEVICE void start_copy(Block& block, T* to, const Iterator& from, offset position) {
    if constexpr (base::is_byte_range<Iterator>) block.start_copy(to, from + position);
    else base::construct(to, from[position]);
  }

  MGPU_EXEC_CHECK_DISABLE
  template <class Block>
  MGPU_HOST_DEVICE void load(Block& block, const elements& x) const {
    for_each_element(block, x, [&](int i, offset position) {
      start_copy(block, x.keys + i, keys, position);
      if constexpr (has_values) start_copy(block, x.values + i, values, position);
    });
    block.wait_for_copies();
  }

  MGPU_EXEC_CHECK_DISABLE
  template <class Block>
  MGPU_HOST_DEVICE void store(Block& block, const elements& x) const {
    for_each_element(block, x, [&](int i, offset position) {
      keys[position] = x.keys[i];
      if constexpr (has_values) values[position] = x.values[i];
    });
  }

  static constexpr int widest = base::max<int>(sizeof(key), has_values ? sizeof(value) : 1);
  static constexpr bool has_words = 16 % sizeof(key) == 0 && alignof(key) == sizeof(key) &&
                                    (!has_values || (16 % sizeof(value) == 0 && alignof(value) == sizeof(value)));
  /// So many neighbours are moved at once if the stride allows it: a word of 16 bytes of keys or of values, whichever
  /// are wider.
  static constexpr int word_items = has_words ? 16 / widest : 1;

  template <class T>
  struct alignas(has_words ? word_items * sizeof(T) : alignof(T)) word {
    T of[word_items];
  };

  /// Compares `items` neighbours from i on with those `stride` behind them.
  ///   For strides below 32 a warp reads one half of shared memory's banks, then the other half. If half of its threads
  ///   began with the later elements, it would use both halves at once. That takes longer: 10^9 int32, H200, 255 ms,
  ///   this 230 (2026-11-21).
  MGPU_EXEC_CHECK_DISABLE
  template <int items>
  MGPU_HOST_DEVICE MGPU_FORCE_INLINE void exchange(const elements& x, int i, int stride) const {
    if (i < x.begin || i + stride + items > x.end) {
      if constexpr (items > 1) {
        for (int k = 0; k < items; ++k) exchange<1>(x, i + k, stride);
      }
    } else if constexpr (items == 1) {
      const bool exchanges = compare(x.keys[i + stride], x.keys[i]);
      core::exchange_if(exchanges, x.keys[i], x.keys[i + stride]);
      if constexpr (has_values) core::exchange_if(exchanges, x.values[i], x.values[i + stride]);
    } else {
      auto& left = reinterpret_cast<word<key>&>(x.keys[i]);
      auto& right = reinterpret_cast<word<key>&>(x.keys[i + stride]);
      word<key> a = left, b = right;
      bool exchanges[items];
      MGPU_UNROLL
      for (int k = 0; k < items; ++k) {
        exchanges[k] = compare(b.of[k], a.of[k]);
        core::exchange_if(exchanges[k], a.of[k], b.of[k]);
      }
      left = a;
      right = b;
      if constexpr (has_values) {
        auto& left_value = reinterpret_cast<word<value>&>(x.values[i]);
        auto& right_value = reinterpret_cast<word<value>&>(x.values[i + stride]);
        word<value> v = left_value, w = right_value;
        MGPU_UNROLL
        for (int k = 0; k < items; ++k) core::exchange_if(exchanges[k], v.of[k], w.of[k]);
        left_value = v;
        right_value = w;
      }
    }
  }

  /// Compares the elements [first, first + stride) with the next `stride` ones. Compilers can vectorize this loop.
  void exchange_stretch(const elements& x, int first, int stride) const {
    key *const left = x.keys, *const right = left + stride;
    const int end = base::min(first + stride, x.end - stride);
    for (int i = base::max(first, x.begin); i < end; ++i) {
      const key a = left[i], b = right[i];
      const bool exchanges = compare(b, a);
      left[i] = exchanges ? b : a;
      right[i] = exchanges ? a : b;
      if constexpr (has_values) core::exchange_if(exchanges, x.values[i], x.values[i + stride]);
    }
  }

  /// Runs a layer on the tile's elements [begin, end). Every second stretch of `stride` elements is compared with the
  /// next stretch.
  ///   has_groups  leaves out comparisons across the borders of groups
  template <bool has_groups, class Block>
  MGPU_HOST_DEVICE void run_layer(Block& block, const elements& x, const tile::odd_even_layer& layer, int begin,
                                  int end) const {
    if ((1 << layer.stride_log) >= word_items) run_layer_by<word_items, has_groups>(block, x, layer, begin, end);
    else run_layer_by<1, has_groups>(block, x, layer, begin, end);
  }

  /// Runs this layer and all that follow in its group, if their strides are shorter than a word, and the tile is full.
  /// Some comparisons are then made twice: so no comparators of the caller, which could answer otherwise or count.
  template <class Block>
  MGPU_HOST_DEVICE bool run_last_layers(Block& block, const elements& x, int stride_log, int group_log) const {
    if constexpr (MGPU_DEVICE_CC > 0 && Block::shape.threads > 1 && sizeof(key) == 4 && word_items == 4 &&
                  base::equivalents_are_equal<Compare, key>) {
      const int size = 1 << pass.size_log(), words = size / word_items;
      if (2 << stride_log != word_items || pass.last_stride_log != 0 || words % Block::shape.threads != 0 ||
          x.begin > 0 || x.end < size)
        return false;
      const odd_even_last_layers<word_items, key, value, has_values> layers{x.keys, x.values, words, group_log};
      layers.run(block, compare);
      return true;
    } else {
      return false;
    }
  }

  MGPU_EXEC_CHECK_DISABLE
  template <int items, bool has_groups, class Block>
  MGPU_HOST_DEVICE MGPU_FORCE_INLINE void run_layer_by(Block& block, const elements& x,
                                                       const tile::odd_even_layer& layer, int begin, int end) const {
    const int log = layer.stride_log, stride = 1 << log, last = (1 << (layer.group_log - log)) - 1;
    const auto is_last = [&](int i) { return has_groups && ((i >> log) & last) == last; };
    if constexpr (Block::shape.threads == 1) {
      for (int first = begin; first < end; first += 2 * stride) {
        if (!is_last(first)) exchange_stretch(x, first, stride);
      }
    } else {
      const int pairs = (end - begin) / 2;
      for (int p = block.thread() * items; p < pairs; p += Block::shape.threads * items) {
        const int i = begin + (p >> log << (log + 1)) + (p & (stride - 1));
        if (!is_last(i)) exchange<items>(x, i, stride);
      }
      block.sync();
    }
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
