// expect: static assert.*over ranks a and b have the same type of keys
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/distributed.h>
#include <mgpu/in_process.h>

#ifdef MGPU_TEST_FIXED
using key_b = int;
#else
using key_b = long;
#endif

void misuse(const int* a, const key_b* b, int count, long* out, const mgpu::in_process_communicator& communicator) {
  mgpu::merge(mgpu::distributed(mgpu::cpp::par, communicator), a, a + count, b, b + count, out);
}
