// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The verb run for cores of intervals.

#include <mgpu/block/visit_intervals.cuh>
#include <mgpu/exec/cuda/run.cuh>
