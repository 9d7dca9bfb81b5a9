// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The calls of merge_runs.h. Up to a tile's width of runs are merged in one pass, which writes the output. More take
// passes of equal width over scratch memory. Very short runs are sorted.

#include <mgpu/base/iterator.h>
#include <mgpu/base/order.h>
#include <mgpu/core/runs/merge_runs.h>
#include <mgpu/core/runs/merge_two_runs.h>
#include <mgpu/core/runs/positions.h>
#include <mgpu/core/runs/runs.h>
#include <mgpu/core/sort/item.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/requirements.h>
#include <mgpu/plan/argument.h>
#include <mgpu/plan/runs/bounds.h>
#include <mgpu/plan/runs/passes.h>
#include <mgpu/plan/sort/sort.h>
#include <mgpu/runs.h>
#include <mgpu/tuning/merge_runs.h>

#include MGPU_INPUT_CHECKS_HEADER
#include MGPU_CUDA_VERB_HEADER(run)
#include MGPU_CUDA_VERB_HEADER(run_ways)
#include MGPU_CUDA_VERB_HEADER(read)
#include MGPU_CUDA_VERB_HEADER(each)

#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <stdexcept>
#include <string>
#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// One merge of runs, step by step.
template <class Policy, class Runs, class KeysOut, class ValuesOut, class Compare>
class merge_runs_steps {
  using executor = exec::executor_of<Policy>;
  using key = base::value_type<typename Runs::keys_type>;
  using value = base::value_type<typename Runs::values_type>;
  using order = base::order<Compare>;
  static constexpr bool has_values = base::has_values<typename Runs::values_type>;
  using values_pointer = cuda::std::conditional_t<has_values, value*, base::no_values>;
  using const_values_pointer = cuda::std::conditional_t<has_values, const value*, base::no_values>;
  using widths =
      cuda::std::conditional_t<executor::has_shared_memory, tuning::merge_runs_widths, tuning::merge_runs_host_widths>;
  /// Whether the output can be read, and keeps elements as scratch memory does.
  static constexpr bool is_bytewise =
      cuda::std::is_same_v<KeysOut, key*> && cuda::std::is_same_v<ValuesOut, values_pointer>;
  static constexpr bool can_move = base::can_be_kept<key> && base::can_be_kept<value>;
  /// Whether plan/sort/sort.h takes the elements.
  static constexpr bool can_sort = can_move && (!executor::has_shared_memory || core::fits_sort_tile<key, value>);

 public:
  merge_runs_steps(Policy& p, const Runs& runs, const run_outputs<KeysOut, ValuesOut>& out, const Compare& compare)
      : policy_(p), executor_(exec::executor(p)), runs_(runs), out_(out), compare_(compare), bad_runs_(p) {}

  void run() {
    constexpr int widest = plan::widest_of(widths{});
    if (runs_.count <= 2) return merge_two();
    if (runs_.count <= widest)
      return run_pass<1>(runs_, core::run_groups::of(runs_.count, 1, power_of_two(runs_.count)), out_,
                         bad_runs_.flag());
    const run_bounds<Policy, Runs> bounds(policy_, runs_, bad_runs_.flag());
    if constexpr (can_sort) {
      if (runs_.count > runs_.total / tuning::merge_runs_least_mean_run) return sort(bounds.runs());
    }
    const plan::run_passes passes = plan::run_passes::of(runs_.count, widest);
    if constexpr (can_move) run_passes(bounds, passes);
    else run_passes_of_positions(bounds, passes);
  }

  /// Whether the offsets or lengths were found to be bad. Unless the policy synchronizes, false.
  bool has_bad_runs() { return bad_runs_.is_raised(); }

 private:
  static int power_of_two(offset runs) {
    int width = 1;
    while (width < runs) width *= 2;
    return width;
  }

  void merge_two() {
    executor_.run(core::merge_two_runs<Runs, KeysOut, ValuesOut, order>{
        runs_, out_.keys, out_.values, {compare_}, bad_runs_.flag()});
  }

  /// Requires: the width of the pass is `least_width` or more.
  template <int least_width = plan::least_of_several(plan::widest_of(widths{})), class From, class Keys, class Values>
  void run_pass(const From& from, const core::run_groups& cut, const run_outputs<Keys, Values>& to,
                base::bad_input_flag bad_input) {
    plan::with_width<least_width>(cut.width, widths{}, [&](auto most_ways) {
      using core_type = core::merge_runs<decltype(most_ways)::value, From, Keys, Values, order>;
      const int tile_items = items_between_borders<core_type>(cut.groups <= 1);
      executor_.run_ways(core_type{from, cut, tile_items, to.keys, to.values, {compare_}, bad_input});
    });
  }

