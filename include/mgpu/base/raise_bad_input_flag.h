// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/bad_input_flag.h>

MGPU_NAMESPACE_BEGIN
namespace base {

MGPU_HOST_DEVICE inline void bad_input_flag::raise() const { MGPU_RAISE_FLAG(word); }

}  // namespace base
MGPU_NAMESPACE_END
