// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The calls of interval.h: a sink that says what is done with the items, and core::interval, which takes it to them.

#include <mgpu/base/iterator.h>
#include <mgpu/base/number.h>
#include <mgpu/core/interval/expand.h>
#include <mgpu/core/interval/interval.h>
#include <mgpu/core/interval/move.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/requirements.h>
#include <mgpu/intervals.h>
#include <mgpu/plan/argument.h>
#include <mgpu/plan/scanned_counts.h>

#include MGPU_INPUT_CHECKS_HEADER
#include MGPU_CUDA_VERB_HEADER(read)
#include MGPU_CUDA_VERB_HEADER(visit_intervals)

#include <cuda/std/type_traits>

#include <stdexcept>
#include <string>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Runs a sink over intervals whose offsets are known. Throws if the offsets are bad and the policy synchronizes.
template <class Policy, class Offsets, class Sink>
void visit_intervals(Policy& p, const interval_offsets<Offsets>& intervals, const Sink& sink) {
  if (intervals.count == 0) return;
  typename exec::executor_of<Policy>::bad_input_report report(p);
  exec::executor(p).run(core::interval{exec::unwrap(intervals.first, intervals.count), intervals.count, intervals.total,
                                       sink, report.flag()});
  if (report.is_raised()) {
    throw std::invalid_argument("mgpu: the offsets of the intervals are no exclusive scan of counts with the total " +
                                std::to_string(intervals.total));
  }
}

template <class Offsets>
auto offsets_of(const interval_offsets<Offsets>& intervals) {
  return argument{exec::unwrap(intervals.first, intervals.count), intervals.count, "the offsets of the intervals"};
}

/// Calls f(intervals) with the intervals given by their offsets. Counts are scanned for that.
template <class Policy, class Offsets, class Function>
auto with_offsets(Policy& p, const interval_offsets<Offsets>& intervals, const Function& f) {
  plan::check_arguments(p, plan::offsets_of(intervals));
  plan::check_scan(p, exec::unwrap(intervals.first, intervals.count), intervals.count, intervals.total);
  return f(intervals);
}
template <class Policy, class Counts, class Function>
auto with_offsets(Policy& p, const interval_counts<Counts>& counts, const Function& f) {
  const auto first = exec::unwrap(counts.first, counts.count);
  plan::check_arguments(p, argument{first, counts.count, "the counts of the intervals"});
  const scanned_counts<Policy> scanned(p, first, counts.count);
  return f(interval_offsets<const offset*>(scanned.data(), counts.count, scanned.total()));
}

template <class Values, class Out>
auto expand_sink(Values values, Out out) {
  if constexpr (core::fills_array<Out>) return core::fill_array<Values, base::value_type<Out>>(values, out);
  else return core::expand<Values, Out>(values, out);
}

template <class In, class Out, class Gather, class Scatter>
auto move_sink(In in, Out out, Gather gather, Scatter scatter) {
  if constexpr (core::moves_array<In, Out>) {
    return core::move_array<base::value_type<In>, Gather, Scatter>(in, out, gather, scatter);
  } else {
    return core::move<In, Out, Gather, Scatter>(in, out, gather, scatter);
  }
}

/// Positions from which intervals are read, or to which they are written.
template <class... Positions>
struct whole_positions {
  static constexpr bool value = (!base::is_floating<base::value_type<Positions>> && ...);
  static_assert(value, "gather and scatter are positions: integers");
};

template <class Function>
struct function_of_items {
  static constexpr bool value = base::is_callable<Function, void(offset, offset, offset)>;
  static_assert(value, "f(item, interval, rank) takes three integers, each an mgpu::offset");
};

/// interval_expand. Returns the end of `out`.
template <class Policy, class Intervals, class Values, class Out>
Out expand_intervals(const Policy& policy, const Intervals& intervals, Values values, Out out) {
  if constexpr (exec::meets<exec::mgpu_policy<Policy>, exec::known_intervals<Intervals>,
                            exec::random_access_inputs<Values>, exec::inputs_that_stay<Values>,
                            exec::random_access_outputs<Out>, exec::writable_output<Out, Values>>) {
    Policy& p = exec::mutable_policy(policy);
    return plan::with_offsets(p, intervals, [&](const auto& known) {
      const auto from = exec::unwrap(values, known.count);
      const auto to = exec::unwrap(out, known.total);
      const argument read{from, known.count, "the values"};
      const argument written{to, known.total, "the output"};
      plan::check_arguments(p, read, written);
      plan::check_apart(written, read, plan::offsets_of(known));
      plan::visit_intervals(p, known, plan::expand_sink(from, to));
      return base::advanced(out, known.total);
    });
  } else {
    return out;
  }
}

/// interval_move; without gather interval_scatter, without scatter interval_gather. Returns the end of the items in
/// `out`.
template <class Policy, class Intervals, class Gather, class Scatter, class In, class Out>
Out move_intervals(const Policy& policy, const Intervals& intervals, Gather gather, Scatter scatter, In in, Out out) {
  if constexpr (exec::meets<exec::mgpu_policy<Policy>, exec::known_intervals<Intervals>,
                            exec::random_access_inputs<Gather, Scatter, In>, exec::random_access_outputs<Out>,
                            whole_positions<Gather, Scatter>, exec::writable_output<Out, In>>) {
    Policy& p = exec::mutable_policy(policy);
    return plan::with_offsets(p, intervals, [&](const auto& known) {
      const auto from = exec::unwrap(in, known.total);
      const auto to = exec::unwrap(out, known.total);
      const auto sources = exec::unwrap(gather, known.count);
      const auto destinations = exec::unwrap(scatter, known.count);
      const argument written{to, known.total, "the output"};
      const argument positions{sources, known.count, "gather"};
      plan::check_arguments(p, argument{from, known.total, "the input"}, written, positions,
                            argument{destinations, known.count, "scatter"});
      // Where else gather and scatter point, only the device knows.
      if constexpr (!base::has_values<Scatter>) plan::check_apart(written, positions, plan::offsets_of(known));
      plan::visit_intervals(p, known, plan::move_sink(from, to, sources, destinations));
      return base::advanced(out, known.total);
    });
  } else {
    return out;
  }
}

/// for_each_interval_item.
template <class Policy, class Intervals, class Function>
void visit_interval_items(const Policy& policy, const Intervals& intervals, Function f) {
  if constexpr (exec::meets<exec::mgpu_policy<Policy>, exec::known_intervals<Intervals>, function_of_items<Function>>) {
    Policy& p = exec::mutable_policy(policy);
    plan::with_offsets(p, intervals,
                       [&](const auto& known) { plan::visit_intervals(p, known, core::call<Function>(f)); });
  }
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
