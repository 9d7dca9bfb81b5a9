// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The multiset operations of std:: and Thrust on sorted ranges a[0, n) and b[0, m). Equal keys are matched by rank: the
// first key of an equal run of a with the first of the equal run of b, the second with the second, and so on. A key
// that occurs x times in a and y times in b occurs in the result
//   set_union                  max(x, y) times: the x of a, then the last max(y - x, 0) of b
//   set_intersection           min(x, y) times: the first ones of a
//   set_difference             max(x - y, 0) times: the last ones of a
//   set_symmetric_difference   |x - y| times: the last ones of a or of b
//
// Each operation has five forms, shown here for `op`. A value goes where its key goes.
//   out_end = op(p, a, a_end, b, b_end, out, options...)
//   ends    = op_by_key(p, a, a_end, b, b_end, a_values, b_values, keys_out, values_out, options...)
//   size    = op_size(p, a, a_end, b, b_end, options...)
//   op_into(p, a, a_end, b, b_end, out, size_out, options...)
//   op_by_key_into(p, a, a_end, b, b_end, a_values, b_values, keys_out, values_out, size_out, options...)
// set_intersection_by_key and its _into form take no b_values. set_difference_by_key takes b_values, as Thrust's does,
// but does not read them. The options are a comparator (less<> by default), then mgpu::unique_keys. With unique_keys
// the caller promises that neither input has equal keys, and the library does not search for the beginnings of equal
// runs.
//
// Order: sorted like the inputs; elements of one input keep their order.
// Requires: random-access iterators; a and b are sorted by compare; compare is a strict weak ordering that takes keys
//   of a and b in both orders; merge.h says what else a comparator must be. The outputs have room for the most that the
//   operation can write: n + m elements for union and symmetric difference, min(n, m) for intersection, n for
//   difference. On the GPU a key has at most 768 bytes.
//   The outputs overlap nothing else, with one exception: set_difference and set_intersection without values may write
//   over their first input. out must then begin where a begins. On the CPU a and out must then be pointers, contiguous
//   iterators, iterators of one type, a const_iterator and its iterator, or iterators that give references.
//   If an input is not sorted, or a promise does not hold, the result is wrong, and nothing outside these ranges is
//   accessed.
// Cost: O(n + m) comparisons. On the GPU one pass over the keys and O(log(n + m)) per tile; each result is written
//   once; a value is read where it is written. On the CPU one thread reads the keys once. Of several threads one writes
//   while the others count; then all of them write what has been counted.
// Memory: about 24 bytes per tile of some thousand elements, from the policy's allocator. On the CPU also 64 KiB of
//   each thread's stack, and a copy of a if out begins where a begins. Stream-ordered.
//   op, op_by_key and op_size wait for the size, also under par_nosync. The _into forms write the size to *size_out,
//   which the device must be able to write. They return before completion under par_nosync and can be captured into a
//   CUDA graph.
// Throws: std::invalid_argument if an end lies before its beginning or a pointer to elements is null; std::bad_alloc;
//   mgpu::cuda_error. The inputs are then unchanged, unless the device failed while it wrote over a. On the CPU it also
//   throws what compare throws, the first of several exceptions; the outputs are then unspecified.
// Source: S. Baxter, "Modern GPU" (2013), the page on multisets; D. Merrill, M. Garland, "Single-pass Parallel Prefix
//   Scan with Decoupled Look-back" (2016).

#include <mgpu/base/math.h>
#include <mgpu/core/set_operation.h>
#include <mgpu/plan/set_operation.h>

#include <cuda/std/utility>

MGPU_NAMESPACE_BEGIN

/// The promise that neither input of a set operation has equal keys.
struct unique_keys_promise {};
/// The trailing argument of a set operation whose inputs have no equal keys.
inline constexpr unique_keys_promise unique_keys{};

// --- set_union

/// Writes the union of a[0, n) and b[0, m) to out. Returns the end of out.
template <class Policy, class A, class B, class Out, class... Options>
Out set_union(const Policy& p, A a, A a_end, B b, B b_end, Out out, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  return detail::plan::set_operation<detail::tile::set_union>(p, in, detail::plan::set_outputs{out, detail::plan::none},
                                                              options...)
      .first;
}

/// set_union of keys with their values. Returns the ends of both outputs.
template <class Policy, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut, class ValuesOut,
          class... Options>
