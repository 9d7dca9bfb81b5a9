// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

MGPU_NAMESPACE_BEGIN
namespace detail::base {

/// How the tiles of a core say that their input is not what it must be. Executors make it: see bad_input_report.
struct bad_input_flag {
  int* word;  // 0 until the flag is raised; null where nobody asks

  MGPU_HOST_DEVICE bool is_asked() const { return word != nullptr; }

  /// Many threads may raise it. Requires: is_asked().
  MGPU_HOST_DEVICE void raise() const { MGPU_RAISE_FLAG(word); }
};

}  // namespace detail::base
MGPU_NAMESPACE_END
