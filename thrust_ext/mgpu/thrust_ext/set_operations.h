// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/exec/policy.h>
#include <mgpu/set_operations.h>
#include <mgpu/thrust_ext/default_order.h>

#include <thrust/pair.h>
#include <thrust/set_operations.h>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

template <class Policy>
struct thrust_plug_in<Policy, set_operation_hooks> {
  template <class Result>
  using result = Result;
};

template <class Keys, class Values>
THRUST_NS_QUALIFIER::pair<Keys, Values> as_thrust_pair(const ::cuda::std::pair<Keys, Values>& ends) {
  return {ends.first, ends.second};
}

template <class D, template <class> class S, class A, class B, class Out>
set_end<D, Out> set_union(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out) {
  return mgpu::set_union(static_cast<D&>(p), a, a_end, b, b_end, out, order_of_first<A, B>{});
}

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut>
set_ends<D, KeysOut, ValuesOut> set_union_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                                 ValuesA a_values, ValuesB b_values, KeysOut keys_out,
                                                 ValuesOut values_out) {
  return as_thrust_pair(mgpu::set_union_by_key(static_cast<D&>(p), a, a_end, b, b_end, a_values, b_values, keys_out,
                                               values_out, order_of_first<KeysA, KeysB>{}));
}

template <class D, template <class> class S, class A, class B, class Out, class Compare>
set_end<D, Out> set_union(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out, Compare compare) {
  return mgpu::set_union(static_cast<D&>(p), a, a_end, b, b_end, out, compare);
}

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut, class Compare>
set_ends<D, KeysOut, ValuesOut> set_union_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                                 ValuesA a_values, ValuesB b_values, KeysOut keys_out,
                                                 ValuesOut values_out, Compare compare) {
  return as_thrust_pair(mgpu::set_union_by_key(static_cast<D&>(p), a, a_end, b, b_end, a_values, b_values, keys_out,
                                               values_out, compare));
}

template <class D, template <class> class S, class A, class B, class Out>
set_end<D, Out> set_intersection(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out) {
  return mgpu::set_intersection(static_cast<D&>(p), a, a_end, b, b_end, out, order_of_first<A, B>{});
}

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class KeysOut, class ValuesOut>
set_ends<D, KeysOut, ValuesOut> set_intersection_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                                        ValuesA a_values, KeysOut keys_out, ValuesOut values_out) {
  return as_thrust_pair(mgpu::set_intersection_by_key(static_cast<D&>(p), a, a_end, b, b_end, a_values, keys_out,
                                                      values_out, order_of_first<KeysA, KeysB>{}));
}

template <class D, template <class> class S, class A, class B, class Out, class Compare>
set_end<D, Out> set_intersection(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out, Compare compare) {
  return mgpu::set_intersection(static_cast<D&>(p), a, a_end, b, b_end, out, compare);
}

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class KeysOut, class ValuesOut,
          class Compare>
set_ends<D, KeysOut, ValuesOut> set_intersection_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                                        ValuesA a_values, KeysOut keys_out, ValuesOut values_out,
                                                        Compare compare) {
  return as_thrust_pair(
      mgpu::set_intersection_by_key(static_cast<D&>(p), a, a_end, b, b_end, a_values, keys_out, values_out, compare));
}

template <class D, template <class> class S, class A, class B, class Out>
set_end<D, Out> set_difference(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out) {
  return mgpu::set_difference(static_cast<D&>(p), a, a_end, b, b_end, out, order_of_first<A, B>{});
}

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut>
set_ends<D, KeysOut, ValuesOut> set_difference_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                                      ValuesA a_values, ValuesB b_values, KeysOut keys_out,
                                                      ValuesOut values_out) {
  return as_thrust_pair(mgpu::set_difference_by_key(static_cast<D&>(p), a, a_end, b, b_end, a_values, b_values,
                                                    keys_out, values_out, order_of_first<KeysA, KeysB>{}));
}

template <class D, template <class> class S, class A, class B, class Out, class Compare>
set_end<D, Out> set_difference(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out, Compare compare) {
  return mgpu::set_difference(static_cast<D&>(p), a, a_end, b, b_end, out, compare);
}

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut, class Compare>
set_ends<D, KeysOut, ValuesOut> set_difference_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                                      ValuesA a_values, ValuesB b_values, KeysOut keys_out,
                                                      ValuesOut values_out, Compare compare) {
  return as_thrust_pair(mgpu::set_difference_by_key(static_cast<D&>(p), a, a_end, b, b_end, a_values, b_values,
                                                    keys_out, values_out, compare));
}

template <class D, template <class> class S, class A, class B, class Out>
set_end<D, Out> set_symmetric_difference(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out) {
  return mgpu::set_symmetric_difference(static_cast<D&>(p), a, a_end, b, b_end, out, order_of_first<A, B>{});
}

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut>
set_ends<D, KeysOut, ValuesOut> set_symmetric_difference_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b,
                                                                KeysB b_end, ValuesA a_values, ValuesB b_values,
                                                                KeysOut keys_out, ValuesOut values_out) {
  return as_thrust_pair(mgpu::set_symmetric_difference_by_key(static_cast<D&>(p), a, a_end, b, b_end, a_values,
                                                              b_values, keys_out, values_out,
                                                              order_of_first<KeysA, KeysB>{}));
}

template <class D, template <class> class S, class A, class B, class Out, class Compare>
set_end<D, Out> set_symmetric_difference(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out, Compare compare) {
  return mgpu::set_symmetric_difference(static_cast<D&>(p), a, a_end, b, b_end, out, compare);
}

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut, class Compare>
set_ends<D, KeysOut, ValuesOut> set_symmetric_difference_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b,
                                                                KeysB b_end, ValuesA a_values, ValuesB b_values,
                                                                KeysOut keys_out, ValuesOut values_out,
                                                                Compare compare) {
  return as_thrust_pair(mgpu::set_symmetric_difference_by_key(static_cast<D&>(p), a, a_end, b, b_end, a_values,
                                                              b_values, keys_out, values_out, compare));
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
