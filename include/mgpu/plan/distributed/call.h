// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/number.h>
#include <mgpu/exec/distributed/policy.h>

#include <cuda/std/type_traits>

#include <stdexcept>
#include <string>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// What ranks call, all of them the same.
enum class distributed_call : offset {
  stable_sort,
  merge,
  set_operation,
  set_operation_size,
  rebalance,
  inner_join,
  inner_join_size,
  as_of_join
};

/// A call with what else the ranks must have in common: a number below 16 for its variant.
struct call_of_ranks {
  distributed_call call;
  offset variant = 0;

  offset number() const { return static_cast<offset>(call) + 8 * variant; }
};

/// Elements that go from rank to rank as bytes.
template <class... Iterators>
struct sent_as_bytes {
  static constexpr bool value = (cuda::std::is_trivially_copyable_v<base::value_type<Iterators>> && ...);
  static_assert(value,
                "ranks send elements as bytes: keys and values must be trivially copyable; sort their numbers instead");
};

/// Inputs whose elements are put together by other ranks.
template <class A, class B>
struct same_elements {
  static constexpr bool value = cuda::std::is_same_v<base::value_type<A>, base::value_type<B>>;
  static_assert(value, "over ranks a and b have the same type of keys, and the same type of values");
};

/// What the ranks must have in common, for elements of these types. Numbers of one size differ by their kind.
template <class Keys, class Values>
constexpr offset signature_of(const call_of_ranks& call) {
  constexpr offset key_bytes = sizeof(base::value_type<Keys>);
  constexpr offset value_bytes = base::has_values<Values> ? sizeof(base::value_type<Values>) : 0;
  using key = base::value_type<Keys>;
  constexpr offset kind = !base::is_number<key> ? 0 : base::is_floating<key> ? 1 : cuda::std::is_signed_v<key> ? 2 : 3;
  return call.number() + 128 * (kind + 4 * (key_bytes + (value_bytes << 27)));
}

/// Throws on every rank if the ranks make different calls.
inline const exec::rank_report* checked_calls(const exec::rank_report* all, int ranks) {
  for (int r = 1; r < ranks; ++r) {
    if (all[r].values[0] != all[0].values[0])
      throw std::invalid_argument("mgpu: rank " + std::to_string(r) +
                                  " makes another call than rank 0, or has elements of another type");
  }
  return all;
}

/// The first agreement of a call: no rank has failed, and all call the same with elements of the same sizes. Returns
/// what each rank says of x and y, as values[1] and values[2].
template <class Keys, class Values, class Distributed>
const exec::rank_report* agree_on_call(const Distributed& d, const exec::rank_failure& failure,
                                       const call_of_ranks& call, offset x, offset y = 0) {
  return plan::checked_calls(d.agree(failure, plan::signature_of<Keys, Values>(call), x, y), d.size());
}

/// The sum over the ranks of a count, values[number], or base::max_offset if that is less.
inline offset sum_over_ranks(const exec::rank_report* counts, int ranks, int number) {
  offset result = 0;
  for (int r = 0; r < ranks; ++r) result = base::saturated_sum(result, counts[r].values[number]);
  return result;
}

/// The number of elements of all ranks.
inline offset total_count(const exec::rank_report* counts, int ranks) {
  return base::saturated_sum(plan::sum_over_ranks(counts, ranks, 1), plan::sum_over_ranks(counts, ranks, 2));
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
