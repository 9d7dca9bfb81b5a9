// expect: a sort writes its keys and values
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/odd_even_merge_sort.h>

#ifdef MGPU_TEST_FIXED
using key = int;
#else
using key = const int;
#endif

void misuse(key* keys, int count) { mgpu::odd_even_merge_sort(mgpu::cpp::par, keys, keys + count); }