cuda::std::pair<KeysOut, ValuesOut> set_union_by_key(const Policy& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                                     ValuesA a_values, ValuesB b_values, KeysOut keys_out,
                                                     ValuesOut values_out, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, a_values, b_values};
  return detail::plan::set_operation<detail::tile::set_union>(p, in, detail::plan::set_outputs{keys_out, values_out},
                                                              options...);
}

/// The number of elements that set_union writes.
template <class Policy, class A, class B, class... Options>
offset set_union_size(const Policy& p, A a, A a_end, B b, B b_end, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  return detail::plan::set_operation_size<detail::tile::set_union>(p, in, options...);
}

/// set_union that writes its size to *size_out. Never synchronizes under par_nosync.
template <class Policy, class A, class B, class Out, class SizeOut, class... Options>
void set_union_into(const Policy& p, A a, A a_end, B b, B b_end, Out out, SizeOut size_out, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  detail::plan::set_operation_into<detail::tile::set_union>(p, in, detail::plan::set_outputs{out, detail::plan::none},
                                                            size_out, options...);
}

/// set_union_by_key that writes its size to *size_out. Never synchronizes under par_nosync.
template <class Policy, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut, class ValuesOut,
          class SizeOut, class... Options>
void set_union_by_key_into(const Policy& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values,
                           ValuesB b_values, KeysOut keys_out, ValuesOut values_out, SizeOut size_out,
                           Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, a_values, b_values};
  detail::plan::set_operation_into<detail::tile::set_union>(p, in, detail::plan::set_outputs{keys_out, values_out},
                                                            size_out, options...);
}

// --- set_intersection

/// Writes the elements of a[0, n) that have a match in b[0, m) to out. Returns the end of out.
template <class Policy, class A, class B, class Out, class... Options>
Out set_intersection(const Policy& p, A a, A a_end, B b, B b_end, Out out, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  return detail::plan::set_operation<detail::tile::set_intersection>(
             p, in, detail::plan::set_outputs{out, detail::plan::none}, options...)
      .first;
}

/// set_intersection of keys with the values of a. Returns the ends of both outputs.
template <class Policy, class KeysA, class KeysB, class ValuesA, class KeysOut, class ValuesOut, class... Options>
cuda::std::pair<KeysOut, ValuesOut> set_intersection_by_key(const Policy& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                                            ValuesA a_values, KeysOut keys_out, ValuesOut values_out,
                                                            Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, a_values, detail::plan::none};
  return detail::plan::set_operation<detail::tile::set_intersection>(
      p, in, detail::plan::set_outputs{keys_out, values_out}, options...);
}

/// The number of elements that set_intersection writes.
template <class Policy, class A, class B, class... Options>
offset set_intersection_size(const Policy& p, A a, A a_end, B b, B b_end, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  return detail::plan::set_operation_size<detail::tile::set_intersection>(p, in, options...);
}

/// set_intersection that writes its size to *size_out. Never synchronizes under par_nosync.
template <class Policy, class A, class B, class Out, class SizeOut, class... Options>
void set_intersection_into(const Policy& p, A a, A a_end, B b, B b_end, Out out, SizeOut size_out, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  detail::plan::set_operation_into<detail::tile::set_intersection>(
      p, in, detail::plan::set_outputs{out, detail::plan::none}, size_out, options...);
}

/// set_intersection_by_key that writes its size to *size_out. Never synchronizes under par_nosync.
template <class Policy, class KeysA, class KeysB, class ValuesA, class KeysOut, class ValuesOut, class SizeOut,
          class... Options>
void set_intersection_by_key_into(const Policy& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values,
                                  KeysOut keys_out, ValuesOut values_out, SizeOut size_out, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, a_values, detail::plan::none};
  detail::plan::set_operation_into<detail::tile::set_intersection>(
      p, in, detail::plan::set_outputs{keys_out, values_out}, size_out, options...);
}

// --- set_difference

/// Writes the elements of a[0, n) that have no match in b[0, m) to out. Returns the end of out.
template <class Policy, class A, class B, class Out, class... Options>
Out set_difference(const Policy& p, A a, A a_end, B b, B b_end, Out out, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  return detail::plan::set_operation<detail::tile::set_difference>(
             p, in, detail::plan::set_outputs{out, detail::plan::none}, options...)
      .first;
}

