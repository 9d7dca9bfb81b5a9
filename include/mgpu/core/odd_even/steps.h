// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/slot.h>
#include <mgpu/core/odd_even/pass.h>
#include <mgpu/tile/odd_even_network.h>
#include <mgpu/tile/word.h>
#include <mgpu/tuning/odd_even_merge_sort.h>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// A tile in shared memory has 2^log unused places behind every 2^shift places. So threads that take places far from
/// each other meet different banks.
struct odd_even_padding {
  int shift, log;

  MGPU_HOST_DEVICE MGPU_FORCE_INLINE constexpr int operator()(int i) const { return i + (i >> shift << log); }
  /// Whether the places of each half of a step's windows are at equal distances: either no unused places lie between
  /// them, or as many between any two. Halves begin at multiples of their size.
  MGPU_HOST_DEVICE constexpr bool is_even(int stride_log, int layers) const {
    return stride_log >= shift || stride_log + layers - 1 <= shift;
  }
};

/// The layers that a tile runs, in the tile's own strides: those of a pass, but for shorter distances between rows.
struct odd_even_step_job {
  odd_even_pass::part kind;
  int size_log;             // the tile has 2^size_log places
  int window_log;           // around borders: of so many places each window has a border in its middle
  int group_log;            // no comparison crosses a border of such groups
  int top_log, bottom_log;  // strides 2^(top_log - 1) to 2^bottom_log; groups: all of groups up to 2^top_log

  static constexpr int most_layers = tuning::odd_even_step_layers;
  /// For the last layers a thread takes 2^word_log neighbours.
  static constexpr int word_log = 5;
  /// The smallest tile has words for all threads of a warp.
  static constexpr int least_size_log = 2 * word_log;

  MGPU_HOST_DEVICE bool sorts() const { return kind == odd_even_pass::part::groups; }
  MGPU_HOST_DEVICE bool begins_groups() const { return sorts() || kind == odd_even_pass::part::whole_groups; }
  MGPU_HOST_DEVICE bool is_around_borders() const { return kind == odd_even_pass::part::around_borders; }
  /// Steps on places that are not neighbours end with a stride of 2^strided_bottom(bottom_log).
  static MGPU_HOST_DEVICE constexpr int strided_bottom(int bottom_log) {
    return bottom_log == 0 ? word_log : bottom_log;
  }

  static constexpr int least_row_log = tuning::odd_even_step_row_log;

  /// A step between the shortest rows, of 16 keys, has the threads of a warp in two windows at a time, which have to
  /// meet different banks. In longer rows a warp has neighbours. With words of 32 neighbours each thread of a quarter
  /// of a warp has to meet banks of its own.
  static MGPU_HOST_DEVICE constexpr odd_even_padding padding(int bottom_log) {
    return bottom_log == least_row_log ? odd_even_padding{least_row_log + most_layers, 4}
                                       : odd_even_padding{word_log, 2};
  }
  /// How many of a group's layers its first step runs. In the shortest rows it leaves a multiple of most_layers: their
  /// padding is even only then.
  static MGPU_HOST_DEVICE constexpr int first_step(int layers, int bottom_log) {
    if (bottom_log == least_row_log) return next_step(layers);
    return base::min(layers, most_layers);
  }
  /// How many of the layers that are left the next step runs. It leaves a multiple of most_layers.
  static MGPU_HOST_DEVICE constexpr int next_step(int layers) { return (layers - 1) % most_layers + 1; }

  /// Whether a tile of 2^size_log places can be run by steps.
  static MGPU_HOST_DEVICE constexpr bool is_possible(int size_log, int bottom_log) {
    return size_log >= least_size_log && (bottom_log == 0 || bottom_log >= least_row_log);
  }
  /// Whether padding is even for each step of so many layers. The first step runs `step` of them.
  static constexpr bool has_even_padding(int layers, int step, int bottom_log) {
    while (padding(bottom_log).is_even(strided_bottom(bottom_log) + layers - step, step)) {
      layers -= step;
      if (layers == 0) return true;
      step = next_step(layers);
    }
    return false;
  }
  static constexpr bool has_even_padding() {
    for (int bottom = 0; bottom < 31; bottom = bottom == 0 ? least_row_log : bottom + 1) {
      for (int layers = 1; layers < 31 - bottom; ++layers) {
        if (!has_even_padding(layers, first_step(layers, bottom), bottom) ||
            !has_even_padding(layers, next_step(layers), bottom))
          return false;
      }
    }
    return true;
  }
};
static_assert(odd_even_step_job::has_even_padding(),
              "a step finds its places by one distance in each half of a window");

