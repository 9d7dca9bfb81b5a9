// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/intervals.h>
#include <mgpu/plan/interval.h>

MGPU_NAMESPACE_BEGIN

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
  return plan::expand_intervals(policy, intervals, values, out);
}

/// Copies interval i's items from in[gather[i], gather[i] + count): out[k] = in[gather[i] + rank] for the item k = begin + rank
/// of interval i. Returns out + total. As interval_expand otherwise; nothing is read of `in` but the ranges that intervals name,
/// with bad offsets nothing outside in[gather[i], gather[i] + total).
template <class Policy, class Intervals, class Gather, class In, class Out>
Out interval_gather(const Policy& policy, const Intervals& intervals, Gather gather, In in, Out out) {
  return plan::move_intervals(policy, intervals, gather, base::no_values{}, in, out);
}

/// Copies interval i's items to out[scatter[i], scatter[i] + count): out[scatter[i] + rank] = in[k] for the item k = begin + rank
/// of interval i. As interval_gather otherwise.
/// Requires: the ranges that intervals name in out overlap neither each other nor an input, and lie in out: what is behind
///   scatter[i] cannot be checked.
template <class Policy, class Intervals, class Scatter, class In, class Out>
void interval_scatter(const Policy& policy, const Intervals& intervals, Scatter scatter, In in, Out out) {
  plan::move_intervals(policy, intervals, base::no_values{}, scatter, in, out);
}

/// Many copies at once: in[gather[i], gather[i] + count) to out[scatter[i], scatter[i] + count) for every interval i.
/// As interval_scatter otherwise.
template <class Policy, class Intervals, class Gather, class Scatter, class In, class Out>
void interval_move(const Policy& policy, const Intervals& intervals, Gather gather, Scatter scatter, In in, Out out) {
  plan::move_intervals(policy, intervals, gather, scatter, in, out);
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
  plan::visit_interval_items(policy, intervals, f);
}

MGPU_NAMESPACE_END
