// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Every algorithm of the library. The policy header (par.h, omp.h, tbb.h or cpp.h) is named by the user.
//
// Where MGPU_CHECK_INPUTS is defined before the first include, a call first verifies that its inputs are sorted by its comparator,
// that unique_keys is true of them, and that the positions of segments and the offsets of intervals ascend within their array.
// If not, it throws std::invalid_argument with the name of the argument and the first wrong position; nothing is written then. compare is
// then also called for two elements of one input, where it takes them. Such calls synchronize, under par_nosync too, and throw
// std::logic_error in a stream that is captured into a CUDA graph.

#include <mgpu/interval.h>
#include <mgpu/intervals.h>
#include <mgpu/locality_sort.h>
#include <mgpu/merge.h>
#include <mgpu/odd_even_merge_sort.h>
#include <mgpu/segmented_sort.h>
#include <mgpu/segments.h>
#include <mgpu/set_operations.h>
#include <mgpu/sort_statistics.h>