/// What a step does to windows of 2^k places.
enum class odd_even_step {
  sort,     // all layers of groups up to 2^k
  first,    // all layers of a group of 2^k
  around,   // of k layers after a group's first one, the comparisons across the middle of the window
  between,  // of k layers after a group's first one, the comparisons within the window
};

/// Runs layers of Batcher's network on a tile in shared memory. The k layers of strides 2^(t+k-1) to 2^t compare only
/// places whose distance is a multiple of 2^t. So they are run in one step: a thread takes a window of 2^k places,
/// which are 2^t apart, into its registers, and runs the k layers on them. The windows of a group's first layers have
/// no comparisons with each other. Those of the layers after them have, so that these layers take two steps. The first
/// step has windows that are shifted by half of their size. It runs what crosses their middles, which are the borders
/// of the others: in each layer as many places on both sides of a border as the stride is long. The second step runs
/// the rest. The last layers are run in the same way on words of neighbours. No two windows of a step have a place in
/// common, so the threads wait for each other only after a step.
template <class Key, int threads>
struct odd_even_steps {
  using step = odd_even_step;
  using job = odd_even_step_job;
  static constexpr int word_log = job::word_log;

  Key* keys;  // behind the elements lie keys that go before none of them: no window is cut by the array's end
  odd_even_padding pad;
  int begin, end;  // the places that have elements

  template <class Block, class Compare>
  MGPU_HOST_DEVICE MGPU_FORCE_INLINE void run(Block& block, const job& j, const Compare& compare) const {
    if (j.sorts()) {
      run_windows<step::sort, word_log, true>(block, {(1 << j.size_log) >> word_log, 0, word_log, none}, 0, compare);
    }
    for (int top = j.sorts() ? word_log + 1 : j.top_log; top <= j.top_log; ++top) run_group(block, j, top, compare);
  }

 private:
  static constexpr int none = 30;  // the logarithm of groups that are larger than a tile

  /// Where the windows of a step begin: 2^t of them at first + (i << distance_log) and the places after it.
  struct places {
    int count, first, distance_log;
    int group_log;  // around: no comparison crosses a border of such groups
  };

  /// The layers of strides 2^(top - 1) to 2^bottom_log.
  MGPU_EXEC_CHECK_DISABLE
  template <class Block, class Compare>
  MGPU_HOST_DEVICE MGPU_FORCE_INLINE void run_group(Block& block, const job& j, int top, const Compare& compare) const {
    const int size = 1 << j.size_log, group_log = j.sorts() ? top : j.group_log;
    const int bottom = job::strided_bottom(j.bottom_log);
    int left = top;
    if (j.begins_groups()) {
      const int layers = job::first_step(left - bottom, j.bottom_log);
      left -= layers;
      run_step<step::first>(block, {size >> top, 0, top, none}, left, layers, compare);
    }
    while (left > bottom) {
      const int layers = job::next_step(left - bottom);
      left -= layers;
      run_step<step::around>(block, around(j, left, layers, group_log), left, layers, compare);
      if (!j.is_around_borders() && layers > 1) {
        run_step<step::between>(block, {size >> (left + layers), 0, left + layers, none}, left, layers, compare);
      }
    }
    if (j.bottom_log > 0) return;
    run_windows<step::around, word_log, true>(block, around(j, 0, word_log, group_log), 0, compare);
    if (j.is_around_borders()) return;
    run_windows<step::between, word_log, true>(block, {size >> word_log, 0, word_log, none}, 0, compare);
  }

  /// The windows around the borders between windows. In a pass around borders there are those borders only.
  static MGPU_HOST_DEVICE MGPU_FORCE_INLINE places around(const job& j, int stride_log, int layers, int group_log) {
    const int window_log = stride_log + layers, half = 1 << window_log >> 1, size = 1 << j.size_log;
    if (j.is_around_borders()) return {size >> j.window_log, (1 << j.window_log >> 1) - half, j.window_log, none};
    return {(size >> window_log) - 1, half, window_log, group_log};
  }

  /// A step of as many layers as are asked for.
  MGPU_EXEC_CHECK_DISABLE
  template <step kind, int k = job::most_layers, class Block, class Compare>
  MGPU_HOST_DEVICE MGPU_FORCE_INLINE void run_step(Block& block, const places& at, int stride_log, int layers,
                                                   const Compare& compare) const {
    if (layers == k) run_windows<kind, k, false>(block, at, stride_log, compare);
    else if constexpr (k > (kind == step::between ? 2 : 1))
      run_step<kind, k - 1>(block, at, stride_log, layers, compare);
  }

