// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/exec/workspace.h>
#include <mgpu/plan/scratch_layout.h>
#include <mgpu/tile/binary_search.h>

#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// The passes of a merge of `runs` runs: as few as their widest allows, and then as narrow as possible.
struct run_passes {
  int count;
  int width;  // a power of two

  static run_passes of(offset runs, int widest) {
    run_passes passes{1, 2};
    while (!reach(runs, passes.count, widest)) ++passes.count;
    while (!reach(runs, passes.count, passes.width)) passes.width *= 2;
    return passes;
  }

 private:
  /// Whether width ^ count >= runs.
  static bool reach(offset runs, int count, int width) {
    for (; count > 0 && runs > 1; --count) runs = base::ceil_div(runs, offset{width});
    return runs <= 1;
  }
};

template <int... widths>
constexpr int widest_of(cuda::std::integer_sequence<int, widths...>) {
  int widest = 0;
  ((widest = widths), ...);
  return widest;
}

/// The least width of several passes: its square is more than what one pass can merge, else there were one less.
constexpr int least_of_several(int widest) {
  int width = 1;
  while (width * width <= widest) width *= 2;
  return width;
}

/// Calls f with the least of `widths` that is not less than `width`. Requires: width >= least.
template <int least, class Function, int... widths>
void with_width(int width, cuda::std::integer_sequence<int, widths...>, const Function& f) {
  bool is_done = false;
  const auto call_if = [&](auto w) {
    if constexpr (decltype(w)::value >= least) {
      if (is_done || width > w) return;
      f(w);
      is_done = true;
    }
  };
  (call_if(cuda::std::integral_constant<int, widths>{}), ...);
}

/// Where merged elements go.
template <class Keys, class Values>
struct run_outputs {
  Keys keys;
  Values values;
};
template <class Keys, class Values>
run_outputs(Keys, Values) -> run_outputs<Keys, Values>;

/// Buffers for `count` elements each, in one piece of scratch memory.
template <class Policy, class Key, class Value>
class element_buffers {
  static constexpr bool has_values = !cuda::std::is_same_v<Value, base::no_values::value_type>;
  using outputs = run_outputs<Key*, cuda::std::conditional_t<has_values, Value*, base::no_values>>;

 public:
  element_buffers(Policy& p, offset count, int buffers) : count_(count), memory_(p, size(buffers)) {}

  outputs buffer(int number) const {
    const auto memory = reinterpret_cast<std::uintptr_t>(memory_.data());
    scratch_layout layout{base::align_up(memory, unit)};
    outputs result = take(layout);
    for (int i = 0; i < number; ++i) result = take(layout);
    return result;
  }

 private:
  static constexpr auto unit = base::max<std::uintptr_t>(128, base::max(alignof(Key), alignof(Value)));

  outputs take(scratch_layout& layout) const {
    outputs result{layout.template take<Key>(count_), {}};
    if constexpr (has_values) result.values = layout.template take<Value>(count_);
    return result;
  }
  offset size(int buffers) const {
    scratch_layout layout{0};
    for (int i = 0; i < buffers; ++i) take(layout);
    return buffers > 0 ? static_cast<offset>(layout.end + unit) : 0;
  }

  offset count_;
  exec::workspace<char, Policy> memory_;
};

/// Copies elements in parts. A part is one element where many threads run, else some thousand.
template <int part, class Runs, class Keys, class Values>
struct copy_runs {
  Runs runs;
  Keys keys_out;
  Values values_out;

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void operator()(offset number) const {
    const offset end = base::min((number + 1) * part, runs.total);
    offset run = 0;
    for (offset i = number * part; i < end; ++i) {
      offset place = i;
      if constexpr (!Runs::is_one_array) {
        const offset end_of_all = runs.bound(runs.count);
        if (end_of_all == 0) return;
        // If the lengths' sum is less than the total, the last element is repeated. If it is 0, the keys stay what they
        // were.
        const offset at = base::min(i, end_of_all - 1);
        run = tile::partition_point(run, runs.count - 1, [&](offset r) { return runs.bound(r + 1) <= at; });
        place = at - runs.bound(run);
      }
      keys_out[i] = runs.keys_at(run, place)[offset{0}];
      if constexpr (base::has_values<Values>) values_out[i] = runs.values_at(run, place)[offset{0}];
    }
  }
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
