// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The multiset operations of std:: and Thrust on sorted ranges. All of them compare a[0, n) with b[0, m) and match equal keys by
// rank: the first of an equal run of a with the first of b's, the second with the second, and so on. A key that occurs x times in
// a and y times in b occurs in the result
//   set_union                  max(x, y) times: the x of a, then the last max(y - x, 0) of b
//   set_intersection           min(x, y) times: the first ones of a
//   set_difference             max(x - y, 0) times: the last ones of a
//   set_symmetric_difference   |x - y| times: the last ones of a or of b
//
// Each comes in five forms, here for `op`; the values that belong to the keys go the way of their keys.
//   out_end = op(p, a, a_end, b, b_end, out, options...)
//   ends    = op_by_key(p, a, a_end, b, b_end, a_values, b_values, keys_out, values_out, options...)
//   size    = op_size(p, a, a_end, b, b_end, options...)
//   op_into(p, a, a_end, b, b_end, out, size_out, options...)
//   op_by_key_into(p, a, a_end, b, b_end, a_values, b_values, keys_out, values_out, size_out, options...)
// set_intersection_by_key and its _into take no b_values; set_difference_by_key takes them, as Thrust's does, and reads none.
// The options are a comparator, less<> where there is none, and after it mgpu::unique_keys: the caller's promise that neither
// input has equal keys, which spares the search for the beginnings of their runs.
//
// Order: sorted like the inputs; elements of one input keep their order.
// Requires: random-access iterators; compare is a strict weak ordering that takes keys of a and b in both orders; room in the
//   outputs for what the operation can emit: n + m, min(n, m), n, n + m elements. The outputs overlap nothing else, but
//   set_difference and set_intersection without values may write over their first input: out is a, an iterator of the same type
//   or a pointer. Keys have 768 bytes at most on the GPU.
//   Inputs that are not sorted, or a promise that does not hold, give a wrong result, and no access outside these ranges.
// Cost: O(n + m) comparisons; on the GPU one pass over the keys and O(log(n + m)) per tile, each result is written once, values
//   are read where they are emitted. The CPU reads the keys twice.
// Memory: from the policy's allocator, stream-ordered, about 24 bytes per tile of some thousand elements; in place on the CPU
//   a copy of a. op and op_size wait for the size, also under par_nosync; the _into forms write it to *size_out, which the device
//   can write, return before completion under par_nosync and can be captured into a CUDA graph.
// Throws: std::invalid_argument for an end before its beginning or a null pointer to elements, std::bad_alloc,
//   mgpu::cuda_error; the inputs are then unchanged, unless the device has failed while it wrote over a.
// Source: S. Baxter, "Modern GPU" (2013), the page on multisets; D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with
//   Decoupled Look-back" (2016).

#include <mgpu/base/check.h>
#include <mgpu/base/order.h>
#include <mgpu/core/set_operation.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/exec/policy.h>

#include <cuda/std/functional>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

MGPU_NAMESPACE_BEGIN

/// The promise that neither input of a set operation has equal keys.
struct unique_keys_promise {};
/// The trailing argument of a set operation whose inputs have no equal keys.
inline constexpr unique_keys_promise unique_keys{};

