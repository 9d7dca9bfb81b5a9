// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

#include <cstdint>
#include <limits>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Places arrays one behind the other in one piece of memory. From address 0 on it finds out how much memory they take.
struct scratch_layout {
  std::uintptr_t end;             // the first address that is free
  std::uintptr_t most_unit = 16;  // what all arrays so far are aligned to

  /// The place of `count` elements of T. They begin at the same byte of a 16-byte word as `like`. If no memory can hold
  /// them, the end is what no allocator gives.
  template <class T>
  T* take(offset count, const T* like = nullptr) {
    constexpr auto unit = base::max<std::uintptr_t>(16, alignof(T));
    most_unit = base::max(most_unit, unit);
    const std::uintptr_t begin = base::align_up(end, unit) + (reinterpret_cast<std::uintptr_t>(like) & (unit - 1));
    constexpr std::uintptr_t most = std::numeric_limits<offset>::max();
    const auto items = static_cast<std::uintptr_t>(count);
    end = begin < most && items < (most - begin) / sizeof(T) ? begin + items * sizeof(T) : most;
    return reinterpret_cast<T*>(begin);
  }

  /// For arrays that share memory with those of another layout: at no time both are needed.
  scratch_layout shared_with(const scratch_layout& other) const {
    return {base::max(end, other.end), base::max(most_unit, other.most_unit)};
  }
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
