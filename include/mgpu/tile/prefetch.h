// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace tile {

/// Prefetches at[begin, begin + count), elements that need not exist, if `at` is a pointer. The CPU reads a
/// line before it writes a part of it: a loop that writes a little at a time, or at several places, waits for that.
template <class Iterator>
MGPU_FORCE_INLINE void prefetch([[maybe_unused]] const Iterator& at, [[maybe_unused]] offset begin,
                                [[maybe_unused]] offset count) {
  if constexpr (cuda::std::is_pointer_v<Iterator>) {
    constexpr offset line = 64, item = sizeof(*at);
    const char* const bytes = reinterpret_cast<const char*>(at) + begin * item;
    for (offset i = 0; i < count * item; i += line) MGPU_PREFETCH(bytes + i);
  }
}

}  // namespace tile
MGPU_NAMESPACE_END
