// expect: static assert.*over ranks .mgpu::distributed. there are stable_sort
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/distributed.h>
#include <mgpu/in_process.h>

void misuse(const int* a, const int* b, int count, int* out, mgpu::offset* size,
            const mgpu::in_process_communicator& communicator) {
  const auto everywhere = mgpu::distributed(mgpu::cpp::par, communicator);
#ifdef MGPU_TEST_FIXED
  *size = mgpu::set_union(everywhere, a, a + count, b, b + count, out) - out;
#else
  mgpu::set_union_into(everywhere, a, a + count, b, b + count, out, size);
#endif
}
