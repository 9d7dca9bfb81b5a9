// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

MGPU_NAMESPACE_BEGIN

/// What a communicator is given for a stream by policies that have none: those of the CPU, whose work has ended when a
/// call returns.
struct no_stream {};

MGPU_NAMESPACE_END
