// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// The next free place of a piece of memory.
struct free_place {
  std::uintptr_t at;

  /// For `count` elements of T, which begin at the same place of a 16-byte word as `like`.
  template <class T>
  T* take(offset count, const T* like = nullptr) {
    constexpr auto unit = base::max<std::uintptr_t>(16, alignof(T));
    at = base::align_up(at, unit) + (reinterpret_cast<std::uintptr_t>(like) & (unit - 1));
    T* const taken = reinterpret_cast<T*>(at);
    at += static_cast<std::uintptr_t>(count) * sizeof(T);
    return taken;
  }
};

}  // namespace exec
MGPU_NAMESPACE_END
