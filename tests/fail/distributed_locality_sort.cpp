// expect: static assert.*over ranks .mgpu::distributed. there are stable_sort
// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mgpu/cpp.h>
#include <mgpu/distributed.h>
#include <mgpu/in_process.h>
#include <mgpu/locality_sort.h>

void misuse(int* keys, int count, const mgpu::in_process_communicator& communicator) {
  const auto everywhere = mgpu::distributed(mgpu::cpp::par, communicator);
#ifdef MGPU_TEST_FIXED
  mgpu::stable_sort(everywhere, keys, keys + count);
#else
  mgpu::locality_sort(everywhere, keys, keys + count);
#endif
}
