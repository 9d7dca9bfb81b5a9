// expect: a sort moves its keys and values: sort pointers to them, or their numbers
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/locality_sort.h>

#include <atomic>

#ifdef MGPU_TEST_FIXED
using key = int;
#else
using key = std::atomic<int>;
#endif

void misuse(key* keys, int count) { mgpu::locality_sort(mgpu::cpp::par, keys, keys + count); }
