// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Every algorithm of the library. The user also includes the header of a policy: par.h, omp.h, tbb.h or cpp.h.
//
// If MGPU_CHECK_INPUTS is defined before the first include, each call first verifies its arguments. Inputs are sorted
// by its comparator, unique_keys is true of them, and the positions of segments and the offsets of intervals and runs
// ascend within their array. The device can access what pointers and contiguous iterators point to. Of these, no output
// overlaps an input or another output, nor the values of a sort its keys, unless a contract allows it. If something is
// wrong, the call throws std::invalid_argument with the name of the argument and the first wrong position, and writes
// nothing. Where only the device knows how far an output reaches, overlaps are not looked for (interval_scatter,
// interval_move). A join that returns its size counts its rows first for that. compare is then also called for two
// elements of one input, if it takes them. Such calls always synchronize, also under par_nosync. In a stream that is
// captured into a CUDA graph they throw std::logic_error.

#include <mgpu/interval.h>
#include <mgpu/intervals.h>
#include <mgpu/join.h>
#include <mgpu/locality_sort.h>
#include <mgpu/merge.h>
#include <mgpu/merge_runs.h>
#include <mgpu/odd_even_merge_sort.h>
#include <mgpu/runs.h>
#include <mgpu/segmented_sort.h>
#include <mgpu/segments.h>
#include <mgpu/set_operations.h>
#include <mgpu/sort.h>
#include <mgpu/sort_statistics.h>
#include <mgpu/sorted_search.h>
