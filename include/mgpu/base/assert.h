// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

#include <cstdio>
#include <cstdlib>

MGPU_NAMESPACE_BEGIN
namespace detail::base {

/// What MGPU_ASSERT calls, on the host.
[[noreturn]] inline void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: mgpu: %s is false\n", file, line, condition);
  std::abort();
}

}  // namespace detail::base
MGPU_NAMESPACE_END
