// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// A contiguous iterator (device_vector's, std::vector's, device_ptr) as the raw pointer it stands for; others unchanged.
template <class Iterator>
auto unwrap(Iterator it) {
  if constexpr (THRUST_NS_QUALIFIER::is_contiguous_iterator<Iterator>::value) {
    return THRUST_NS_QUALIFIER::raw_pointer_cast(&*it);
  } else {
    return it;
  }
}

}  // namespace exec
MGPU_NAMESPACE_END
