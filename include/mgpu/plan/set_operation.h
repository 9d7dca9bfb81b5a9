// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The calls of set_operations.h: options, checked arguments, one core, one verb.

#include <mgpu/base/check.h>
#include <mgpu/base/order.h>
#include <mgpu/core/set_operation.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/requirements.h>
#include <mgpu/plan/copied_range.h>
#include <mgpu/plan/two_inputs.h>

#include MGPU_CUDA_VERB_HEADER(compact)

#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

MGPU_NAMESPACE_BEGIN

struct unique_keys_promise;

namespace detail::plan {

/// The trailing options of a call.
template <class... Options>
struct set_options {
  static constexpr bool value = sizeof...(Options) == 0;
  static_assert(value, "the options of a set operation are [compare][, mgpu::unique_keys]");
  using comparator = cuda::std::less<>;
  static constexpr bool has_duplicates = true;
  static comparator compare() { return {}; }
};
template <>
struct set_options<unique_keys_promise> : set_options<> {
  static constexpr bool has_duplicates = false;
  static comparator compare(const unique_keys_promise&) { return {}; }
};
template <class Compare>
struct set_options<Compare> {
  static constexpr bool value = true;
  using comparator = Compare;
  static constexpr bool has_duplicates = true;
  static Compare compare(const Compare& c) { return c; }
};
template <class Compare>
struct set_options<Compare, unique_keys_promise> {
  static constexpr bool value = true;
  using comparator = Compare;
  static constexpr bool has_duplicates = false;
  static Compare compare(const Compare& c, const unique_keys_promise&) { return c; }
};

template <class KeysA, class KeysB, class ValuesA, class ValuesB>
struct set_inputs {
  KeysA a, a_end;
  KeysB b, b_end;
  ValuesA a_values;
  ValuesB b_values;
};
template <class KeysA, class KeysB, class ValuesA, class ValuesB>
set_inputs(KeysA, KeysA, KeysB, KeysB, ValuesA, ValuesB) -> set_inputs<KeysA, KeysB, ValuesA, ValuesB>;

template <class Keys, class Values>
struct set_outputs {
  Keys keys;
  Values values;
  offset room = cuda::std::numeric_limits<offset>::max();
};
template <class Keys, class Values>
set_outputs(Keys, Values) -> set_outputs<Keys, Values>;
template <class Keys, class Values>
set_outputs(Keys, Values, offset) -> set_outputs<Keys, Values>;

inline constexpr base::no_values none{};

/// Whether the types of a call meet its requirements. A class: nvcc 13.0 crashes over a variable template's
/// specialization.
template <class Operation, class Policy, class Inputs, class Outputs, class Options>
struct sound_set_types;
template <class Operation, class Policy, class A, class B, class ValuesA, class ValuesB, class Out, class ValuesOut,
          class Options>
struct sound_set_types<Operation, Policy, set_inputs<A, B, ValuesA, ValuesB>, set_outputs<Out, ValuesOut>, Options> {
  static constexpr bool value = exec::meets<
      exec::mgpu_policy<Policy>, Options, exec::random_access_inputs<A, B, ValuesA, ValuesB>,
      exec::inputs_that_stay<A, B>, exec::random_access_outputs<Out, ValuesOut>,
      exec::writable_output<Out, A, cuda::std::conditional_t<Operation::emits_b, B, A>>,
      exec::writable_output<ValuesOut, ValuesA, cuda::std::conditional_t<Operation::emits_b, ValuesB, ValuesA>>,
      exec::comparator_of<typename Options::comparator, A, B>, exec::comparator_of<typename Options::comparator, B, A>,
      exec::callable_comparator<Policy, typename Options::comparator>>;
};
template <class Operation, class Policy, class Inputs, class Outputs, class... Options>
inline constexpr bool is_sound_set_call =
    sound_set_types<Operation, Policy, Inputs, Outputs, set_options<Options...>>::value;

/// The core of a call. Throws std::invalid_argument if an end lies before its beginning.
template <class Operation, class Inputs, class Outputs, class... Options>
auto set_core_of(const Inputs& in, const Outputs& out, const Options&... o) {
  const offset a_count = base::checked_count(in.a, in.a_end, "a");
  const offset b_count = base::checked_count(in.b, in.b_end, "b");
  const offset count = tile::set_operation_max_size<Operation>(a_count, b_count);
  const core::set_operation work{
      cuda::std::bool_constant<set_options<Options...>::has_duplicates>{},
      Operation{},
      exec::unwrap(in.a, a_count),
      exec::unwrap(in.b, b_count),
      a_count,
      b_count,
      exec::unwrap(in.a_values, a_count),
      exec::unwrap(in.b_values, b_count),
      exec::unwrap(out.keys, count),
      exec::unwrap(out.values, count),
      base::order<typename set_options<Options...>::comparator>{set_options<Options...>::compare(o...)},
      out.room};
  return work;
}

template <class Policy, class Core, class... Others>
Policy& check_set_inputs(const Policy& policy, const Core& work, const Others&... others) {
  Policy& p = exec::mutable_policy(policy);
  plan::check_two_inputs(p, work, work.max_size(), work.has_duplicates, others...);
  return p;
}

/// Writes the results on the CPU; of inputs that are found to be disjoint without tiles. Returns their number.
template <class Policy, class Core>
offset write_on_cpu(Policy& p, const Core& work) {
  if constexpr (Core::may_be_disjoint) {
    if (work.is_disjoint())
      return work.copy_inputs([&p](offset count, const auto& f) { plan::for_each_part(p, count, f); });
  }
  return exec::executor(p).compact(work);
}

/// Writes the results. Returns their number.
template <class Policy, class Core>
offset write_set(Policy& p, const Core& work) {
  if constexpr (exec::executor_of<Policy>::has_shared_memory) {
    return exec::executor(p).compact(work);
  } else {
    if (work.emits_nothing()) return 0;
    if constexpr (Core::may_be_in_place) {
      // The CPU runs tiles in any order. If the output lies over an input, a tile would read what another has written.
      if (work.is_in_place()) {
        const copied_range<typename Core::key_a, Policy> copy(p, work.a, work.a_count);
        if constexpr (Core::compares_copies) {
          return plan::write_on_cpu(p, work.reading(copy.data(), work.b));
        } else {
          const copied_range<typename Core::key_b, Policy> copy_of_b(p, work.b, work.b_count);
          return plan::write_on_cpu(p, work.reading(copy.data(), copy_of_b.data()));
        }
      }
    }
    return plan::write_on_cpu(p, work);
  }
}

template <class Operation, class Policy, class Inputs, class Keys, class Values, class... Options>
cuda::std::pair<Keys, Values> set_operation(const Policy& p, const Inputs& in, const set_outputs<Keys, Values>& out,
                                            const Options&... o) {
  if constexpr (is_sound_set_call<Operation, Policy, Inputs, set_outputs<Keys, Values>, Options...>) {
    const auto work = plan::set_core_of<Operation>(in, out, o...);
    Policy& policy = plan::check_set_inputs(p, work);
    const offset size = work.max_size() == 0 ? 0 : plan::write_set(policy, work);
    return {base::advanced(out.keys, size), base::advanced(out.values, size)};
  } else {
    return {out.keys, out.values};
  }
}

template <class Operation, class Policy, class Inputs, class Outputs, class SizeOut, class... Options>
void set_operation_into(const Policy& p, const Inputs& in, const Outputs& out, SizeOut size_out, const Options&... o) {
  if constexpr (is_sound_set_call<Operation, Policy, Inputs, Outputs, Options...> &&
                exec::meets<exec::writable_size<SizeOut>>) {
    const auto to = exec::unwrap(size_out, 1);
    const auto work = plan::set_core_of<Operation>(in, out, o...);
    Policy& policy = plan::check_set_inputs(p, work, argument{to, 1, "the output of the size"});
    if constexpr (exec::executor_of<Policy>::has_shared_memory) exec::executor(policy).compact_into(work, to);
    else base::write_number_to(to, plan::write_set(policy, work));
  }
}

template <class Operation, class Policy, class Inputs, class... Options>
offset set_operation_size(const Policy& p, const Inputs& in, const Options&... o) {
  using no_outputs = set_outputs<base::no_values, base::no_values>;
  if constexpr (is_sound_set_call<Operation, Policy, Inputs, no_outputs, Options...>) {
    const auto work = plan::set_core_of<Operation>(in, no_outputs{}, o...);
    Policy& policy = plan::check_set_inputs(p, work);
    return work.max_size() == 0 ? 0 : exec::executor(policy).count(work);
  } else {
    return 0;
  }
}

}  // namespace detail::plan

MGPU_NAMESPACE_END