namespace set_call {

/// The trailing options of a call.
template <class... Options>
struct options {
  static_assert(sizeof...(Options) == 0, "the options of a set operation are [compare][, mgpu::unique_keys]");
  using comparator = cuda::std::less<>;
  static constexpr bool has_duplicates = true;
  static comparator compare() { return {}; }
};
template <>
struct options<unique_keys_promise> : options<> {
  static constexpr bool has_duplicates = false;
  static comparator compare(unique_keys_promise) { return {}; }
};
template <class Compare>
struct options<Compare> {
  using comparator = Compare;
  static constexpr bool has_duplicates = true;
  static Compare compare(const Compare& c) { return c; }
};
template <class Compare>
struct options<Compare, unique_keys_promise> {
  using comparator = Compare;
  static constexpr bool has_duplicates = false;
  static Compare compare(const Compare& c, unique_keys_promise) { return c; }
};

template <class KeysA, class KeysB, class ValuesA, class ValuesB>
struct inputs {
  KeysA a, a_end;
  KeysB b, b_end;
  ValuesA a_values;
  ValuesB b_values;
};
template <class KeysA, class KeysB, class ValuesA, class ValuesB>
inputs(KeysA, KeysA, KeysB, KeysB, ValuesA, ValuesB) -> inputs<KeysA, KeysB, ValuesA, ValuesB>;

template <class Keys, class Values>
struct outputs {
  Keys keys;
  Values values;
};
template <class Keys, class Values>
outputs(Keys, Values) -> outputs<Keys, Values>;

inline constexpr base::no_values none{};

/// The core of a call whose arguments are checked.
template <class Operation, class Inputs, class Outputs, class... Options>
auto core_of(const Inputs& in, const Outputs& out, const Options&... o) {
  const offset a_count = base::checked_count(in.a, in.a_end, "a");
  const offset b_count = base::checked_count(in.b, in.b_end, "b");
  const offset count = tile::set_operation_max_size<Operation>(a_count, b_count);
  const core::set_operation work{
      cuda::std::bool_constant<options<Options...>::has_duplicates>{},
      Operation{},
      exec::unwrap(in.a, a_count),
      exec::unwrap(in.b, b_count),
      a_count,
      b_count,
      exec::unwrap(in.a_values, a_count),
      exec::unwrap(in.b_values, b_count),
      exec::unwrap(out.keys, count),
      exec::unwrap(out.values, count),
      base::order<typename options<Options...>::comparator>{options<Options...>::compare(o...)}};
  base::check_not_null(work.a, a_count, "a");
  base::check_not_null(work.b, b_count, "b");
  base::check_not_null(work.a_values, a_count, "the values of a");
  if constexpr (Operation::emits_b) base::check_not_null(work.b_values, b_count, "the values of b");
  base::check_not_null(work.keys_out, count, "the output of the keys");
  base::check_not_null(work.values_out, count, "the output of the values");
  return work;
}

template <class Operation, class Policy, class Inputs, class Keys, class Values, class... Options>
cuda::std::pair<Keys, Values> run(const Policy& p, const Inputs& in, const outputs<Keys, Values>& out,
                                  const Options&... o) {
  const auto work = set_call::core_of<Operation>(in, out, o...);
  const offset size = work.max_size() == 0 ? 0 : exec::mutable_policy(p).compact(work);
  return {out.keys + size, out.values + size};
}

template <class Operation, class Policy, class Inputs, class Outputs, class SizeOut, class... Options>
void run_into(const Policy& p, const Inputs& in, const Outputs& out, SizeOut size_out, const Options&... o) {
  const auto to = exec::unwrap(size_out, 1);
  base::check_not_null(to, 1, "the output of the size");
  exec::mutable_policy(p).compact_into(set_call::core_of<Operation>(in, out, o...), to);
}

template <class Operation, class Policy, class Inputs, class... Options>
offset size(const Policy& p, const Inputs& in, const Options&... o) {
  const auto work = set_call::core_of<Operation>(in, outputs{none, none}, o...);
  return work.max_size() == 0 ? 0 : exec::mutable_policy(p).count(work);
}

}  // namespace set_call

// --- set_union

/// Writes the union of a[0, n) and b[0, m) to out and returns its end.
template <class Policy, class A, class B, class Out, class... Options>
Out set_union(const Policy& p, A a, A a_end, B b, B b_end, Out out, Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, set_call::none, set_call::none};
  return set_call::run<tile::set_union>(p, in, set_call::outputs{out, set_call::none}, options...).first;
}

/// set_union of keys with the values. Returns the ends of both outputs.
template <class Policy, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut, class ValuesOut,
          class... Options>
cuda::std::pair<KeysOut, ValuesOut> set_union_by_key(const Policy& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                                     ValuesA a_values, ValuesB b_values, KeysOut keys_out,
                                                     ValuesOut values_out, Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, a_values, b_values};
  return set_call::run<tile::set_union>(p, in, set_call::outputs{keys_out, values_out}, options...);
}

