// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Every algorithm of the library. The policy header (par.h, omp.h, tbb.h or cpp.h) is named by the user.

#include <mgpu/interval.h>
#include <mgpu/intervals.h>
#include <mgpu/locality_sort.h>
#include <mgpu/merge.h>
#include <mgpu/odd_even_merge_sort.h>
#include <mgpu/segmented_sort.h>
#include <mgpu/segments.h>
#include <mgpu/set_operations.h>
#include <mgpu/sort_statistics.h>
