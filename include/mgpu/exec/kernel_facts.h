// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// What a plan may ask of a kernel on the current device.
struct kernel_facts {
  int cc;                  // the compute capability that the loaded code was compiled for (90 for sm_90)
  int multiprocessors;     // of the device
  offset resident_blocks;  // that run at once
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