/// The number of elements that set_union writes.
template <class Policy, class A, class B, class... Options>
offset set_union_size(const Policy& p, A a, A a_end, B b, B b_end, Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, set_call::none, set_call::none};
  return set_call::size<tile::set_union>(p, in, options...);
}

/// set_union that writes its size to *size_out, and waits for nothing under par_nosync.
template <class Policy, class A, class B, class Out, class SizeOut, class... Options>
void set_union_into(const Policy& p, A a, A a_end, B b, B b_end, Out out, SizeOut size_out, Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, set_call::none, set_call::none};
  set_call::run_into<tile::set_union>(p, in, set_call::outputs{out, set_call::none}, size_out, options...);
}

/// set_union_by_key that writes its size to *size_out, and waits for nothing under par_nosync.
template <class Policy, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut, class ValuesOut,
          class SizeOut, class... Options>
void set_union_by_key_into(const Policy& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values,
                           ValuesB b_values, KeysOut keys_out, ValuesOut values_out, SizeOut size_out,
                           Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, a_values, b_values};
  set_call::run_into<tile::set_union>(p, in, set_call::outputs{keys_out, values_out}, size_out, options...);
}

// --- set_intersection

/// Writes the elements of a[0, n) that are matched in b[0, m) to out and returns its end.
template <class Policy, class A, class B, class Out, class... Options>
Out set_intersection(const Policy& p, A a, A a_end, B b, B b_end, Out out, Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, set_call::none, set_call::none};
  return set_call::run<tile::set_intersection>(p, in, set_call::outputs{out, set_call::none}, options...).first;
}

/// set_intersection of keys with the values of a. Returns the ends of both outputs.
template <class Policy, class KeysA, class KeysB, class ValuesA, class KeysOut, class ValuesOut, class... Options>
cuda::std::pair<KeysOut, ValuesOut> set_intersection_by_key(const Policy& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                                            ValuesA a_values, KeysOut keys_out, ValuesOut values_out,
                                                            Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, a_values, set_call::none};
  return set_call::run<tile::set_intersection>(p, in, set_call::outputs{keys_out, values_out}, options...);
}

/// The number of elements that set_intersection writes.
template <class Policy, class A, class B, class... Options>
offset set_intersection_size(const Policy& p, A a, A a_end, B b, B b_end, Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, set_call::none, set_call::none};
  return set_call::size<tile::set_intersection>(p, in, options...);
}

/// set_intersection that writes its size to *size_out, and waits for nothing under par_nosync.
template <class Policy, class A, class B, class Out, class SizeOut, class... Options>
void set_intersection_into(const Policy& p, A a, A a_end, B b, B b_end, Out out, SizeOut size_out, Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, set_call::none, set_call::none};
  set_call::run_into<tile::set_intersection>(p, in, set_call::outputs{out, set_call::none}, size_out, options...);
}

/// set_intersection_by_key that writes its size to *size_out, and waits for nothing under par_nosync.
template <class Policy, class KeysA, class KeysB, class ValuesA, class KeysOut, class ValuesOut, class SizeOut,
          class... Options>
void set_intersection_by_key_into(const Policy& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values,
                                  KeysOut keys_out, ValuesOut values_out, SizeOut size_out, Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, a_values, set_call::none};
  set_call::run_into<tile::set_intersection>(p, in, set_call::outputs{keys_out, values_out}, size_out, options...);
}

// --- set_difference

/// Writes the elements of a[0, n) that are not matched in b[0, m) to out and returns its end.
template <class Policy, class A, class B, class Out, class... Options>
Out set_difference(const Policy& p, A a, A a_end, B b, B b_end, Out out, Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, set_call::none, set_call::none};
  return set_call::run<tile::set_difference>(p, in, set_call::outputs{out, set_call::none}, options...).first;
}

/// set_difference of keys with the values of a; those of b are not read. Returns the ends of both outputs.
template <class Policy, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut, class ValuesOut,
          class... Options>
