// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

// The hooks by which thrust::merge, the thrust::set_* operations and their _by_key forms reach this library. They are
// declared beside the policies with return type auto, and defined in <mgpu/thrust_ext.h> only. If that header is
// forgotten, a call does not compile ("use of auto before deduction"). So it is never run by another library without a
// word, and one call never means two things in two translation units.

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

template <class Derived, template <class> class ThrustBase>
struct policy;

template <class D, template <class> class S, class A, class B, class Out>
auto merge(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out);

template <class D, template <class> class S, class A, class B, class Out, class Compare>
auto merge(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out, Compare compare);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut>
auto merge_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values, ValuesB b_values,
                  KeysOut keys_out, ValuesOut values_out);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut, class Compare>
auto merge_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values, ValuesB b_values,
                  KeysOut keys_out, ValuesOut values_out, Compare compare);

template <class D, template <class> class S, class A, class B, class Out>
auto set_union(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut>
auto set_union_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values, ValuesB b_values,
                      KeysOut keys_out, ValuesOut values_out);

template <class D, template <class> class S, class A, class B, class Out, class Compare>
auto set_union(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out, Compare compare);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut, class Compare>
auto set_union_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values, ValuesB b_values,
                      KeysOut keys_out, ValuesOut values_out, Compare compare);

template <class D, template <class> class S, class A, class B, class Out>
auto set_intersection(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class KeysOut, class ValuesOut>
auto set_intersection_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values,
                             KeysOut keys_out, ValuesOut values_out);

template <class D, template <class> class S, class A, class B, class Out, class Compare>
auto set_intersection(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out, Compare compare);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class KeysOut, class ValuesOut,
          class Compare>
auto set_intersection_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values,
                             KeysOut keys_out, ValuesOut values_out, Compare compare);

template <class D, template <class> class S, class A, class B, class Out>
auto set_difference(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut>
auto set_difference_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values,
                           ValuesB b_values, KeysOut keys_out, ValuesOut values_out);

template <class D, template <class> class S, class A, class B, class Out, class Compare>
auto set_difference(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out, Compare compare);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut, class Compare>
auto set_difference_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values,
                           ValuesB b_values, KeysOut keys_out, ValuesOut values_out, Compare compare);

template <class D, template <class> class S, class A, class B, class Out>
auto set_symmetric_difference(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut>
auto set_symmetric_difference_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values,
                                     ValuesB b_values, KeysOut keys_out, ValuesOut values_out);

template <class D, template <class> class S, class A, class B, class Out, class Compare>
auto set_symmetric_difference(policy<D, S>& p, A a, A a_end, B b, B b_end, Out out, Compare compare);

template <class D, template <class> class S, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut, class Compare>
auto set_symmetric_difference_by_key(policy<D, S>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values,
                                     ValuesB b_values, KeysOut keys_out, ValuesOut values_out, Compare compare);

}  // namespace detail::exec
MGPU_NAMESPACE_END
