// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/check.h>
#include <mgpu/base/order.h>
#include <mgpu/core/merge.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/requirements.h>
#include <mgpu/plan/two_inputs.h>

#include MGPU_CUDA_VERB_HEADER(run)

#include <cuda/std/functional>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

MGPU_NAMESPACE_BEGIN

/// Merges the pairs of keys a[0, n) and values a_values[0, n) with the pairs of keys b[0, m) and values b_values[0, m)
/// into keys_out[0, n + m) and values_out[0, n + m). Returns the ends of both outputs.
/// Stable: equal keys keep their order, those of a before those of b.
/// Requires: random-access iterators; a and b are sorted by compare; compare is a strict weak ordering; the outputs
///   overlap neither the inputs nor each other. If an input is not sorted, the outputs are not sorted, and nothing
///   outside the ranges is accessed.
///   A comparator, here and in every other function, is copied, and many threads call the copies at once. Its result
///   must convert to bool. Its operator() need not be const, but what a copy changes in itself is lost. On the GPU it
///   must not throw.
/// Cost: O(n + m) comparisons and O(log(n + m)) per tile; every element is read once and written once.
/// Memory: none on the CPU and for small inputs (a few million elements on a large GPU). For larger inputs one 8-byte
///   offset per tile of some thousand elements, from the policy's allocator. Stream-ordered; returns before completion
///   under par_nosync.
/// Throws: std::invalid_argument if an end lies before its beginning or a pointer to elements is null; std::bad_alloc;
///   mgpu::cuda_error. The inputs are then unchanged. On the CPU it also throws what compare throws, the first of
///   several exceptions; the outputs are then unspecified.
/// Source: S. Odeh, O. Green, Z. Mwassi, O. Shmueli, Y. Birk, "Merge Path - Parallel Merging Made Simple" (2012).
template <class Policy, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut, class ValuesOut,
          class Compare = cuda::std::less<>>
cuda::std::pair<KeysOut, ValuesOut> merge_by_key(const Policy& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                                 ValuesA a_values, ValuesB b_values, KeysOut keys_out,
                                                 ValuesOut values_out, Compare compare = {}) {
  if constexpr (detail::exec::meets<detail::exec::mgpu_policy<Policy>,
                                    detail::exec::random_access_inputs<KeysA, KeysB, ValuesA, ValuesB>,
                                    detail::exec::inputs_that_stay<KeysA, KeysB>,
                                    detail::exec::random_access_outputs<KeysOut, ValuesOut>,
                                    detail::exec::writable_output<KeysOut, KeysA, KeysB>,
                                    detail::exec::writable_output<ValuesOut, ValuesA, ValuesB>,
                                    detail::exec::comparator_of<Compare, KeysB, KeysA>,
                                    detail::exec::callable_comparator<Policy, Compare>>) {
    const offset a_count = detail::base::checked_count(a, a_end, "a");
    const offset b_count = detail::base::checked_count(b, b_end, "b");
    const offset count = a_count + b_count;
    if (count == 0) return {keys_out, values_out};
    const detail::core::merge work{detail::exec::unwrap(a, a_count),
                                   detail::exec::unwrap(b, b_count),
                                   a_count,
                                   b_count,
                                   detail::exec::unwrap(a_values, a_count),
                                   detail::exec::unwrap(b_values, b_count),
                                   detail::exec::unwrap(keys_out, count),
                                   detail::exec::unwrap(values_out, count),
                                   detail::base::order<Compare>{compare}};
    Policy& policy = detail::exec::mutable_policy(p);
    detail::plan::check_two_inputs(policy, work, count, cuda::std::true_type{});
    detail::exec::executor(policy).run(work);
    return {detail::base::advanced(keys_out, count), detail::base::advanced(values_out, count)};
  } else {
    return {keys_out, values_out};
  }
}

/// merge_by_key without values: merges a[0, n) and b[0, m) into out[0, n + m). Returns the end of out.
template <class Policy, class A, class B, class Out, class Compare = cuda::std::less<>>
Out merge(const Policy& p, A a, A a_end, B b, B b_end, Out out, Compare compare = {}) {
  constexpr detail::base::no_values none;
  return mgpu::merge_by_key(p, a, a_end, b, b_end, none, none, out, none, compare).first;
}

MGPU_NAMESPACE_END
