// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// Without MGPU_NVTX a verb is no range: see nvtx_range.h.
template <class Core>
struct verb_range {
  explicit verb_range(const char*) {}
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
