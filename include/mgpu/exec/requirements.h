// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/order.h>
#include <mgpu/base/requirements.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/exec/policy.h>

#include <cuda/std/type_traits>

#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

// What public functions require of their arguments' types. Each requirement says in one sentence what a caller must
// change. A call lists its requirements. The first one that is not met ends the list, and the function then has an
// empty body, so that no further error follows.
//   if constexpr (exec::meets<exec::mgpu_policy<Policy>, exec::random_access_inputs<A, B>>) { ... }

template <class... Requirements>
inline constexpr bool meets = cuda::std::conjunction_v<Requirements...>;

/// The type of unwrap(first, count). What is not a random-access iterator stays unchanged.
template <class Iterator, bool = base::is_random_access<Iterator>>
struct unwrapped_iterator {
  using type = decltype(exec::unwrap(std::declval<const Iterator&>(), offset{}));
};
template <class Iterator>
struct unwrapped_iterator<Iterator, false> {
  using type = Iterator;
};
template <class Iterator>
using unwrapped = typename unwrapped_iterator<Iterator>::type;

template <class... Iterators>
struct random_access_inputs {
  static constexpr bool value = (base::is_random_access<Iterators> && ...);
  static_assert(value,
                "the inputs are random-access iterators: pass begin() of a vector, not the vector, and copy the "
                "elements of a list to a vector first");
};

/// Inputs that threads search while others take what they have found, or of which several take the same element.
template <class... Iterators>
struct inputs_that_stay {
  static constexpr bool value = (!cuda::std::is_rvalue_reference_v<base::element<Iterators>> && ...);
  static_assert(
      value, "these elements are read more than once: pass iterators that do not move from them, not move_iterators");
};

template <class... Iterators>
struct random_access_outputs {
  static constexpr bool value = (base::is_random_access<Iterators> && ...);
  static_assert(value, "the outputs are random-access iterators: make room first and pass begin(), not an inserter");
};

/// An output that takes elements of `Ins`.
template <class Out, class... Ins>
struct writable_output {
  static constexpr bool value = (base::is_writable_from<unwrapped<Out>, unwrapped<Ins>>() && ...);
  static_assert(value,
                "an output takes the elements of its inputs: pass an iterator to elements that are not const "
                "and can be assigned those of the inputs");
};

/// Elements that the call moves from place to place: on the CPU by their own functions, on the GPU as bytes.
template <class Policy, class... Iterators>
struct movable_elements {
  static constexpr bool are_movable = ((cuda::std::is_move_constructible_v<base::value_type<Iterators>> &&
                                        cuda::std::is_move_assignable_v<base::value_type<Iterators>>)&&...);
  static constexpr bool value =
      are_movable && (executor_of<Policy>::calls_host_functions ||
                      (cuda::std::is_trivially_copyable_v<base::value_type<Iterators>> && ...));
  static_assert(are_movable, "a sort moves its keys and values: sort pointers to them, or their numbers");
  static_assert(value || !are_movable,
                "elements that are sorted on the GPU must be trivially copyable: sort row numbers, or keys with row "
                "numbers as values, and gather the elements by these");
};

/// Ranges whose elements the call rearranges.
template <class... Iterators>
struct writable_ranges {
  static constexpr bool value = (base::is_writable_by_moves<unwrapped<Iterators>>() && ...);
  static_assert(value, "a sort writes its keys and values: pass iterators to elements that are not const");
};

/// Where the size of a result is written.
template <class SizeOut>
struct writable_size {
  static constexpr bool value = base::is_writable_with<SizeOut, offset>;
  static_assert(value, "*size_out takes the size of the result: pass a pointer to an mgpu::offset");
};

/// True if compare(x, y) takes a key of X and one of Y.
template <class Compare, class X, class Y>
struct comparator_of {
  static constexpr bool value = base::is_comparator<Compare, unwrapped<X>, unwrapped<Y>>();
  static_assert(value,
                "compare(x, y) takes two keys and returns what converts to bool: pass a comparator of these "
                "keys, and no other argument in its place");
};

/// The same for two keys of one array. They are read before they are compared.
template <class Compare, class Keys>
struct comparator_of_keys : comparator_of<Compare, base::value_type<Keys>*, base::value_type<Keys>*> {};

/// A comparator that the policy's executor can call.
template <class Policy, class Compare>
struct callable_comparator {
  static constexpr bool value = executor_of<Policy>::calls_host_functions || !base::is_host_order<Compare>;
  static_assert(value,
                "std::less<T> and std::greater<T> of a class are functions of the host: on the GPU pass "
                "cuda::std::less<>, or a comparator of your own that is marked __device__");
};

/// Arguments of certain classes: see segments.h, intervals.h and runs.h.
template <class Segments>
inline constexpr bool is_segments = false;
template <class Intervals>
inline constexpr bool is_intervals = false;
template <class Runs>
inline constexpr bool is_run_offsets = false;
template <class Runs>
inline constexpr bool is_run_ranges = false;

template <class Segments>
struct known_segments {
  static constexpr bool value = is_segments<Segments>;
  static_assert(value,
                "segments are mgpu::segment_heads(first, last), mgpu::segment_flags(words) or "
                "mgpu::segment_offsets(first, count)");
};

template <class Intervals>
struct known_intervals {
  static constexpr bool value = is_intervals<Intervals>;
  static_assert(value,
                "intervals are mgpu::interval_offsets(first, count, total) or mgpu::interval_counts(first, last)");
};

template <class Runs>
struct known_run_offsets {
  static constexpr bool value = is_run_offsets<Runs>;
  static_assert(value, "the runs of an array are mgpu::run_offsets(offsets, count)");
};

template <class Runs>
struct known_run_ranges {
  static constexpr bool value = is_run_ranges<Runs>;
  static_assert(value, "runs in arrays of their own are mgpu::run_ranges(begins, lengths, count, total)");
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