  /// The elements between two borders of tiles, about.
  template <class Core>
  int items_between_borders(bool is_one_group) const {
    if constexpr (executor::has_shared_memory) {
      const auto limits = executor::template limits_of_ways<Core>();
      // If blocks are left over, smaller tiles are done sooner.
      for (const int part : {4, 2}) {
        const int items = Core::items_between_borders(Core::smaller(limits.shape, part));
        if (base::ceil_div(runs_.total, offset{items}) > limits.resident_tiles) continue;
        // What is between, down to a half, is slack for the search: 8 runs, 2^20 u32 16.5 us instead of 17.7
        // (2026-11-23). Several groups would have more borders: 1,000 runs, 2^20 u32 72 us instead of 61.
        const offset needed = base::ceil_div(runs_.total, limits.resident_tiles);
        return is_one_group ? static_cast<int>(base::max<offset>(needed, items / 2)) : items;
      }
      return Core::items_between_borders(limits.shape);
    } else {
      return executor::template items_per_tile_of<Core>(runs_.total);
    }
  }

  /// Passes over scratch memory. The last one writes the output. If that keeps elements as they are, it is one of two
  /// buffers.
  void run_passes(const run_bounds<Policy, Runs>& bounds, const plan::run_passes& passes) {
    const bool uses_output = is_bytewise && passes.count > 2;
    const int buffers = passes.count == 2 || uses_output ? 1 : 2;
    const element_buffers<Policy, key, value> scratch(policy_, runs_.total, buffers);
    run_outputs<key*, values_pointer> even = scratch.buffer(0), odd = scratch.buffer(buffers - 1);
    if constexpr (is_bytewise) {
      if (uses_output) odd = out_;
    }
    // The last pass but one does not write to the output.
    if (passes.count % 2 != 0) std::swap(even, odd);
    core::run_groups cut = core::run_groups::of(runs_.count, 1, passes.width);
    run_pass(bounds.runs(), cut, even, {nullptr});
    for (int pass = 1;; ++pass) {
      cut = core::run_groups::of(runs_.count, cut.stride * passes.width, passes.width);
      const auto merged = bounds.merged(static_cast<const key*>(even.keys), const_values_pointer(even.values));
      if (pass + 1 == passes.count) return run_pass(merged, cut, out_, {nullptr});
      run_pass(merged, cut, odd, {nullptr});
      std::swap(even, odd);
    }
  }

  /// Passes that merge positions of elements. The last one writes the output.
  void run_passes_of_positions(const run_bounds<Policy, Runs>& bounds, const plan::run_passes& passes) {
    using core::run_position;
    const int buffers = base::min(passes.count - 1, 2);
    const element_buffers<Policy, run_position, base::no_values::value_type> scratch(policy_, runs_.total, buffers);
    run_position *even = scratch.buffer(0).keys, *odd = scratch.buffer(buffers - 1).keys;
    const Runs& elements = bounds.runs();
    core::run_groups cut = core::run_groups::of(runs_.count, 1, passes.width);
    run_pass(core::runs_with_positions<Runs>{elements}, cut, run_outputs{core::nowhere{}, even}, {nullptr});
    for (int pass = 1;; ++pass) {
      cut = core::run_groups::of(runs_.count, cut.stride * passes.width, passes.width);
      const core::keys_at_positions<Runs> keys(elements, even);
      if (pass + 1 == passes.count) {
        if constexpr (has_values) {
          const core::values_at_positions<Runs> values(elements, even);
          return run_pass(bounds.merged(keys, values), cut, out_, {nullptr});
        } else {
          return run_pass(bounds.merged(keys, base::no_values{}), cut, out_, {nullptr});
        }
      }
      run_pass(bounds.merged(keys, static_cast<const run_position*>(even)), cut, run_outputs{core::nowhere{}, odd},
               {nullptr});
      std::swap(even, odd);
    }
  }

  /// Runs in their order, sorted stably, are merged.
  void sort(const Runs& runs) {
    const element_buffers<Policy, key, value> scratch(policy_, runs_.total, is_bytewise ? 0 : 1);
    run_outputs<key*, values_pointer> sorted = scratch.buffer(0);
    if constexpr (is_bytewise) sorted = out_;
    copy(runs, sorted);
    plan::sort_checked<core::ties::keep_order>(
        policy_, sort_range{sorted.keys, sorted.keys + runs_.total, sorted.values}, whole_array{}, compare_);
    if constexpr (!is_bytewise)
      copy(core::array_runs<const key*, const_values_pointer, const offset*>{sorted.keys, sorted.values, nullptr, 1,
                                                                             runs_.total, nullptr},
           out_);
    executor_.complete();
  }

  template <class From, class Keys, class Values>
  void copy(const From& from, const run_outputs<Keys, Values>& to) {
    constexpr int part = executor::has_shared_memory ? 1 : 4096;
    executor_.each(base::ceil_div(runs_.total, offset{part}),
                   copy_runs<part, From, Keys, Values>{from, to.keys, to.values});
  }

  Policy& policy_;
  executor executor_;
  const Runs runs_;
  const run_outputs<KeysOut, ValuesOut> out_;
  const Compare compare_;
  typename executor::bad_input_report bad_runs_;
};

