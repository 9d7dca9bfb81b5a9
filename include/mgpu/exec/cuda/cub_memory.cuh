// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/workspace.h>

#include <cstddef>
#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// The temporary storage of a call of CUB, aligned as CUB wants it.
template <class Policy>
class cub_memory {
  static constexpr std::size_t alignment = 256;

 public:
  cub_memory(Policy& p, std::size_t bytes) : memory_(p, static_cast<offset>(bytes + alignment)) {}

  char* data() const {
    const auto first = reinterpret_cast<std::uintptr_t>(memory_.data());
    return reinterpret_cast<char*>(base::align_up<std::uintptr_t>(first, alignment));
  }

 private:
  workspace<char, Policy> memory_;
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
