// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

#include <thrust/pair.h>

// The hooks by which thrust::merge, the thrust::set_* operations and their _by_key forms reach this library. They are
// declared beside the policies, and defined in <mgpu/thrust_ext.h> only. If that header is forgotten, a call does not
// compile. So it is never run by another library without a word, and one call never means two things in two translation
// units.

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

template <class Derived, template <class> class ThrustBase>
struct policy;

struct merge_hooks;
struct set_operation_hooks;

/// The result of a hook without <mgpu/thrust_ext.h>. Only a call of the hook looks into this class: where overload
/// resolution chooses a user's function of that name, it stays as it is.
template <class Policy, class Hooks, class Result>
struct missing_plug_in {
  static_assert(sizeof(Policy) == 0,
                "mgpu: include <mgpu/thrust_ext.h> to call thrust::merge, thrust::set_* or one of their _by_key forms "
                "with an mgpu policy; thrust::sort may call thrust::merge");
  operator Result() const;
};

/// What a hook asks for the type of its result. <mgpu/thrust_ext.h> specializes it.
template <class Policy, class Hooks>
struct thrust_plug_in {
  template <class Result>
  using result = missing_plug_in<Policy, Hooks, Result>;
};
template <class Policy, class Out>
using merge_end = typename thrust_plug_in<Policy, merge_hooks>::template result<Out>;
template <class Policy, class Keys, class Values>
using merge_ends = merge_end<Policy, THRUST_NS_QUALIFIER::pair<Keys, Values>>;
template <class Policy, class Out>
using set_end = typename thrust_plug_in<Policy, set_operation_hooks>::template result<Out>;
template <class Policy, class Keys, class Values>
using set_ends = set_end<Policy, THRUST_NS_QUALIFIER::pair<Keys, Values>>;

template <class D, template <class> class S, class A, class B, class Out>
merge_end<D, Out> merge(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out);

template <class D, template <class> class S, class A, class B, class Out, class Compare>
merge_end<D, Out> merge(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out, Compare compare);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut>
merge_ends<D, KeysOut, ValuesOut> merge_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                               ValuesA a_values, ValuesB b_values, KeysOut keys_out,
                                               ValuesOut values_out);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut, class Compare>
merge_ends<D, KeysOut, ValuesOut> merge_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                               ValuesA a_values, ValuesB b_values, KeysOut keys_out,
                                               ValuesOut values_out, Compare compare);

template <class D, template <class> class S, class A, class B, class Out>
set_end<D, Out> set_union(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut>
set_ends<D, KeysOut, ValuesOut> set_union_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                                 ValuesA a_values, ValuesB b_values, KeysOut keys_out,
                                                 ValuesOut values_out);

template <class D, template <class> class S, class A, class B, class Out, class Compare>
set_end<D, Out> set_union(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out, Compare compare);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut, class Compare>
set_ends<D, KeysOut, ValuesOut> set_union_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                                 ValuesA a_values, ValuesB b_values, KeysOut keys_out,
                                                 ValuesOut values_out, Compare compare);

template <class D, template <class> class S, class A, class B, class Out>
set_end<D, Out> set_intersection(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class KeysOut, class ValuesOut>
set_ends<D, KeysOut, ValuesOut> set_intersection_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                                        ValuesA a_values, KeysOut keys_out, ValuesOut values_out);

template <class D, template <class> class S, class A, class B, class Out, class Compare>
set_end<D, Out> set_intersection(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out, Compare compare);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class KeysOut, class ValuesOut,
          class Compare>
set_ends<D, KeysOut, ValuesOut> set_intersection_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                                        ValuesA a_values, KeysOut keys_out, ValuesOut values_out,
                                                        Compare compare);

template <class D, template <class> class S, class A, class B, class Out>
set_end<D, Out> set_difference(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut>
set_ends<D, KeysOut, ValuesOut> set_difference_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                                      ValuesA a_values, ValuesB b_values, KeysOut keys_out,
                                                      ValuesOut values_out);

template <class D, template <class> class S, class A, class B, class Out, class Compare>
set_end<D, Out> set_difference(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out, Compare compare);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut, class Compare>
set_ends<D, KeysOut, ValuesOut> set_difference_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                                      ValuesA a_values, ValuesB b_values, KeysOut keys_out,
                                                      ValuesOut values_out, Compare compare);

template <class D, template <class> class S, class A, class B, class Out>
set_end<D, Out> set_symmetric_difference(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut>
set_ends<D, KeysOut, ValuesOut> set_symmetric_difference_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b,
                                                                KeysB b_end, ValuesA a_values, ValuesB b_values,
                                                                KeysOut keys_out, ValuesOut values_out);

template <class D, template <class> class S, class A, class B, class Out, class Compare>
set_end<D, Out> set_symmetric_difference(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out, Compare compare);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut, class Compare>
set_ends<D, KeysOut, ValuesOut> set_symmetric_difference_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b,
                                                                KeysB b_end, ValuesA a_values, ValuesB b_values,
                                                                KeysOut keys_out, ValuesOut values_out,
                                                                Compare compare);

}  // namespace detail::exec
MGPU_NAMESPACE_END