/// set_difference of keys with the values of a. b's values are not read. Returns the ends of both outputs.
template <class Policy, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut, class ValuesOut,
          class... Options>
cuda::std::pair<KeysOut, ValuesOut> set_difference_by_key(const Policy& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
                                                          ValuesA a_values, ValuesB, KeysOut keys_out,
                                                          ValuesOut values_out, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, a_values, detail::plan::none};
  return detail::plan::set_operation<detail::tile::set_difference>(
      p, in, detail::plan::set_outputs{keys_out, values_out}, options...);
}

/// The number of elements that set_difference writes.
template <class Policy, class A, class B, class... Options>
offset set_difference_size(const Policy& p, A a, A a_end, B b, B b_end, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  return detail::plan::set_operation_size<detail::tile::set_difference>(p, in, options...);
}

/// set_difference that writes its size to *size_out. Never synchronizes under par_nosync.
template <class Policy, class A, class B, class Out, class SizeOut, class... Options>
void set_difference_into(const Policy& p, A a, A a_end, B b, B b_end, Out out, SizeOut size_out, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  detail::plan::set_operation_into<detail::tile::set_difference>(
      p, in, detail::plan::set_outputs{out, detail::plan::none}, size_out, options...);
}

/// set_difference_by_key that writes its size to *size_out. Never synchronizes under par_nosync.
template <class Policy, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut, class ValuesOut,
          class SizeOut, class... Options>
void set_difference_by_key_into(const Policy& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values, ValuesB,
                                KeysOut keys_out, ValuesOut values_out, SizeOut size_out, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, a_values, detail::plan::none};
  detail::plan::set_operation_into<detail::tile::set_difference>(p, in, detail::plan::set_outputs{keys_out, values_out},
                                                                 size_out, options...);
}

// --- set_symmetric_difference

/// Writes the elements of a[0, n) and b[0, m) that have no match in the other input to out. Returns the end of out.
template <class Policy, class A, class B, class Out, class... Options>
Out set_symmetric_difference(const Policy& p, A a, A a_end, B b, B b_end, Out out, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  return detail::plan::set_operation<detail::tile::set_symmetric_difference>(
             p, in, detail::plan::set_outputs{out, detail::plan::none}, options...)
      .first;
}

/// set_symmetric_difference of keys with their values. Returns the ends of both outputs.
template <class Policy, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut, class ValuesOut,
          class... Options>
cuda::std::pair<KeysOut, ValuesOut> set_symmetric_difference_by_key(const Policy& p, KeysA a, KeysA a_end, KeysB b,
                                                                    KeysB b_end, ValuesA a_values, ValuesB b_values,
                                                                    KeysOut keys_out, ValuesOut values_out,
                                                                    Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, a_values, b_values};
  return detail::plan::set_operation<detail::tile::set_symmetric_difference>(
      p, in, detail::plan::set_outputs{keys_out, values_out}, options...);
}

/// The number of elements that set_symmetric_difference writes.
template <class Policy, class A, class B, class... Options>
offset set_symmetric_difference_size(const Policy& p, A a, A a_end, B b, B b_end, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  return detail::plan::set_operation_size<detail::tile::set_symmetric_difference>(p, in, options...);
}

/// set_symmetric_difference that writes its size to *size_out. Never synchronizes under par_nosync.
template <class Policy, class A, class B, class Out, class SizeOut, class... Options>
void set_symmetric_difference_into(const Policy& p, A a, A a_end, B b, B b_end, Out out, SizeOut size_out,
                                   Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  detail::plan::set_operation_into<detail::tile::set_symmetric_difference>(
      p, in, detail::plan::set_outputs{out, detail::plan::none}, size_out, options...);
}

/// set_symmetric_difference_by_key that writes its size to *size_out. Never synchronizes under par_nosync.
template <class Policy, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut, class ValuesOut,
          class SizeOut, class... Options>
void set_symmetric_difference_by_key_into(const Policy& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values,
                                          ValuesB b_values, KeysOut keys_out, ValuesOut values_out, SizeOut size_out,
                                          Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, a_values, b_values};
  detail::plan::set_operation_into<detail::tile::set_symmetric_difference>(
      p, in, detail::plan::set_outputs{keys_out, values_out}, size_out, options...);
}

MGPU_NAMESPACE_END
