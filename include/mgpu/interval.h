// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/check.h>
#include <mgpu/base/iterator.h>
#include <mgpu/core/interval/interval.h>
#include <mgpu/core/interval/expand.h>
#include <mgpu/core/interval/move.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/requirements.h>
#include <mgpu/plan/scanned_counts.h>
#include <mgpu/intervals.h>

#include MGPU_INPUT_CHECKS_HEADER

#include <cuda/std/type_traits>

#include <stdexcept>
#include <string>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// Runs a sink over intervals whose offsets are known. Where the policy waits, it learns whether they were sound.
template <class Policy, class Offsets, class Sink>
void visit_intervals(Policy& p, const interval_offsets<Offsets>& intervals, const Sink& sink) {
  if (intervals.count == 0) return;
  typename executor_of<Policy>::fault fault(p);
  exec::executor(p).run(core::interval{exec::unwrap(intervals.first, intervals.count), intervals.count, intervals.total,
                                       sink, fault.place()});
  if (fault.is_set()) {
    throw std::invalid_argument("mgpu: the offsets of the intervals are no exclusive scan of counts with the total " +
                                std::to_string(intervals.total));
  }
}

/// f(intervals) with the intervals' offsets, scanned where they are given by their counts.
template <class Policy, class Offsets, class Function>
auto with_offsets(Policy& p, const interval_offsets<Offsets>& intervals, const Function& f) {
  exec::check_scan(p, exec::unwrap(intervals.first, intervals.count), intervals.count, intervals.total);
  return f(intervals);
}
template <class Policy, class Counts, class Function>
auto with_offsets(Policy& p, const interval_counts<Counts>& counts, const Function& f) {
  const scanned_counts<Policy> scanned(p, exec::unwrap(counts.first, counts.count), counts.count);
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

/// Positions by which intervals are read or written.
template <class... Positions>
struct whole_positions {
  static constexpr bool value = (!cuda::std::is_floating_point_v<base::value_type<Positions>> && ...);
  static_assert(value, "gather and scatter are positions: integers");
};

template <class Function>
struct function_of_items {
  static constexpr bool value = base::is_callable<Function, void(offset, offset, offset)>;
  static_assert(value, "f(item, interval, rank) takes three integers, each an mgpu::offset");
};

/// Whether the types of a call that copies intervals are what they have to be.
template <class Policy, class Intervals, class Gather, class Scatter, class In, class Out>
inline constexpr bool is_move =
    meets<mgpu_policy<Policy>, known_intervals<Intervals>, random_access_inputs<Gather, Scatter, In>,
          random_access_outputs<Out>, whole_positions<Gather, Scatter>, writable_output<Out, In>>;

template <class Policy, class Intervals, class Gather, class Scatter, class In, class Out>
offset move_intervals(const Policy& policy, const Intervals& intervals, Gather gather, Scatter scatter, In in,
                      Out out) {
  Policy& p = exec::mutable_policy(policy);
  return with_offsets(p, intervals, [&](const auto& known) {
    const auto from = exec::unwrap(in, known.total);
    const auto to = exec::unwrap(out, known.total);
    const auto sources = exec::unwrap(gather, known.count);
    const auto destinations = exec::unwrap(scatter, known.count);
    base::check_not_null(from, known.total, "the input");
    base::check_not_null(to, known.total, "the output");
    base::check_not_null(sources, known.count, "gather");
    base::check_not_null(destinations, known.count, "scatter");
    exec::visit_intervals(p, known, exec::move_sink(from, to, sources, destinations));
    return known.total;
  });
}

}  // namespace exec

