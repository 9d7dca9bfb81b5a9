// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/check.h>
#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/core/merge.h>
#include <mgpu/exec/distributed/policy.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/plan/distributed/call.h>
#include <mgpu/plan/distributed/two_inputs.h>

#include MGPU_CUDA_VERB_HEADER(run)

#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <optional>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// The ends of a caller's inputs. Throws std::invalid_argument if one lies before its beginning.
template <class KeysA, class KeysB, class ValuesA, class ValuesB>
auto inputs_of_rank(KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values, ValuesB b_values) {
  const offset a_count = base::checked_count(a, a_end, "a");
  const offset b_count = base::checked_count(b, b_end, "b");
  return rank_inputs{exec::unwrap(a, a_count),        exec::unwrap(b, b_count),       a_count, b_count,
                     exec::unwrap(a_values, a_count), exec::unwrap(b_values, b_count)};
}

/// The calls of merge and merge_by_key with a policy over ranks. make_inputs() returns what inputs_of_rank does.
template <class Distributed, class MakeInputs, class Keys, class Values, class Compare>
cuda::std::pair<Keys, Values> distributed_merge(const Distributed& d, const MakeInputs& make_inputs, Keys keys,
                                                Values values, const Compare& compare) {
  using inputs = decltype(make_inputs());
  using order = base::order<Compare>;
  d.check_usable();
  exec::rank_failure failure;
  std::optional<distributed_inputs<pairs::may_be_cut, Distributed, inputs, order>> steps;
  offset a_count = 0, b_count = 0, count = 0;
  failure.run([&] {
    const inputs in = make_inputs();
    a_count = in.a_count;
    b_count = in.b_count;
    count = in.count();
    base::check_not_null(exec::unwrap(keys, count), count, "the output of the keys");
    base::check_not_null(exec::unwrap(values, count), count, "the output of the values");
    steps.emplace(d, in, order{compare});
    steps->prepare(cuda::std::true_type{});
  });
  const auto* const counts = plan::agree_on_call<typename inputs::keys_a, typename inputs::values_a>(
      d, failure,
      {distributed_call::merge, plan::variant_of_search<base::value_type<typename inputs::keys_a>, order>()}, a_count,
      b_count);
  if (plan::total_count(counts, d.size()) == 0) return {keys, values};
  steps->split(failure, counts);
  steps->exchange(failure);
  failure.run([&] {
    offset done = 0;
    steps->for_each_part([&](const auto& part) {
      exec::executor(steps->policy())
          .run(core::merge{part.a, part.b, part.a_count, part.b_count, part.a_values, part.b_values,
                           exec::unwrap(keys, count) + done, exec::unwrap(values, count) + done, order{compare}});
      done += part.count();
    });
  });
  d.agree_at_end(failure);
  return {base::advanced(keys, count), base::advanced(values, count)};
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
