// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

// A sink says what is done with the position that a sorted search finds for a value. It has
//   answer(number, position)   the result for value `number`, of type `result`; it may read, but writes nothing
//   store(number, result)      writes it
//   is_array                   whether the results are the positions, written to an array of integers; then also
//   element, array()           the type of these integers, and where the array begins
//   bytes                      the size of such an integer
//   is_judge                   whether the result is the number of the element before a value's place or, with
//                              is_forward, at it, if the sink takes it. Then also
//   takes(value, element)      whether it does
//   refused                    the result if it does not, or if there is no such element
//   is_counted                 whether the results are counted, for outputs of that size: each call must find the same

/// Writes a number to out[i], converted where out has elements of arithmetic type.
MGPU_EXEC_CHECK_DISABLE
template <class Out>
MGPU_HOST_DEVICE void write_number(const Out& out, offset i, offset number) {
  using T = base::value_type<Out>;
  if constexpr (cuda::std::is_arithmetic_v<T>) out[i] = static_cast<T>(number);
  else out[i] = number;
}

template <class Out>
inline constexpr bool is_array_of_numbers =
    base::is_byte_range<Out>&& cuda::std::is_integral_v<base::value_type<Out>> &&
    !cuda::std::is_same_v<base::value_type<Out>, bool>;

/// The sink of a search alone: out[number] = position.
template <class Out>
struct positions_to {
  Out out;  // [value_count]

  using element = base::value_type<Out>;
  using result = offset;
  static constexpr bool is_array = is_array_of_numbers<Out>, is_judge = false, is_forward = false, is_counted = false;
  static constexpr int bytes = sizeof(cuda::std::conditional_t<is_array, element, char>);

  MGPU_HOST_DEVICE Out array() const { return out; }
  MGPU_HOST_DEVICE offset answer(offset, offset position) const { return position; }
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE void store(offset number, offset position) const { core::write_number(out, number, position); }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
