// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/plan/argument.h>

#include MGPU_INPUT_CHECKS_HEADER

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Whether two iterators are the same pointer.
template <class X, class Y>
bool are_same_pointer([[maybe_unused]] const X& x, [[maybe_unused]] const Y& y) {
  if constexpr (cuda::std::is_pointer_v<X> && cuda::std::is_pointer_v<Y>)
    return static_cast<const volatile void*>(x) == static_cast<const volatile void*>(y);
  else return false;
}

/// Checks the arguments of a core that takes two sorted inputs, keys with values or keys alone, to outputs with room
/// for out_count elements, and to `others`. Throws std::invalid_argument for a null pointer to elements. Where
/// MGPU_CHECK_INPUTS is defined, it also throws that for inputs that are not sorted, for memory that the device cannot
/// access, and for outputs that overlap something, unless the keys lie over a and may.
template <class Policy, class Core, class HasDuplicates, class... Others>
void check_two_inputs(Policy& p, const Core& work, offset out_count, HasDuplicates has_duplicates,
                      const Others&... others) {
  const argument a{work.a, work.a_count, "a"};
  const argument b{work.b, work.b_count, "b"};
  const argument a_values{work.a_values, work.a_count, "the values of a"};
  const argument b_values{work.b_values, work.b_count, "the values of b"};
  const argument keys_out{work.keys_out, out_count, "the output of the keys"};
  const argument values_out{work.values_out, out_count, "the output of the values"};
  plan::check_arguments(p, a, b, a_values, b_values, keys_out, values_out, others...);
  const bool is_in_place = Core::may_be_in_place && plan::are_same_pointer(work.a, work.keys_out);
  plan::check_apart(keys_out, argument{work.a, is_in_place ? 0 : work.a_count, "a"}, b, a_values, b_values, values_out);
  plan::check_apart(values_out, a, b, a_values, b_values);
  (plan::check_apart(others, a, b, a_values, b_values, keys_out, values_out), ...);
  plan::check_sorted(p, work.a, work.a_count, work.compare, has_duplicates, "a");
  plan::check_sorted(p, work.b, work.b_count, work.compare, has_duplicates, "b");
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
