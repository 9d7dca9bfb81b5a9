// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/intervals.h>
#include <mgpu/plan/interval.h>

MGPU_NAMESPACE_BEGIN

/// Repeats values[i] for every item of interval i: out[k] = values[i] for each item k of interval i. Returns out +
/// total.
/// Order: that of the items.
/// Requires: random-access iterators; out overlaps no input. `intervals` is an interval_offsets (an exclusive scan of
///   counts) or an interval_counts (which this call scans). If offsets are not an exclusive scan of counts, out is
///   unspecified; nothing outside [out, out + total) is written, and nothing outside [values, values + count) is read.
/// Cost: O(intervals + items), shared evenly by the tiles whatever the counts are, and O(log(intervals)) per tile. A
///   value is read once per tile, by up to 32 threads. A value that is not trivially copyable or is wider than 64 bytes
///   is read once per item.
/// Memory: none on the CPU and for small inputs (a few million elements on a large GPU). For larger inputs one 8-byte
///   offset per tile of some thousand intervals and items. With interval_counts also 8 bytes per interval and the
///   memory of the scan. From the policy's allocator. Stream-ordered; returns before completion under par_nosync, with
///   interval_counts after it has waited for the total.
/// Throws: std::invalid_argument for the arguments that intervals.h names and if a pointer to elements is null. If the
///   policy synchronizes, std::invalid_argument also if offsets do not begin at 0, do not ascend or exceed the total.
///   std::bad_alloc; mgpu::cuda_error. The inputs are then unchanged.
/// Source: S. Baxter, "Modern GPU", IntervalExpand and IntervalMove (2013).
template <class Policy, class Intervals, class Values, class Out>
Out interval_expand(const Policy& policy, const Intervals& intervals, Values values, Out out) {
  return detail::plan::expand_intervals(policy, intervals, values, out);
}

/// Copies interval i's items from in[gather[i], gather[i] + count): out[k] = in[gather[i] + rank] for each item k =
/// begin + rank of interval i. Returns out + total. Otherwise as interval_expand. Only the ranges that the intervals
/// name are read of `in`; with bad offsets, nothing outside in[gather[i], gather[i] + total).
template <class Policy, class Intervals, class Gather, class In, class Out>
Out interval_gather(const Policy& policy, const Intervals& intervals, Gather gather, In in, Out out) {
  return detail::plan::move_intervals(policy, intervals, gather, detail::base::no_values{}, in, out);
}

/// Copies interval i's items to out[scatter[i], scatter[i] + count): out[scatter[i] + rank] = in[k] for each item k =
/// begin + rank of interval i. Otherwise as interval_gather.
/// Requires: the ranges that the intervals name in out lie in out, and overlap neither each other nor an input. The
///   library cannot check where scatter[i] points. What two items name, two threads may write at once: of a type that
///   is not trivially copyable that is undefined.
template <class Policy, class Intervals, class Scatter, class In, class Out>
void interval_scatter(const Policy& policy, const Intervals& intervals, Scatter scatter, In in, Out out) {
  detail::plan::move_intervals(policy, intervals, detail::base::no_values{}, scatter, in, out);
}

/// Many copies at once: copies in[gather[i], gather[i] + count) to out[scatter[i], scatter[i] + count) for every
/// interval i. Otherwise as interval_scatter.
template <class Policy, class Intervals, class Gather, class Scatter, class In, class Out>
void interval_move(const Policy& policy, const Intervals& intervals, Gather gather, Scatter scatter, In in, Out out) {
  detail::plan::move_intervals(policy, intervals, gather, scatter, in, out);
}

/// Writes the number of its interval for every item. Returns out + total. Otherwise as interval_expand.
template <class Policy, class Intervals, class Out>
Out load_balance_search(const Policy& policy, const Intervals& intervals, Out out) {
  return mgpu::interval_expand(policy, intervals, detail::base::counting{}, out);
}

/// Calls f(item, interval, rank) for every item, in no order. The three arguments are offsets (64-bit integers); rank
/// is the item's number in its interval. f is copied. Many threads call it at once, as const; its result is ignored. On
/// the GPU f must be __device__. Otherwise as interval_expand.
template <class Policy, class Intervals, class Function>
void for_each_interval_item(const Policy& policy, const Intervals& intervals, Function f) {
  detail::plan::visit_interval_items(policy, intervals, f);
}

MGPU_NAMESPACE_END
