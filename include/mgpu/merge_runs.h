// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/plan/runs/merge_runs.h>
#include <mgpu/runs.h>

#include <cuda/std/functional>
#include <cuda/std/utility>

MGPU_NAMESPACE_BEGIN

/// Merges the sorted runs of an array of n pairs, keys[i] and values[i], into one: keys_out[0, n) and values_out[0, n).
/// Returns the ends of both outputs.
/// Stable: equal keys keep their order, those of a run before those of the runs behind it.
/// Requires: random-access iterators. `runs` is a run_offsets. Each run is sorted by compare, a strict weak ordering;
///   merge.h says what else a comparator must be. The outputs overlap neither the inputs nor each other. On the GPU a
///   key has at most 256 bytes, and keys and values are trivially destructible. If a run is not sorted, the outputs
///   hold some of the pairs in some order. If offsets do not ascend from 0 to n, the outputs are unspecified. In both
///   cases nothing outside the ranges is accessed.
/// Cost: O(n log k) comparisons for k runs, and O(k log n) per tile of some thousand elements. Up to 32 runs on the
///   GPU, 64 on the CPU, are merged in one pass, which reads and writes every element once. More take a pass for each
///   power of that number. If they have less than 64 elements on average, and elements can be copied as bytes, they are
///   sorted like an array.
/// Memory: one pass takes none on the CPU and for small inputs, else 8 bytes per tile and run, from the policy's
///   allocator. Several take the size of the arrays, and twice the size if there are more than two passes and an output
///   is not contiguous or not of its input's type. If elements cannot be copied as bytes, they take 16 bytes for each
///   instead, and 32 if there are more than two passes. Several passes over runs in arrays of their own also take 8
///   bytes for each run. A sort takes as much as stable_sort. On the CPU each thread also takes two tiles from the
///   heap. Stream-ordered; returns before completion under par_nosync and can be captured into a CUDA graph.
/// Throws: std::invalid_argument if an end lies before its beginning, a pointer to elements is null, or there are
///   elements but no runs (runs.h says what runs throw). If the policy synchronizes, std::invalid_argument also if the
///   offsets do not ascend from 0 to n > 0; the outputs are then unspecified. std::bad_alloc; mgpu::cuda_error. The
///   inputs are never changed. On the CPU it also throws what compare throws, the first of several exceptions; the
///   outputs are then unspecified.
/// Source: P. J. Varman, S. D. Scheufler, B. R. Iyer, G. R. Ricard, "Merging multiple lists on hierarchical-memory
///   multiprocessors" (1991), for the splits of tiles.
template <class Policy, class Keys, class Values, class Runs, class KeysOut, class ValuesOut,
          class Compare = cuda::std::less<>>
cuda::std::pair<KeysOut, ValuesOut> merge_runs_by_key(const Policy& p, Keys keys, Keys keys_end, Values values,
                                                      const Runs& runs, KeysOut keys_out, ValuesOut values_out,
                                                      Compare compare = {}) {
  return detail::plan::merge_array_runs(p, detail::plan::sort_range{keys, keys_end, values}, runs,
                                        detail::plan::run_outputs{keys_out, values_out}, compare);
}

/// merge_runs_by_key of runs in arrays of their own. `runs` is a run_ranges. The values of run i are
/// value_begins[i][0, its length). If lengths do not add up to the total of `runs`, the outputs are unspecified. A
/// length must not be more than its array has.
template <class Policy, class Runs, class ValueBegins, class KeysOut, class ValuesOut,
          class Compare = cuda::std::less<>>
cuda::std::pair<KeysOut, ValuesOut> merge_runs_by_key(const Policy& p, const Runs& runs, ValueBegins value_begins,
                                                      KeysOut keys_out, ValuesOut values_out, Compare compare = {}) {
  return detail::plan::merge_separate_runs(p, runs, value_begins, detail::plan::run_outputs{keys_out, values_out},
                                           compare);
}

/// merge_runs_by_key without values: merges the runs of [first, last). Returns the end of out.
template <class Policy, class Keys, class Runs, class Out, class Compare = cuda::std::less<>>
Out merge_runs(const Policy& p, Keys first, Keys last, const Runs& runs, Out out, Compare compare = {}) {
  constexpr detail::base::no_values none;
  return detail::plan::merge_array_runs(p, detail::plan::sort_range{first, last, none}, runs,
                                        detail::plan::run_outputs{out, none}, compare)
      .first;
}

/// The same of runs in arrays of their own.
template <class Policy, class Runs, class Out, class Compare = cuda::std::less<>>
Out merge_runs(const Policy& p, const Runs& runs, Out out, Compare compare = {}) {
  constexpr detail::base::no_values none;
  return detail::plan::merge_separate_runs(p, runs, none, detail::plan::run_outputs{out, none}, compare).first;
}

MGPU_NAMESPACE_END