  /// A step by all threads. The places of a window are 2^t apart.
  ///   are_words  t is 0, and a thread moves several neighbours at once
  MGPU_EXEC_CHECK_DISABLE
  template <step kind, int k, bool are_words, class Block, class Compare>
  MGPU_HOST_DEVICE MGPU_FORCE_INLINE void run_windows(Block& block, const places& at, int t,
                                                      const Compare& compare) const {
    constexpr int n = 1 << k, half = n / 2;
    if constexpr (are_words) t = 0;
    const int mask = (1 << t) - 1;
    for (int i = block.thread(); i < at.count << t; i += threads) {
      const int window = at.first + (i >> t << at.distance_log), border = window + (half << t);
      if (kind == step::around && (border & ((1 << at.group_log) - 1)) == 0) continue;
      const int first = window + (i & mask), middle = border + (i & mask);
      const halves x{keys + pad(first), keys + pad(middle), are_words ? 1 : pad(1 << t)};
      // The array begins where a group does: no window crosses that border.
      if (first >= begin && first < end) run_window<kind, k, are_words>(x, compare);
    }
    block.sync();
  }

  /// Where the halves of a window lie in shared memory. Padding may lie between them.
  struct halves {
    Key *left, *right;
    int distance;  // between the places of a half

    MGPU_HOST_DEVICE MGPU_FORCE_INLINE Key* at(int i, int half) const {
      return i < half ? left + i * distance : right + (i - half) * distance;
    }
  };

  static constexpr int word_items = tile::word_bytes / sizeof(Key);
  struct alignas(tile::word_bytes) word {
    Key of[word_items];
  };

  /// A step of one thread on one window.
  MGPU_EXEC_CHECK_DISABLE
  template <step kind, int k, bool are_words, class Compare>
  static MGPU_HOST_DEVICE MGPU_FORCE_INLINE void run_window(const halves& at, const Compare& compare) {
    constexpr int n = 1 << k, half = n / 2, unit = are_words ? word_items : 1;
    // No layer compares the first and the last place of a window between borders.
    constexpr int unused = kind == step::between && !are_words ? 1 : 0;
    base::slot<Key> x[n];
    MGPU_UNROLL
    for (int i = unused; i < n - unused; i += unit) {
      if constexpr (are_words) {
        const word w = *reinterpret_cast<const word*>(at.at(i, half));
        MGPU_UNROLL
        for (int p = 0; p < unit; ++p) x[i + p].put(w.of[p]);
      } else {
        x[i].put(*at.at(i, half));
      }
    }
    constexpr int first_group_log = kind == step::sort ? 1 : k;
    run_layers<kind, k, first_group_log, first_group_log - 1>(x, compare);
    MGPU_UNROLL
    for (int i = unused; i < n - unused; i += unit) {
      if constexpr (are_words) {
        word& w = *reinterpret_cast<word*>(at.at(i, half));
        word sorted = w;
        MGPU_UNROLL
        for (int p = 0; p < unit; ++p) sorted.of[p] = x[i + p].value;
        w = sorted;
      } else {
        *at.at(i, half) = x[i].value;
      }
    }
  }

  /// The layer of a stride of 2^stride_log places of the window, and all layers after it.
  MGPU_EXEC_CHECK_DISABLE
  template <step kind, int k, int group_log, int stride_log, class Compare>
  static MGPU_HOST_DEVICE MGPU_FORCE_INLINE void run_layers(base::slot<Key> (&x)[1 << k], const Compare& compare) {
    constexpr int stride = 1 << stride_log;
    MGPU_UNROLL
    for (int i = 0; i + stride < 1 << k; ++i) {
      if (!is_left<kind, k>({group_log, stride_log}, i)) continue;
      // The comparator gets copies. If it is not inlined, all of x would else have to lie in memory.
      Key left = x[i].value, right = x[i + stride].value;
      const bool exchanges = compare(right, left);
      const Key first = exchanges ? right : left, second = exchanges ? left : right;
      x[i].put(first);
      x[i + stride].put(second);
    }
    if constexpr (stride_log > 0) run_layers<kind, k, group_log, stride_log - 1>(x, compare);
    else if constexpr (group_log < k) run_layers<kind, k, group_log + 1, group_log>(x, compare);
  }

  /// Whether place i of a window of 2^k places is the left one of a comparison of a layer.
  template <step kind, int k>
  static MGPU_HOST_DEVICE constexpr bool is_left(const tile::odd_even_layer& layer, int i) {
    constexpr int half = 1 << k >> 1;
    if (kind == step::around) return i >= half - layer.stride() && i < half;
    if (kind == step::between && layer.is_first()) return false;
    return layer.is_left(i);
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
