// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Clears a word of device memory: for the verb each.
struct clear_word {
  int* word;
  MGPU_HOST_DEVICE void operator()(offset) const { *word = 0; }
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
