// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/base/requirements.h>

#include <stdexcept>
#include <string>
#include <type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::base {

/// Throws std::invalid_argument if `first` is a null pointer and count > 0. Other iterators cannot be checked.
template <class Iterator>
void check_not_null(const Iterator& first, offset count, const char* name) {
  if constexpr (std::is_pointer_v<Iterator>) {
    if (count > 0 && first == nullptr) {
      throw std::invalid_argument(std::string("mgpu: ") + name + " is null but has " + std::to_string(count) +
                                  " elements");
    }
  }
}

/// The number of elements of [first, last). Throws std::invalid_argument if last is before first.
template <class Iterator>
offset checked_count(const Iterator& first, const Iterator& last, const char* name) {
  if constexpr (!is_random_access<Iterator>) {
    return 0;  // does not compile anyway: a static_assert of the caller says why
  } else {
    const auto count = static_cast<offset>(last - first);
    if (count < 0) {
      throw std::invalid_argument(std::string("mgpu: the end of ") + name + " is " + std::to_string(-count) +
                                  " elements before its beginning");
    }
    return count;
  }
}

}  // namespace detail::base
MGPU_NAMESPACE_END
