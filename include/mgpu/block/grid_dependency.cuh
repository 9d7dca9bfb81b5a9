// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

MGPU_NAMESPACE_BEGIN
namespace block {

/// Programmatic dependent launch: from here on the next kernel of the stream may start while this one still runs ...
MGPU_DEVICE inline void let_next_kernel_start() {
  if constexpr (MGPU_DEVICE_CC >= 90) asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

/// ... and there waits until this one has ended and its writes are visible.
MGPU_DEVICE inline void wait_for_last_kernel() {
  if constexpr (MGPU_DEVICE_CC >= 90) asm volatile("griddepcontrol.wait;" ::: "memory");
}

}  // namespace block
MGPU_NAMESPACE_END
