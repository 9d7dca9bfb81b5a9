// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/workspace.h>

#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// Scratch memory for `count` elements of T that begins at the same place of a 16-byte word as `like`. None for no elements.
template <class T, class Policy>
class aligned_scratch {
 public:
  aligned_scratch(Policy& p, offset count, const T* like)
      : memory_(p, count > 0 ? count * offset{sizeof(T)} + 2 * unit : 0) {
    const auto begin = base::align_up<std::uintptr_t>(reinterpret_cast<std::uintptr_t>(memory_.data()), unit);
    data_ = reinterpret_cast<T*>(begin + (reinterpret_cast<std::uintptr_t>(like) & (unit - 1)));
  }
  T* data() const { return data_; }

 private:
  static constexpr offset unit = base::max<offset>(16, alignof(T));

  workspace<char, Policy> memory_;
  T* data_;
};

}  // namespace exec
MGPU_NAMESPACE_END