cuda::std::pair<KeysOut, ValuesOut> set_difference_by_key(const Policy& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                                          ValuesA a_values, ValuesB, KeysOut keys_out,
                                                          ValuesOut values_out, Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, a_values, set_call::none};
  return set_call::run<tile::set_difference>(p, in, set_call::outputs{keys_out, values_out}, options...);
}

/// The number of elements that set_difference writes.
template <class Policy, class A, class B, class... Options>
offset set_difference_size(const Policy& p, A a, A a_end, B b, B b_end, Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, set_call::none, set_call::none};
  return set_call::size<tile::set_difference>(p, in, options...);
}

/// set_difference that writes its size to *size_out, and waits for nothing under par_nosync.
template <class Policy, class A, class B, class Out, class SizeOut, class... Options>
void set_difference_into(const Policy& p, A a, A a_end, B b, B b_end, Out out, SizeOut size_out, Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, set_call::none, set_call::none};
  set_call::run_into<tile::set_difference>(p, in, set_call::outputs{out, set_call::none}, size_out, options...);
}

/// set_difference_by_key that writes its size to *size_out, and waits for nothing under par_nosync.
template <class Policy, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut, class ValuesOut,
          class SizeOut, class... Options>
void set_difference_by_key_into(const Policy& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values, ValuesB,
                                KeysOut keys_out, ValuesOut values_out, SizeOut size_out, Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, a_values, set_call::none};
  set_call::run_into<tile::set_difference>(p, in, set_call::outputs{keys_out, values_out}, size_out, options...);
}

// --- set_symmetric_difference

/// Writes the elements of a[0, n) and b[0, m) that are matched in neither to out and returns its end.
template <class Policy, class A, class B, class Out, class... Options>
Out set_symmetric_difference(const Policy& p, A a, A a_end, B b, B b_end, Out out, Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, set_call::none, set_call::none};
  return set_call::run<tile::set_symmetric_difference>(p, in, set_call::outputs{out, set_call::none}, options...).first;
}

/// set_symmetric_difference of keys with the values. Returns the ends of both outputs.
template <class Policy, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut, class ValuesOut,
          class... Options>
cuda::std::pair<KeysOut, ValuesOut> set_symmetric_difference_by_key(const Policy& p, KeysA a, KeysA a_end, KeysB b,
                                                                    KeysB b_end, ValuesA a_values, ValuesB b_values,
                                                                    KeysOut keys_out, ValuesOut values_out,
                                                                    Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, a_values, b_values};
  return set_call::run<tile::set_symmetric_difference>(p, in, set_call::outputs{keys_out, values_out}, options...);
}

/// The number of elements that set_symmetric_difference writes.
template <class Policy, class A, class B, class... Options>
offset set_symmetric_difference_size(const Policy& p, A a, A a_end, B b, B b_end, Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, set_call::none, set_call::none};
  return set_call::size<tile::set_symmetric_difference>(p, in, options...);
}

/// set_symmetric_difference that writes its size to *size_out, and waits for nothing under par_nosync.
template <class Policy, class A, class B, class Out, class SizeOut, class... Options>
void set_symmetric_difference_into(const Policy& p, A a, A a_end, B b, B b_end, Out out, SizeOut size_out,
                                   Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, set_call::none, set_call::none};
  set_call::run_into<tile::set_symmetric_difference>(p, in, set_call::outputs{out, set_call::none}, size_out,
                                                     options...);
}

/// set_symmetric_difference_by_key that writes its size to *size_out, and waits for nothing under par_nosync.
template <class Policy, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut, class ValuesOut,
          class SizeOut, class... Options>
void set_symmetric_difference_by_key_into(const Policy& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values,
                                          ValuesB b_values, KeysOut keys_out, ValuesOut values_out, SizeOut size_out,
                                          Options... options) {
  const set_call::inputs in{a, a_end, b, b_end, a_values, b_values};
  set_call::run_into<tile::set_symmetric_difference>(p, in, set_call::outputs{keys_out, values_out}, size_out,
                                                     options...);
}

MGPU_NAMESPACE_END
