// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/check.h>
#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/exec/distributed/policy.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/plan/distributed/call.h>
#include <mgpu/plan/distributed/merge.h>
#include <mgpu/plan/distributed/two_inputs.h>
#include <mgpu/plan/set_operation.h>

#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <optional>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Which set operation a call is, whether it has the promise of unique keys, and how the ranks search.
template <class Operation, class Key, class... Options>
constexpr offset variant_of_set_operation() {
  constexpr offset number = cuda::std::is_same_v<Operation, tile::set_union>          ? 0
                            : cuda::std::is_same_v<Operation, tile::set_intersection> ? 1
                            : cuda::std::is_same_v<Operation, tile::set_difference>   ? 2
                                                                                      : 3;
  return 2 * number + (set_options<Options...>::has_duplicates ? 1 : 0) +
         plan::variant_of_search<Key, base::order<typename set_options<Options...>::comparator>>();
}

/// A set operation over ranks: each rank gets whole pairs of its part of both inputs, and runs the operation on them.
/// run(policy, inputs, done, room) does that for one part of the rank's inputs, behind `done` elements of the result,
/// and returns how many it adds, at most `room`: so many are left, and sorted inputs give no more. check(count) throws
/// if an output is null and needs room for `count` elements. Returns how many elements each rank has got, as values[0].
template <class Distributed, class Inputs, class Check, class Run, class... Options>
const exec::rank_report* run_set_operation(const Distributed& d, const call_of_ranks& call, const Inputs& in,
                                           const Check& check, const Run& run, const Options&... o) {
  using order = base::order<typename set_options<Options...>::comparator>;
  using part = decltype(plan::inputs_of_rank(in.a, in.a_end, in.b, in.b_end, in.a_values, in.b_values));
  d.check_usable();
  exec::rank_failure failure;
  std::optional<distributed_inputs<pairs::stay_together, Distributed, part, order>> steps;
  offset a_count = 0, b_count = 0, size = 0, room = 0;
  failure.run([&] {
    const part own = plan::inputs_of_rank(in.a, in.a_end, in.b, in.b_end, in.a_values, in.b_values);
    a_count = own.a_count;
    b_count = own.b_count;
    room = own.count();
    check(room);
    steps.emplace(d, own, order{set_options<Options...>::compare(o...)});
    steps->prepare(cuda::std::bool_constant<set_options<Options...>::has_duplicates>{});
  });
  const auto* const counts =
      plan::agree_on_call<typename part::keys_a, typename part::values_a>(d, failure, call, a_count, b_count);
  if (plan::total_count(counts, d.size()) == 0) return d.agree(failure);
  steps->split(failure, counts);
  steps->exchange(failure);
  failure.run([&] {
    steps->for_each_part([&](const auto& p) {
      const set_inputs inputs{p.a, p.a + p.a_count, p.b, p.b + p.b_count, p.a_values, p.b_values};
      size += run(steps->policy(), inputs, size, room - size);
    });
  });
  return d.agree_at_end(failure, size);
}

/// The calls of set operations, keys and by key. Returns the ends of this rank's part of the result.
template <class Operation, class Distributed, class Inputs, class Keys, class Values, class... Options>
cuda::std::pair<Keys, Values> distributed_set_operation(const Distributed& d, const Inputs& in,
                                                        const set_outputs<Keys, Values>& out, const Options&... o) {
  const auto check = [&](offset count) {
    base::check_not_null(exec::unwrap(out.keys, count), count, "the output of the keys");
    base::check_not_null(exec::unwrap(out.values, count), count, "the output of the values");
  };
  const auto run = [&](const auto& policy, const auto& part, offset done, offset room) {
    const set_outputs rest{base::advanced(out.keys, done), base::advanced(out.values, done), room};
    return static_cast<offset>(plan::set_operation<Operation>(policy, part, rest, o...).first - rest.keys);
  };
  const call_of_ranks call{distributed_call::set_operation,
                           plan::variant_of_set_operation<Operation, base::value_type<decltype(in.a)>, Options...>()};
  const offset size = plan::run_set_operation(d, call, in, check, run, o...)[d.rank()].values[0];
  return {base::advanced(out.keys, size), base::advanced(out.values, size)};
}

/// The size of the whole result.
template <class Operation, class Distributed, class Inputs, class... Options>
offset distributed_set_operation_size(const Distributed& d, const Inputs& in, const Options&... o) {
  const auto check = [](offset) {};
  const auto run = [&](const auto& policy, const auto& part, offset, offset room) {
    return base::min(room, plan::set_operation_size<Operation>(policy, part, o...));
  };
  const call_of_ranks call{distributed_call::set_operation_size,
                           plan::variant_of_set_operation<Operation, base::value_type<decltype(in.a)>, Options...>()};
  const auto* const sizes = plan::run_set_operation(d, call, in, check, run, o...);
  offset size = 0;
  for (int r = 0; r < d.size(); ++r) size += sizes[r].values[0];
  return size;
}

/// Whether the types of a call meet its requirements.
template <class Operation, class Policy, class Inputs, class Outputs, class... Options>
struct sound_set_call_of_ranks;
template <class Operation, class Policy, class A, class B, class ValuesA, class ValuesB, class Outputs,
          class... Options>
struct sound_set_call_of_ranks<Operation, Policy, set_inputs<A, B, ValuesA, ValuesB>, Outputs, Options...> {
  using emitted_b = cuda::std::conditional_t<Operation::emits_b, ValuesB, ValuesA>;
  static constexpr bool value =
      is_sound_set_call<Operation, Policy, set_inputs<A, B, ValuesA, ValuesB>, Outputs, Options...> &&
      exec::meets<same_elements<A, B>, same_elements<ValuesA, emitted_b>, sent_as_bytes<A, ValuesA>>;
};

/// The calls of distributed.h; with one rank those of its policy.
template <class Operation, class Distributed, class Inputs, class Keys, class Values, class... Options>
cuda::std::pair<Keys, Values> set_operation_of_ranks(const Distributed& d, const Inputs& in,
                                                     const set_outputs<Keys, Values>& out, const Options&... o) {
  using policy = typename Distributed::local_policy;
  if constexpr (sound_set_call_of_ranks<Operation, policy, Inputs, set_outputs<Keys, Values>, Options...>::value) {
    if (d.size() == 1) return plan::set_operation<Operation>(d.local(), in, out, o...);
    return plan::distributed_set_operation<Operation>(d, in, out, o...);
  } else {
    return {out.keys, out.values};
  }
}
template <class Operation, class Distributed, class Inputs, class... Options>
offset set_operation_size_of_ranks(const Distributed& d, const Inputs& in, const Options&... o) {
  using policy = typename Distributed::local_policy;
  using no_outputs = set_outputs<base::no_values, base::no_values>;
  if constexpr (sound_set_call_of_ranks<Operation, policy, Inputs, no_outputs, Options...>::value) {
    if (d.size() == 1) return plan::set_operation_size<Operation>(d.local(), in, o...);
    return plan::distributed_set_operation_size<Operation>(d, in, o...);
  } else {
    return 0;
  }
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
