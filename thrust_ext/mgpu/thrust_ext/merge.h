// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/exec/policy.h>
#include <mgpu/merge.h>
#include <mgpu/thrust_ext/default_order.h>

#include <thrust/merge.h>
#include <thrust/pair.h>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

template <class Policy>
struct thrust_plug_in<Policy, merge_hooks> {
  template <class Result>
  using result = Result;
};

template <class D, template <class> class S, class A, class B, class Out>
merge_end<D, Out> merge(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out) {
  return mgpu::merge(static_cast<D&>(p), a, a_end, b, b_end, out, order_of_merge<D, A, B>{});
}

template <class D, template <class> class S, class A, class B, class Out, class Compare>
merge_end<D, Out> merge(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out, Compare compare) {
  return mgpu::merge(static_cast<D&>(p), a, a_end, b, b_end, out, compare);
}

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut>
merge_ends<D, KeysOut, ValuesOut> merge_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                               ValuesA a_values, ValuesB b_values, KeysOut keys_out,
                                               ValuesOut values_out) {
  return exec::merge_by_key(p, a, a_end, b, b_end, a_values, b_values, keys_out, values_out,
                            order_of_merge<D, KeysA, KeysB>{});
}

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut, class Compare>
merge_ends<D, KeysOut, ValuesOut> merge_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                               ValuesA a_values, ValuesB b_values, KeysOut keys_out,
                                               ValuesOut values_out, Compare compare) {
  const auto ends =
      mgpu::merge_by_key(static_cast<D&>(p), a, a_end, b, b_end, a_values, b_values, keys_out, values_out, compare);
  return THRUST_NS_QUALIFIER::pair<KeysOut, ValuesOut>(ends.first, ends.second);
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
