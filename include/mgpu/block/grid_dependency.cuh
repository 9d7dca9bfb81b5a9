// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// Programmatic dependent launch: waits until the kernel before this one in the stream has ended and its writes are
/// visible. Must stand before every access to memory that another kernel may write or read.
MGPU_DEVICE inline void wait_for_last_kernel() {
  if constexpr (MGPU_DEVICE_CC >= 90) asm volatile("griddepcontrol.wait;" ::: "memory");
}

/// From here on the next kernel of the stream may start and run up to its own wait, while this one still runs.
MGPU_DEVICE inline void let_next_kernel_start() {
  if constexpr (MGPU_DEVICE_CC >= 90) asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

}  // namespace detail::block
MGPU_NAMESPACE_END
