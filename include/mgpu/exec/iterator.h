// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/address.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>

#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

#include <type_traits>
#include <utility>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// What it->member is a member of.
template <class Iterator>
using arrow_of = decltype(std::declval<const Iterator&>().operator->());

/// Whether an iterator tells where it points, also where there is no element.
template <class Iterator, class = void>
inline constexpr bool has_pointer = false;
template <class Iterator>
inline constexpr bool has_pointer<Iterator, std::void_t<arrow_of<Iterator>>> =
    std::is_same_v<arrow_of<Iterator>, std::add_pointer_t<decltype(*std::declval<const Iterator&>())>>;

/// The raw pointer that a contiguous iterator stands for (device_vector's, std::vector's, device_ptr). Any other
/// iterator stays, but takes offsets. An empty range has no element with an address: the pointer is then null.
template <class Iterator>
auto unwrap(Iterator first, offset count) {
  if constexpr (std::is_pointer_v<Iterator>) {
    return first;
  } else if constexpr (THRUST_NS_QUALIFIER::is_contiguous_iterator<Iterator>::value) {
    const auto address = [&first] {
      if constexpr (has_pointer<Iterator>) return first.operator->();
      else if constexpr (std::is_lvalue_reference_v<decltype(*first)>) return base::address(*first);
      else return THRUST_NS_QUALIFIER::raw_pointer_cast(&*first);  // a reference to memory of a device
    };
    return count == 0 ? decltype(address()){} : address();
  } else {
    return base::with_offsets(first);
  }
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
