// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Without MGPU_CHECK_INPUTS; check_inputs.cu has the same cases with it.
#include "positions_at_the_end.h"
