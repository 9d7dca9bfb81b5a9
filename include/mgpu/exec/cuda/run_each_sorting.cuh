// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The verb run_each for cores whose blocks sort.

#include <mgpu/block/sort/sorting_block.cuh>
#include <mgpu/exec/cuda/run_each.cuh>