/// Repeats values[i] for every item of interval i: out[k] = values[i] for all items k of it. Returns out + total.
/// Order: that of the items. A value is read once per tile, by up to 32 threads; one that is not trivially copyable or wider than
///   64 bytes once per item.
/// Requires: random-access iterators; out overlaps no input. intervals: interval_offsets (an exclusive scan of counts) or
///   interval_counts (scanned here). Offsets that are no such scan leave out unspecified, but nothing outside [out, out + total)
///   is written, and nothing is read outside [values, values + count).
/// Cost: O(intervals + items), shared evenly by the tiles whatever the counts are, and O(log(intervals)) per tile.
/// Memory: none for small inputs (a few million elements on a large GPU) and on the CPU; beyond, an 8-byte offset per tile of
///   some thousand intervals and items from the policy's allocator; with interval_counts 8 bytes per interval and those of the
///   scan. Stream-ordered; returns before completion under par_nosync, with interval_counts after waiting for the total.
/// Throws: std::invalid_argument for intervals that are none (see intervals.h), for a null pointer to elements, and, where the
///   policy waits, for offsets that do not begin at 0, do not ascend or exceed the total; std::bad_alloc, mgpu::cuda_error. The
///   inputs are then unchanged.
/// Source: S. Baxter, "Modern GPU", IntervalExpand and IntervalMove (2013).
template <class Policy, class Intervals, class Values, class Out>
Out interval_expand(const Policy& policy, const Intervals& intervals, Values values, Out out) {
  if constexpr (exec::meets<exec::mgpu_policy<Policy>, exec::known_intervals<Intervals>,
                            exec::random_access_inputs<Values>, exec::random_access_outputs<Out>,
                            exec::writable_output<Out, Values>>) {
    Policy& p = exec::mutable_policy(policy);
    return exec::with_offsets(p, intervals, [&](const auto& known) {
      const auto from = exec::unwrap(values, known.count);
      const auto to = exec::unwrap(out, known.total);
      base::check_not_null(from, known.count, "the values");
      base::check_not_null(to, known.total, "the output");
      exec::visit_intervals(p, known, exec::expand_sink(from, to));
      return out + known.total;
    });
  } else {
    return out;
  }
}

/// Copies interval i's items from in[gather[i], gather[i] + count): out[k] = in[gather[i] + rank] for the item k = begin + rank
/// of interval i. Returns out + total. As interval_expand otherwise; nothing is read of `in` but the ranges that intervals name,
/// with bad offsets nothing outside in[gather[i], gather[i] + total).
template <class Policy, class Intervals, class Gather, class In, class Out>
Out interval_gather(const Policy& policy, const Intervals& intervals, Gather gather, In in, Out out) {
  if constexpr (exec::is_move<Policy, Intervals, Gather, base::no_values, In, Out>) {
    return out + exec::move_intervals(policy, intervals, gather, base::no_values{}, in, out);
  } else {
    return out;
  }
}

/// Copies interval i's items to out[scatter[i], scatter[i] + count): out[scatter[i] + rank] = in[k] for the item k = begin + rank
/// of interval i. As interval_gather otherwise.
/// Requires: the ranges that intervals name in out overlap neither each other nor an input, and lie in out: what is behind
///   scatter[i] cannot be checked.
template <class Policy, class Intervals, class Scatter, class In, class Out>
void interval_scatter(const Policy& policy, const Intervals& intervals, Scatter scatter, In in, Out out) {
  if constexpr (exec::is_move<Policy, Intervals, base::no_values, Scatter, In, Out>) {
    exec::move_intervals(policy, intervals, base::no_values{}, scatter, in, out);
  }
}

/// Many copies at once: in[gather[i], gather[i] + count) to out[scatter[i], scatter[i] + count) for every interval i.
/// As interval_scatter otherwise.
template <class Policy, class Intervals, class Gather, class Scatter, class In, class Out>
void interval_move(const Policy& policy, const Intervals& intervals, Gather gather, Scatter scatter, In in, Out out) {
  if constexpr (exec::is_move<Policy, Intervals, Gather, Scatter, In, Out>) {
    exec::move_intervals(policy, intervals, gather, scatter, in, out);
  }
}

/// Writes for every item the number of its interval. Returns out + total. As interval_expand otherwise.
template <class Policy, class Intervals, class Out>
Out load_balance_search(const Policy& policy, const Intervals& intervals, Out out) {
  return mgpu::interval_expand(policy, intervals, base::counting{}, out);
}

/// Calls f(item, interval, rank) for every item, in no order: three offsets (64-bit integers), rank being the item's number in
/// its interval. f is copied, and called as const by as many threads as there are; what it returns is not used. On the GPU it is
/// __device__. As interval_expand otherwise.
template <class Policy, class Intervals, class Function>
void for_each_interval_item(const Policy& policy, const Intervals& intervals, Function f) {
  if constexpr (exec::meets<exec::mgpu_policy<Policy>, exec::known_intervals<Intervals>,
                            exec::function_of_items<Function>>) {
    Policy& p = exec::mutable_policy(policy);
    exec::with_offsets(p, intervals,
                       [&](const auto& known) { exec::visit_intervals(p, known, core::call<Function>(f)); });
  }
}

MGPU_NAMESPACE_END
