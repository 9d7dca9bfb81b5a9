// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>

#include <cuda/std/type_traits>

#include <cstddef>
#include <cstring>

MGPU_NAMESPACE_BEGIN
namespace tile {

/// Copies in[0, count) to out on the CPU, as bytes where it can. std::copy without <algorithm>, which every translation
/// unit would otherwise compile.
template <class In, class Out>
void copy_range(const In& in, offset count, const Out& out) {
  if constexpr (base::is_byte_range<In> && base::is_byte_range<Out> &&
                cuda::std::is_same_v<base::value_type<In>, base::value_type<Out>>) {
    if (count > 0) std::memmove(static_cast<void*>(out), in, static_cast<std::size_t>(count) * sizeof(*in));
  } else {
    for (offset i = 0; i < count; ++i) out[i] = in[i];
  }
}

}  // namespace tile
MGPU_NAMESPACE_END