/// A merge of runs, which are read from `inputs`.
template <class Policy, class Runs, class KeysOut, class ValuesOut, class Compare, class... Inputs>
void merge_checked_runs(Policy& p, const Runs& runs, const run_outputs<KeysOut, ValuesOut>& out, const Compare& compare,
                        const Inputs&... inputs) {
  const argument keys_out{out.keys, runs.total, "the output of the keys"};
  const argument values_out{out.values, runs.total, "the output of the values"};
  plan::check_arguments(p, inputs..., keys_out, values_out);
  plan::check_apart(keys_out, inputs..., values_out);
  plan::check_apart(values_out, inputs...);
  if (runs.total == 0) return;
  plan::check_runs(p, runs, base::order<Compare>{compare});
  merge_runs_steps<Policy, Runs, KeysOut, ValuesOut, Compare> steps(p, runs, out, compare);
  steps.run();
  if (steps.has_bad_runs()) {
    throw std::invalid_argument(
        Runs::is_one_array ? "mgpu: the offsets of the runs do not ascend from 0 to " + std::to_string(runs.total)
                           : "mgpu: a length of a run is negative, or their sum is not " + std::to_string(runs.total));
  }
}

/// The runs of one array. Returns the ends of both outputs.
template <class Policy, class Keys, class Values, class Runs, class KeysOut, class ValuesOut, class Compare>
cuda::std::pair<KeysOut, ValuesOut> merge_array_runs(const Policy& policy, const sort_range<Keys, Values>& in,
                                                     const Runs& runs, const run_outputs<KeysOut, ValuesOut>& out,
                                                     const Compare& compare) {
  if constexpr (exec::meets<exec::mgpu_policy<Policy>, exec::random_access_inputs<Keys, Values>,
                            exec::inputs_that_stay<Keys>, exec::known_run_offsets<Runs>,
                            exec::random_access_outputs<KeysOut, ValuesOut>, exec::writable_output<KeysOut, Keys>,
                            exec::writable_output<ValuesOut, Values>, exec::comparator_of<Compare, Keys, Keys>,
                            exec::callable_comparator<Policy, Compare>>) {
    Policy& p = exec::mutable_policy(policy);
    const offset count = in.checked_count();
    if (count > 0 && runs.count == 0)
      throw std::invalid_argument("mgpu: no runs have " + std::to_string(count) + " elements");
    const auto keys = exec::unwrap(in.keys, count);
    const auto values = exec::unwrap(in.values, count);
    const auto offsets = exec::unwrap(runs.first, runs.count);
    const core::array_runs<cuda::std::decay_t<decltype(keys)>, cuda::std::decay_t<decltype(values)>,
                           cuda::std::decay_t<decltype(offsets)>>
        all{keys, values, offsets, runs.count, count, nullptr};
    plan::merge_checked_runs(p, all, run_outputs{exec::unwrap(out.keys, count), exec::unwrap(out.values, count)},
                             compare, argument{keys, count, "the array of keys"},
                             argument{values, count, "the array of values"},
                             argument{offsets, runs.count == 0 ? 0 : runs.count + 1, "the offsets of the runs"});
    return {base::advanced(out.keys, count), base::advanced(out.values, count)};
  } else {
    return {out.keys, out.values};
  }
}

/// Runs in arrays of their own. Returns the ends of both outputs.
template <class Policy, class Runs, class ValueBegins, class KeysOut, class ValuesOut, class Compare>
cuda::std::pair<KeysOut, ValuesOut> merge_separate_runs(const Policy& policy, const Runs& runs,
                                                        ValueBegins value_begins,
                                                        const run_outputs<KeysOut, ValuesOut>& out,
                                                        const Compare& compare) {
  if constexpr (exec::meets<exec::mgpu_policy<Policy>, exec::known_run_ranges<Runs>,
                            exec::random_access_inputs<ValueBegins>, exec::random_access_outputs<KeysOut, ValuesOut>>) {
    Policy& p = exec::mutable_policy(policy);
    const auto begins = exec::unwrap(runs.begins, runs.count);
    const auto lengths = exec::unwrap(runs.lengths, runs.count);
    const auto values = exec::unwrap(value_begins, runs.count);
    using runs_type = core::separate_runs<cuda::std::decay_t<decltype(begins)>, cuda::std::decay_t<decltype(lengths)>,
                                          cuda::std::decay_t<decltype(values)>>;
    using keys_type = typename runs_type::keys_type;
    if constexpr (exec::meets<exec::inputs_that_stay<keys_type>, exec::writable_output<KeysOut, keys_type>,
                              exec::writable_output<ValuesOut, typename runs_type::values_type>,
                              exec::comparator_of<Compare, keys_type, keys_type>,
                              exec::callable_comparator<Policy, Compare>>) {
      plan::merge_checked_runs(p, runs_type{begins, lengths, values, runs.count, runs.total, nullptr},
                               run_outputs{exec::unwrap(out.keys, runs.total), exec::unwrap(out.values, runs.total)},
                               compare, argument{begins, runs.count, "the beginnings of the runs"},
                               argument{lengths, runs.count, "the lengths of the runs"},
                               argument{values, runs.count, "the beginnings of the values"});
      return {base::advanced(out.keys, runs.total), base::advanced(out.values, runs.total)};
    }
  }
  return {out.keys, out.values};
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
