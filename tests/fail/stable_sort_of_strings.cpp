// expect: keys and values that are sorted have to be trivially copyable
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/sort.h>

#include <string>

#ifdef MGPU_TEST_FIXED
using key = char;
#else
using key = std::string;
#endif

void misuse(key* keys, int count) { mgpu::stable_sort(mgpu::cpp::par, keys, keys + count); }
