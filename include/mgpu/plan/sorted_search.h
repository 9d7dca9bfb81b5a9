// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The calls of sorted_search.h: a sink for the positions, and core::sorted_search, which finds them.

#include <mgpu/base/check.h>
#include <mgpu/base/search_order.h>
#include <mgpu/core/search_sink.h>
#include <mgpu/core/sorted_search.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/requirements.h>
#include <mgpu/plan/argument.h>

#include MGPU_INPUT_CHECKS_HEADER
#include MGPU_CUDA_VERB_HEADER(each)
#include MGPU_CUDA_VERB_HEADER(run)

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Searches one value in a whole range.
template <class Core>
struct search_alone {
  Core core;
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void operator()(offset number) const { core.run_alone(number); }
};

/// True if there are few values for the range. Then each is searched for itself, so that not all of the range is read.
inline bool are_few_values(offset value_count, offset element_count) {
  return element_count / tuning::search_sparse_ratio >= value_count;
}

template <class Policy, class Core>
void search_each(Policy& p, const Core& work) {
  if (work.value_count == 0) return;
  auto executor = exec::executor(p);
  executor.each(work.value_count, search_alone<Core>{work});
  executor.complete();
}

/// Runs a search.
template <class Policy, class Core>
void run_search(Policy& p, const Core& work) {
  if (work.value_count == 0) return;
  auto executor = exec::executor(p);
  if (plan::are_few_values(work.value_count, work.element_count)) {
    plan::search_each(p, work);
  } else if constexpr (exec::executor_of<Policy>::has_shared_memory) {
    executor.run(work);
  } else {
    executor.run(core::search_cut_at_values<Core>{work});
  }
}

/// An output that takes row numbers or positions.
template <class... Outs>
struct writable_numbers {
  static constexpr bool value = (base::is_assignable<base::element<exec::unwrapped<Outs>>, offset> && ...);
  static_assert(value, "an output takes numbers of elements: pass an iterator to integers that are not const");
};

/// lower_bound_sorted_values and upper_bound_sorted_values. Returns the end of `out`.
template <template <class> class Order, class Policy, class Range, class Values, class Out, class Compare>
Out search_values(const Policy& policy, Range first, Range last, Values values, Values values_end, Out out,
                  const Compare& compare) {
  Policy& p = exec::mutable_policy(policy);
  const offset element_count = base::checked_count(first, last, "the range");
  const offset value_count = base::checked_count(values, values_end, "the values");
  const auto elements = exec::unwrap(first, element_count);
  const auto searched = exec::unwrap(values, value_count);
  const auto to = exec::unwrap(out, value_count);
  const argument range{elements, element_count, "the range"};
  const argument range_of_values{searched, value_count, "the values"};
  const argument positions{to, value_count, "the output"};
  plan::check_arguments(p, range, range_of_values, positions);
  plan::check_apart(positions, range, range_of_values);
  const base::order<Compare> order{compare};
  plan::check_sorted(p, elements, element_count, order, cuda::std::true_type{}, "the range");
  plan::check_sorted(p, searched, value_count, order, cuda::std::true_type{}, "the range of values");
  plan::run_search(p, core::sorted_search{searched, elements, value_count, element_count,
                                          core::positions_to<exec::unwrapped<Out>>{to}, Order<Compare>{order},
                                          base::bad_input_flag{nullptr}});
  return base::advanced(out, value_count);
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
